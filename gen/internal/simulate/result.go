package simulate

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Options bound the search.
type Options struct {
	// Roots are the agents with which runs begin.
	Roots []*ir.Agent
	// MaxSteps bounds the agents that a machine runs in one run, in addition to its own max_steps,
	// and the rounds of a loop that ends by a condition, in addition to its own limit. With 0 only
	// these limits apply, and at most [MostRounds] rounds.
	MaxSteps int
	// Progress, if it is not nil, receives how much of the work is done.
	Progress func(done, total int)
}

// MostRounds bounds the rounds of a loop in a run.
const MostRounds = 1000

// Result is what the runs of a program take.
type Result struct {
	// Machines are the machines that the roots reach, in the order of the program's agents.
	Machines []*Machine
	// Steps are the steps with cases in the flows that the roots reach, in the same order.
	Steps []*Step
	// Endless are the roots without a run that ends, and Doubtful those with which no run ends that
	// was tried, and one may end that depends on other values.
	Endless, Doubtful []Endless

	program *ir.Program
	roots   []*ir.Agent
	// nodes are the nodes of the roots.
	nodes []*node
}

// Machine is what runs take of a machine at all its places.
type Machine struct {
	Agent *ir.Agent
	// Step is the step of a workflow with the machine; nil for one of pattern fsm.
	Step *ir.Task
	// States and Rows are in source order. An unconditional state has one row.
	States []*State
	Rows   []*Row

	// rowOf finds a row by its ir.Row or unconditional ir.State, and stateOf finds a state.
	rowOf   map[any]*Row
	stateOf map[*ir.State]*State
	// machine is the analyzed machine, and nodes are its nodes at all places.
	machine *ir.Machine
	nodes   []*node
}

// Name is the name of the machine: its agent or, in a workflow, its step. The workflow is a prefix
// unless both have one name.
func (m *Machine) Name() string {
	name := m.Agent.Name.Value
	if m.Step == nil || m.Step.Name.Value == name {
		return name
	}

	return name + "/" + m.Step.Name.Value
}

// State is a state of a machine. "*" in a workflow has only a name.
type State struct {
	*ir.State
	// Reached is set if some run reaches it.
	Reached bool
}

// Row is a row of a machine.
type Row struct {
	Machine *Machine
	State   *State
	// Row is the row; nil for the row of an unconditional state.
	Row *ir.Row
	Coverage
}

// Target is the target of a script: a [*Row] or a [*Case].
type Target interface{ coverage() *Coverage }

// Coverage describes the runs that take a target.
type Coverage struct {
	// Taken is set if some run takes the target, and Ends if such a run ends.
	Taken, Ends bool
	// Turns are the replies and answers of the shortest run that takes the target and ends; 0
	// without one.
	Turns int
	// Why is the reason why no run takes the target, or why none that does ends; the zero Why if
	// there is such a run.
	Why Why
	// Open is set if only a run shows whether one takes the target. Why then describes what
	// decides.
	Open bool

	bestRuns bestRuns
}

func (c *Coverage) coverage() *Coverage { return c }

// newCoverage returns the coverage of a target without a known run.
func newCoverage() Coverage {
	return Coverage{bestRuns: bestRuns{reachCost: impossible, runCost: impossible, steps: infinite}}
}

// decide decides what is covered, after all runs are known.
func (c *Coverage) decide() {
	c.Taken, c.Ends = c.bestRuns.reachCost.isCertain(), c.bestRuns.runCost.isCertain()
	if c.Ends {
		c.Turns = c.bestRuns.runCost.turns
	}
}

// bestRuns are the best runs that take a target.
type bestRuns struct {
	// reachCost is the lowest cost to take the target, and runCost the cost of the best whole run.
	// at is where that run takes the target.
	reachCost, runCost cost
	at                 *site
	// steps are the fewest agents that a machine runs in a run that takes the target, and that ends
	// if one does.
	steps int
}

func (f *bestRuns) update(begun, total cost, steps int, at *site) {
	f.steps = min(f.steps, steps)
	if begun.isLess(f.reachCost) {
		f.reachCost = begun
	}
	if total.isLess(f.runCost) {
		f.runCost, f.at = total, at
	}
}

// Key returns the row's key with its position. An unconditional state has no key, but the position
// of its target.
func (r *Row) Key() ir.Text {
	if r.Row == nil {
		return ir.Text{Span: r.State.Always.Span}
	}

	return r.Row.Key
}

// To returns the next state; the zero Ref if the machine ends by ~.
func (r *Row) To() ir.Ref {
	if r.Row == nil {
		return *r.State.Always
	}

	return r.Row.To
}

// newMachine returns a machine without results.
func newMachine(a *ir.Agent, step *ir.Task, m *ir.Machine) *Machine {
	found := &Machine{Agent: a, Step: step, rowOf: map[any]*Row{}, stateOf: map[*ir.State]*State{}, machine: m}
	for _, s := range m.States {
		state := &State{State: s}
		found.stateOf[s], found.States = state, append(found.States, state)
		if s.Always != nil {
			found.rowOf[s] = found.addRow(state, nil)
		}
		for _, row := range s.Rows {
			if step == nil {
				found.rowOf[row] = found.addRow(state, row)
			}
		}
	}
	if step == nil {
		return found
	}
	anyState := &State{State: &ir.State{Name: ir.Text{Value: ir.CatchAll}}}
	for _, row := range m.Rows() {
		found.rowOf[row] = found.addRow(cmp.Or(found.stateOf[row.From.State], anyState), row)
	}

	return found
}

func (m *Machine) addRow(s *State, row *ir.Row) *Row {
	r := &Row{Machine: m, State: s, Row: row, Coverage: newCoverage()}
	m.Rows = append(m.Rows, r)

	return r
}

// decideCoverage decides the coverage of each row, and marks the states to which rows lead.
func (m *Machine) decideCoverage() {
	for _, row := range m.Rows {
		row.decide()
		if !row.Taken {
			continue
		}
		row.State.Reached = true
		if to := m.stateOf[row.To().State]; to != nil {
			to.Reached = true
		}
	}
}

// CountCovered returns how many states are reached, and how many rows are taken.
func (m *Machine) CountCovered() (states, rows int) {
	reached := ir.Where(m.States, func(s *State) bool { return s.Reached })
	taken := ir.Where(m.Rows, func(row *Row) bool { return row.Taken })

	return len(reached), len(taken)
}

// UncoveredRows returns the rows that no run takes, or none that ends, in the order of the machines
// and of the source.
func (r *Result) UncoveredRows() []*Row {
	return r.rowsWhere(func(row *Row) bool { return !row.isCovered() && !row.Open })
}

// OpenRows returns the rows for which only a run shows whether one takes them, in the same order.
func (r *Result) OpenRows() []*Row {
	return r.rowsWhere(func(row *Row) bool { return !row.isCovered() && row.Open })
}

// DeadBranches returns the branches of conditionals that no run can take.
func (r *Result) DeadBranches() []*Case {
	return ir.FlatMap(r.Steps, func(s *Step) []*Case {
		return ir.Where(s.Cases, func(c *Case) bool { return c.Kind == CaseBranch && c.Why == keyNeverMatches })
	})
}

// isCovered reports whether a run takes the row and ends. A machine that other code drives need not
// end.
func (r *Row) isCovered() bool { return r.Ends || r.Taken && r.Machine.Agent.IsGoDriven() }

func (r *Result) rowsWhere(are func(*Row) bool) []*Row {
	return ir.FlatMap(r.Machines, func(m *Machine) []*Row { return ir.Where(m.Rows, are) })
}

// Endless is an agent without a run that ends.
type Endless struct {
	Agent *ir.Agent
	Why   Why
}

// FindRuns finds the runs of a program without errors.
func FindRuns(p *ir.Program, o Options) *Result {
	progress := o.Progress
	if progress == nil {
		progress = func(int, int) {}
	}
	b := newBuilder(p, o.Roots, o.MaxSteps)
	r := &Result{program: p, roots: o.Roots}
	for _, a := range o.Roots {
		n := b.agentNode(a, ir.Place{Kind: ir.PlaceFree})
		n.startRuns(callLimit(p.Budget))
		r.nodes = append(r.nodes, n)
	}
	for i, n := range slices.Backward(b.completed) {
		n.measureAround()
		progress(len(b.completed)-i, len(b.completed))
	}
	for _, m := range b.machines {
		m.decideCoverage()
		r.Machines = append(r.Machines, m)
	}
	slices.SortFunc(r.Machines, func(a, b *Machine) int {
		return cmp.Or(cmp.Compare(a.Agent.Name.Value, b.Agent.Name.Value), cmp.Compare(a.startOffset(), b.startOffset()))
	})
	for _, m := range r.Machines {
		for _, row := range m.Rows {
			if !row.isCovered() {
				row.Why, row.Open = b.explainRow(row)
			}
		}
	}
	r.Steps = b.decideSteps()
	for i, n := range r.nodes {
		a := r.roots[i]
		if a.IsGoDriven() || n.lowestCost().isWithinBounds() {
			continue
		}
		untried, why := b.untriedInside(a), b.explainEndless(a, n)
		switch {
		case b.isKnownEndless(a):
			r.Endless = append(r.Endless, Endless{a, why})
		case untried != "":
			r.Doubtful = append(r.Doubtful, Endless{a, Why{NoEnd, "it depends on " + untried}})
		case r.hasUntried(a): // the rows and cases say so
		case b.hasTooManyNodes || n.cut == tooMany:
			r.Doubtful = append(r.Doubtful, Endless{a, why})
		default:
			r.Endless = append(r.Endless, Endless{a, why})
		}
	}

	return r
}

// isKnownEndless reports whether the static analysis, which tries all values, finds no run of a
// workflow that ends without an avoidable failure.
func (b *builder) isKnownEndless(a *ir.Agent) bool {
	ending := b.facts.EndingOf(a)

	return ending == flow.NeverEnds || ending == flow.EndsByFailure
}

// hasUntried reports whether a run that begins with an agent may take a row, or a step in some way,
// with values that were not tried. It may end then. What follows a target that a tried run may take
// has been tried.
func (r *Result) hasUntried(a *ir.Agent) bool {
	inside := ir.SetOf(append(ir.ReachableFrom(a), a))
	hasUntriedRow := slices.ContainsFunc(r.Machines, func(m *Machine) bool {
		return inside[m.Agent] && slices.ContainsFunc(m.Rows, func(row *Row) bool { return row.isUntried() })
	})

	return hasUntriedRow || slices.ContainsFunc(r.Steps, func(s *Step) bool {
		return inside[s.Agent] && slices.ContainsFunc(s.Cases, func(c *Case) bool { return c.isUntried() })
	})
}

// untriedInside returns on which values that were not tried the end of a run that begins with an
// agent may depend; "" if it depends on none.
func (b *builder) untriedInside(a *ir.Agent) string {
	for _, inner := range append([]*ir.Agent{a}, ir.ReachableFrom(a)...) {
		if untried := b.describeUntried(inner); untried != "" {
			return untried
		}
	}

	return ""
}

// isUntried reports whether only values that were not tried may bring a run to the target.
func (c *Coverage) isUntried() bool { return c.Open && !c.bestRuns.reachCost.isWithinBounds() }

// startOffset returns the offset of the machine in its file; 0 if it is its whole agent.
func (m *Machine) startOffset() int {
	if m.Step == nil {
		return 0
	}

	return m.Step.Span.Start
}
