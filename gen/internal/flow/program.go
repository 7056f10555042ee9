package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Program is what can happen in a program. Keys are compared in their folded form. It is not safe
// for concurrent use.
type Program struct {
	ir    *ir.Program
	guess Guess
	// numbers are the numbers of folded keys. texts are their first spellings.
	numbers map[string]int
	texts   []string
	// order has each agent after those that it contains, except where agents contain each other.
	order []*ir.Agent
	// topLevel are the workflows that no other agent runs.
	topLevel map[*ir.Flow]bool
	imports  *imports
	// routesLimit are the agents that run where some row around them is for [ir.ExhaustedKey]:
	// without one, they do not finish with it.
	routesLimit map[*ir.Agent]bool
	outcomes    map[*ir.Agent]Outcomes
	// calls are the fewest calls of models of an agent's run, whatever its budget.
	calls    map[*ir.Agent]int
	machines map[*ir.Machine]*Machine
	// endlessAgents are the agents whose machines no run ends.
	endlessAgents map[*ir.Agent]bool
	// endless are the tasks of workflows that begin and never end well.
	endless map[*ir.Task]bool
	// neverBegins are the tasks that no run begins.
	neverBegins map[*ir.Task]bool
	// neverEnding are the tasks that never end well, whatever fails.
	neverEnding map[*ir.Task]bool
	// endings are how the runs of workflows end. A missing one is not known.
	endings map[*ir.Flow]Ending
	// neverFails are the workflows none of whose runs fails.
	neverFails map[*ir.Flow]bool
	// leftOut are the numbers of variables that are not followed in workflows.
	leftOut map[*ir.Flow]int
	// untaken are the branches of conditionals that no run takes, and untakenDefaults the
	// conditionals whose default branch no run takes.
	untaken         map[*ir.Arm]bool
	untakenDefaults map[*ir.Branch]bool
	// exits are how runs decide the exits of loops, and lengths how many items loops find.
	exits   map[*ir.Loop]loopExit
	lengths map[*ir.Loop]loopLength
	// unfit are the branches of forks whose outputs cannot be reduced with others.
	unfit map[*ir.Task]*ir.Arm
	// misfits are the writes of tasks whose value does not fit the declared context in some run.
	misfits map[*ir.Task]*ir.ContextWrite
	// refusals are the fields because of which imports do not take the inherited context in some run.
	refusals map[*ir.Task]*Refusal
	// missing are the names in conditions of workflows that may have no value, so that runs fail.
	missing map[*ir.Access]bool
	// missed are the keys with which no branch of a conditional is taken.
	missed map[*ir.Branch]map[string]bool
	// uses, sites and unwritten are computed on demand.
	uses      map[*ir.Agent]*Uses
	sites     map[*ir.Agent][]Site
	unwritten map[*ir.Flow][]*ir.Access
}

// Guess is what is assumed of a program with mistakes. The zero Guess assumes nothing.
type Guess struct {
	// Unknown reports whether the meaning of an agent is a guess. It then has no outcomes.
	Unknown func(*ir.Agent) bool
	// Target returns the state that a reference most likely means; nil if it may mean any.
	Target func(*ir.Machine, ir.Ref) *ir.State
}

// Analyze finds what can happen in a program.
func Analyze(program *ir.Program, guess Guess) *Program {
	p := &Program{
		ir: program, guess: guess, numbers: map[string]int{}, topLevel: map[*ir.Flow]bool{}, endlessAgents: map[*ir.Agent]bool{},
		outcomes: map[*ir.Agent]Outcomes{}, machines: map[*ir.Machine]*Machine{}, calls: map[*ir.Agent]int{},
		endless: map[*ir.Task]bool{}, missed: map[*ir.Branch]map[string]bool{}, neverEnding: map[*ir.Task]bool{},
		endings: map[*ir.Flow]Ending{}, leftOut: map[*ir.Flow]int{}, neverFails: map[*ir.Flow]bool{}, untaken: map[*ir.Arm]bool{},
		untakenDefaults: map[*ir.Branch]bool{}, exits: map[*ir.Loop]loopExit{}, lengths: map[*ir.Loop]loopLength{}, neverBegins: map[*ir.Task]bool{}, unfit: map[*ir.Task]*ir.Arm{}, misfits: map[*ir.Task]*ir.ContextWrite{}, refusals: map[*ir.Task]*Refusal{}, missing: map[*ir.Access]bool{},
	}
	for _, a := range program.TopLevelAgents() {
		if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
			p.topLevel[w] = true
		}
	}
	p.imports = findImports(program)
	p.routesLimit = findRoutedLimits(program)
	if p.guess.Target == nil {
		p.guess.Target = func(_ *ir.Machine, ref ir.Ref) *ir.State { return ref.State }
	}
	ir.WalkContained(program.Agents, func([]ir.Containment) {}, func(a *ir.Agent) {
		p.order = append(p.order, a)
		p.outcomes[a] = p.findOutcomes(a)
		p.findEndlessAgent(a)
	})

	return p
}

// Machine returns what can happen in a machine of the program, or in the machine of a gate.
func (p *Program) Machine(m *ir.Machine) *Machine { return p.machines[m] }

// Outcomes returns with which keys a can finish. A nil agent has none.
func (p *Program) Outcomes(a *ir.Agent) Outcomes {
	o := p.outcomes[a]
	o.p = p

	return o
}

// Calls returns the fewest calls of models of an agent's run within all bounds except its own
// budget; 0 if it cannot end, or is not known.
func (p *Program) Calls(a *ir.Agent) int { return p.calls[a] }

func (p *Program) findOutcomes(a *ir.Agent) Outcomes {
	if m := a.MachineOf(); m != nil {
		p.machines[m] = p.analyzeMachine(a, m)
	}
	if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
		for _, m := range slices.Backward(ir.OpsOf[*ir.Machine](w.Body.Ops())) { // the inner ones first
			p.machines[m] = p.analyzeWorkflowMachine(w, m)
		}
		if p.imports.namesState[w] {
			p.markFirstMachines(w.Body)
		}
	}
	if p.isUnknown(a) {
		return Outcomes{p: p}
	}
	var o Outcomes
	switch node := a.Node.(type) {
	case *ir.Machine:
		o = p.machines[node].outcomes
	case *ir.Flow:
		if node.IsWorkflow() {
			o = p.workflowOutcomes(node)
		} else {
			o = p.flowOutcomes(node)
		}
	default:
		o = p.conversationOutcomes(node)
	}

	p.calls[a] = o.Calls()

	return o.withinBudget(a.Budget)
}

// isUnknown reports whether what a runs, or its rows, are not known.
func (p *Program) isUnknown(a *ir.Agent) bool {
	switch node := a.Node.(type) {
	case nil:
		return true
	case *ir.Machine:
		if node == nil || node.External {
			return true
		}
	case *ir.Flow:
		if node.Partial {
			return true
		}
	}

	return p.guess.Unknown != nil && p.guess.Unknown(a)
}

// findKey returns the number of a key; -1 without one.
func (p *Program) findKey(key string) int {
	if n, known := p.numbers[ir.FoldKey(key)]; known {
		return n
	}

	return -1
}

// keyNumber returns the number of a key. It adds a missing one.
func (p *Program) keyNumber(key string) int {
	n := p.findKey(key)
	if n < 0 {
		n = len(p.texts)
		p.numbers[ir.FoldKey(key)] = n
		p.texts = append(p.texts, key)
	}

	return n
}
