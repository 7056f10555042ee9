package simulate

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Options say how far runs go.
type Options struct {
	// Roots are the agents with which runs begin.
	Roots []*ir.Agent
	// MaxSteps bounds the agents that a machine runs in one run, beside the machine's own
	// max_steps, and the rounds of a loop that goes on until something is done, beside its own
	// limit. 0: only these count, and at most [MostRounds] rounds.
	MaxSteps int
	// Progress, if it is not nil, is called with how much of the work is done.
	Progress func(done, total int)
}

// MostRounds bounds the rounds of a loop in a run.
const MostRounds = 1000

// Result is what the runs of a program take.
type Result struct {
	// Machines are those that the roots reach, in the order of the program's agents.
	Machines []*Machine
	// Steps are the steps that have cases, of the flows that the roots reach, in the same order.
	Steps []*Step
	// Endless are the roots with which no run begins that ends.
	Endless []Endless

	program *ir.Program
	roots   []*ir.Agent
	// nodes are those of the roots.
	nodes []*node
}

// Machine is what runs take of a machine, at all its places together.
type Machine struct {
	Agent *ir.Agent
	// Step is the step of the workflow that the machine is; nil for one of pattern fsm.
	Step *ir.Task
	// States and Rows are in source order. An unconditional state has one row.
	States []*State
	Rows   []*Row

	// of finds rows by the row or by the unconditional state, and states finds states.
	of     map[any]*Row
	states map[*ir.State]*State
	// machine is the one that all of it is about, nodes those of its places.
	machine *ir.Machine
	nodes   []*node
}

// Name is what the machine is called: after its agent, or in a workflow after its step, with the
// workflow before it unless both have one name.
func (m *Machine) Name() string {
	name := m.Agent.Name.Value
	if m.Step == nil || m.Step.Name.Value == name {
		return name
	}

	return name + "/" + m.Step.Name.Value
}

// State is a state of a machine. "*" of one in a workflow has nothing but its name.
type State struct {
	*ir.State
	// Reached says that some run reaches it.
	Reached bool
}

// Row is a row of a machine.
type Row struct {
	Machine *Machine
	State   *State
	// Row is the row; nil for that of an unconditional state.
	Row *ir.Row
	Coverage
}

// Target is what a script can be for: a [*Row] or a [*Case].
type Target interface{ coverage() *Coverage }

// Coverage is what runs do about a target.
type Coverage struct {
	// Taken is set if some run takes the target, and Ends if such a run ends.
	Taken, Ends bool
	// Turns are the replies and answers of the shortest run that takes the target and ends; 0 if
	// none does.
	Turns int
	// Why says why no run takes the target, or why none that does ends; the zero Why if there is
	// such a run.
	Why Why
	// Open is set if only a run shows whether one takes the target: Why says what it depends on.
	Open bool

	found found
}

func (c *Coverage) coverage() *Coverage { return c }

// newCoverage returns the coverage of what no run is known to take yet.
func newCoverage() Coverage {
	return Coverage{found: found{begun: impossible, total: impossible, steps: infinite}}
}

// settle decides what is covered, when all runs are known.
func (c *Coverage) settle() {
	c.Taken, c.Ends = c.found.begun.isCertain(), c.found.total.isCertain()
	if c.Ends {
		c.Turns = c.found.total.turns
	}
}

// found are the runs that take a target.
type found struct {
	// begun is the cost at which one takes the target, and total that of the best one to its end,
	// at where it takes the target.
	begun, total cost
	at           *site
	// steps are the fewest agents that a machine runs in a run that takes the target, and ends if
	// there is one.
	steps int
}

func (f *found) note(begun, total cost, steps int, at *site) {
	f.steps = min(f.steps, steps)
	if begun.less(f.begun) {
		f.begun = begun
	}
	if total.less(f.total) {
		f.total, f.at = total, at
	}
}

// Key returns the row's key with its place; an unconditional state has no key, but the place of its
// target.
func (r *Row) Key() ir.Text {
	if r.Row == nil {
		return ir.Text{Span: r.State.Always.Span}
	}

	return r.Row.Key
}

// To returns the state that follows; the zero Ref when the machine ends there by ~.
func (r *Row) To() ir.Ref {
	if r.Row == nil {
		return *r.State.Always
	}

	return r.Row.To
}

// newMachine returns a machine of which nothing is found yet.
func newMachine(a *ir.Agent, step *ir.Task, m *ir.Machine) *Machine {
	found := &Machine{Agent: a, Step: step, of: map[any]*Row{}, states: map[*ir.State]*State{}, machine: m}
	for _, s := range m.States {
		state := &State{State: s}
		found.states[s], found.States = state, append(found.States, state)
		if s.Always != nil {
			found.of[s] = found.add(state, nil)
		}
		for _, row := range s.Rows {
			if step == nil {
				found.of[row] = found.add(state, row)
			}
		}
	}
	if step == nil {
		return found
	}
	anyState := &State{State: &ir.State{Name: ir.Text{Value: ir.CatchAll}}}
	for _, row := range m.Rows() {
		found.of[row] = found.add(cmp.Or(found.states[row.From.State], anyState), row)
	}

	return found
}

func (m *Machine) add(s *State, row *ir.Row) *Row {
	r := &Row{Machine: m, State: s, Row: row, Coverage: newCoverage()}
	m.Rows = append(m.Rows, r)

	return r
}

// settle says of each row what runs do, and marks the states to which rows lead.
func (m *Machine) settle() {
	for _, row := range m.Rows {
		row.settle()
		if !row.Taken {
			continue
		}
		row.State.Reached = true
		if to := m.states[row.To().State]; to != nil {
			to.Reached = true
		}
	}
}

// Count returns how many of the states are reached, and how many of the rows are taken.
func (m *Machine) Count() (states, rows int) {
	reached := ir.Where(m.States, func(s *State) bool { return s.Reached })
	taken := ir.Where(m.Rows, func(row *Row) bool { return row.Taken })

	return len(reached), len(taken)
}

// Left returns the rows that no run takes, or none that ends, in the order of the machines and of
// the source.
func (r *Result) Left() []*Row {
	return r.rows(func(row *Row) bool { return !row.covered() && !row.Open })
}

// Open returns the rows of which only a run shows whether one takes them, in the same order.
func (r *Result) Open() []*Row {
	return r.rows(func(row *Row) bool { return !row.covered() && row.Open })
}

// Dead returns the branches of conditionals that are known to be taken by no run.
func (r *Result) Dead() []*Case {
	return ir.FlatMap(r.Steps, func(s *Step) []*Case {
		return ir.Where(s.Cases, func(c *Case) bool { return c.Kind == CaseBranch && c.Why == neverThat })
	})
}

// covered reports whether a run takes the row and ends. A machine that others drive need not end.
func (r *Row) covered() bool { return r.Ends || r.Taken && r.Machine.Agent.IsGoDriven() }

func (r *Result) rows(are func(*Row) bool) []*Row {
	return ir.FlatMap(r.Machines, func(m *Machine) []*Row { return ir.Where(m.Rows, are) })
}

// Endless is an agent with which no run begins that ends.
type Endless struct {
	Agent *ir.Agent
	Why   Why
}

// Program finds the runs of a program without errors.
func Program(p *ir.Program, o Options) *Result {
	progress := o.Progress
	if progress == nil {
		progress = func(int, int) {}
	}
	b := newBuilder(p, o.Roots, o.MaxSteps)
	r := &Result{program: p, roots: o.Roots}
	for _, a := range o.Roots {
		n := b.agent(a, ir.Place{Kind: ir.PlaceFree})
		n.begins(callsOf(p.Budget))
		r.nodes = append(r.nodes, n)
	}
	for i, n := range slices.Backward(b.order) {
		n.surround()
		progress(len(b.order)-i, len(b.order))
	}
	for _, m := range b.machines {
		m.settle()
		r.Machines = append(r.Machines, m)
	}
	slices.SortFunc(r.Machines, func(a, b *Machine) int {
		return cmp.Or(cmp.Compare(a.Agent.Name.Value, b.Agent.Name.Value), cmp.Compare(a.start(), b.start()))
	})
	for _, m := range r.Machines {
		for _, row := range m.Rows {
			if !row.covered() {
				row.Why, row.Open = b.why(row)
			}
		}
	}
	r.Steps = b.settleSteps()
	for i, n := range r.nodes {
		if !n.cheapest().isWithin() && !r.roots[i].IsGoDriven() {
			r.Endless = append(r.Endless, Endless{r.roots[i], b.whyEndless(r.roots[i], n)})
		}
	}

	return r
}

// start is where the machine begins in its file; 0 if it is all of its agent.
func (m *Machine) start() int {
	if m.Step == nil {
		return 0
	}

	return m.Step.Span.Start
}
