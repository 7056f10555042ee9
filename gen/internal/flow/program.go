package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Program is what can happen in a program. Keys are compared trimmed and lower-cased. It is not
// safe for concurrent use.
type Program struct {
	ir    *ir.Program
	guess Guess
	// numbers are those of the folded keys; texts are how each was written first.
	numbers map[string]int
	texts   []string
	// order has each agent behind those that it contains, but for what closes a circle.
	order []*ir.Agent
	// tops are the workflows that no other agent runs.
	tops    map[*ir.Flow]bool
	imports *imports
	// routesLimit is set if some row is for [ir.ExhaustedKey]: without one, no agent finishes with it.
	routesLimit bool
	outcomes    map[*ir.Agent]Outcomes
	// calls are the fewest calls of models that a run of an agent makes, whatever its budget.
	calls    map[*ir.Agent]int
	machines map[*ir.Machine]*Machine
	// endlessAgents are the agents whose machines no run ends.
	endlessAgents map[*ir.Agent]bool
	// endless are the tasks of workflows that begin and never end well.
	endless map[*ir.Task]bool
	// doomed are those that never end well, whatever fails.
	doomed map[*ir.Task]bool
	// endings say how the runs of workflows end; one that is not there is not known.
	endings map[*ir.Flow]Ending
	// without are the numbers of variables that are left out where the values of a workflow are followed.
	without map[*ir.Flow]int
	// untaken are the branches of conditionals that no run takes.
	untaken map[*ir.Arm]bool
	// unfit are the branches of forks whose outputs cannot be reduced with others.
	unfit map[*ir.Task]*ir.Arm
	// missing are the names in conditions of workflows that may have no value, so that runs fail.
	missing map[*ir.Access]bool
	// missed are the keys with which no branch of a conditional is taken.
	missed map[*ir.Branch]map[string]bool
	// uses and sites are computed when they are first asked for.
	uses  map[*ir.Agent]*Uses
	sites map[*ir.Agent][]Site
}

// Guess says what is assumed of a program that may be faulty. The zero Guess takes it as it is.
type Guess struct {
	// Unknown reports that it is a guess what an agent is: it has no outcomes then.
	Unknown func(*ir.Agent) bool
	// Target returns the state that a reference most likely means; nil if it may mean any.
	Target func(*ir.Machine, ir.Ref) *ir.State
}

// Of returns what can happen in a program.
func Of(program *ir.Program, guess Guess) *Program {
	p := &Program{
		ir: program, guess: guess, numbers: map[string]int{}, tops: map[*ir.Flow]bool{}, endlessAgents: map[*ir.Agent]bool{},
		outcomes: map[*ir.Agent]Outcomes{}, machines: map[*ir.Machine]*Machine{}, calls: map[*ir.Agent]int{},
		endless: map[*ir.Task]bool{}, missed: map[*ir.Branch]map[string]bool{}, doomed: map[*ir.Task]bool{},
		endings: map[*ir.Flow]Ending{}, without: map[*ir.Flow]int{}, untaken: map[*ir.Arm]bool{}, unfit: map[*ir.Task]*ir.Arm{}, missing: map[*ir.Access]bool{},
	}
	for _, a := range program.TopLevelAgents() {
		if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
			p.tops[w] = true
		}
	}
	p.imports = findImports(program)
	p.routesLimit = slices.ContainsFunc(program.Agents, func(a *ir.Agent) bool {
		m := a.MachineOf()
		return m != nil && slices.ContainsFunc(m.Rows(), isExhausted)
	})
	if p.guess.Target == nil {
		p.guess.Target = func(_ *ir.Machine, ref ir.Ref) *ir.State { return ref.State }
	}
	ir.WalkContained(program.Agents, func([]ir.Containment) {}, func(a *ir.Agent) {
		p.order = append(p.order, a)
		p.outcomes[a] = p.outcomesOf(a)
		p.findEndlessAgent(a)
	})

	return p
}

// Machine returns what can happen in a machine of the program; that of a gate included.
func (p *Program) Machine(m *ir.Machine) *Machine { return p.machines[m] }

// Outcomes returns with which keys a can finish; nil has none.
func (p *Program) Outcomes(a *ir.Agent) Outcomes {
	o := p.outcomes[a]
	o.p = p

	return o
}

// Calls returns the fewest calls of models that a run of a makes within all bounds but its own
// budget; 0 where it cannot end, and where that is not known.
func (p *Program) Calls(a *ir.Agent) int { return p.calls[a] }

func (p *Program) outcomesOf(a *ir.Agent) Outcomes {
	if m := a.MachineOf(); m != nil {
		p.machines[m] = p.machine(a, m)
	}
	if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
		for _, m := range slices.Backward(ir.OpsOf[*ir.Machine](w.Body.Ops())) { // those inside of others before these
			p.machines[m] = p.workMachine(m)
		}
	}
	if p.unknown(a) {
		return Outcomes{p: p}
	}
	var o Outcomes
	switch node := a.Node.(type) {
	case *ir.Machine:
		o = p.machines[node].outcomes
	case *ir.Flow:
		if node.IsWorkflow() {
			o = p.ofWorkflow(node)
		} else {
			o = p.ofFlow(node)
		}
	default:
		o = p.ofConversation(node)
	}

	p.calls[a] = o.Calls()

	return o.within(a.Budget)
}

// unknown reports whether what a runs, or which rows it has, is not known.
func (p *Program) unknown(a *ir.Agent) bool {
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

// numberOf returns the number of a key; -1 for one that has none.
func (p *Program) numberOf(key string) int {
	if n, known := p.numbers[ir.FoldKey(key)]; known {
		return n
	}

	return -1
}

// number returns the number of a key, which has one from now on.
func (p *Program) number(key string) int {
	n := p.numberOf(key)
	if n < 0 {
		n = len(p.texts)
		p.numbers[ir.FoldKey(key)] = n
		p.texts = append(p.texts, key)
	}

	return n
}
