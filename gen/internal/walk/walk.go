package walk

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Options say how far walks go.
type Options struct {
	// Roots are the agents with which walks begin.
	Roots []*ir.Agent
	// MaxSteps bounds the agents that a machine runs in one walk, beside the machine's own max_steps, and the rounds
	// of a loop that goes on until something is done, beside its own limit. 0: only these count, and at most
	// [MostRounds] rounds.
	MaxSteps int
	// Progress, if it is not nil, is told how much of the work is done.
	Progress func(done, total int)
}

// MostRounds bounds the rounds of a loop in a walk.
const MostRounds = 1000

func (o Options) limits() limits {
	rounds := MostRounds
	if o.MaxSteps > 0 {
		rounds = min(rounds, o.MaxSteps)
	}

	return limits{steps: o.MaxSteps, rounds: rounds}
}

// Result is what the walks of a program took.
type Result struct {
	// Machines are those that the roots reach, in the order of the program's agents.
	Machines []*Machine
	// Endless are the roots with which no walk begins that comes to its end.
	Endless []Endless

	program *ir.Program
	roots   []*ir.Agent
	// nodes are those of the roots.
	nodes []*node
	// endings are those of the conversations inside of flows.
	endings []Ending
	// gaveUp says that there are too many places.
	gaveUp bool
}

// Machine is what walks took of a machine, at all its places together.
type Machine struct {
	Agent *ir.Agent
	// Step is the step of the workflow that the machine is; nil for one of pattern fsm.
	Step *ir.Task
	// States and Rows are in source order. An unconditional state has one row.
	States []*State
	Rows   []*Row

	nodes []*node
}

// Name is what the machine is called: after its agent, or in a workflow after its step, with the workflow before it unless both
// have one name.
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
	// Reached says that some walk comes to it.
	Reached bool

	index int
}

// Row is a row of a machine.
type Row struct {
	Machine *Machine
	State   *State
	// Row is the row; nil for that of an unconditional state.
	Row *ir.Row
	// Taken says that some walk takes the row, and Ends that one that does comes to its end.
	Taken, Ends bool
	// Turns are the replies and answers of the shortest walk that takes the row and comes to its end; 0 if none does.
	Turns int
	// Why says why no walk takes the row, or why none that does comes to its end; the zero Why if there is such a
	// walk.
	Why Why
	// Open says that nobody knows before a run whether one takes the row: Why says what it depends on.
	Open bool

	index int
	walk  *pass
}

// Key returns the row's key as written; "" for the row of an unconditional state.
func (r *Row) Key() string {
	if r.Row == nil {
		return ""
	}

	return r.Row.Key.Value
}

// To returns the target as written; "" when the machine ends there by ~.
func (r *Row) To() string { return r.target().Value }

// target returns the state that follows; the zero Ref when the machine ends there by ~.
func (r *Row) target() ir.Ref {
	if r.Row == nil {
		return *r.State.Always
	}

	return r.Row.To
}

// Span returns the place of the row's key, or of the target of an unconditional state.
func (r *Row) Span() source.Span {
	if r.Row == nil {
		return r.State.Always.Span
	}

	return r.Row.Key.Span
}

func newMachine(a *ir.Agent, m *ir.Machine) *Machine {
	found := &Machine{Agent: a}
	for i, s := range m.States {
		state := &State{State: s, index: i}
		found.States = append(found.States, state)
		add := func(row *ir.Row) {
			found.Rows = append(found.Rows, &Row{Machine: found, State: state, Row: row, index: len(found.Rows)})
		}
		if s.Always != nil {
			add(nil)
		}
		for _, row := range s.Rows {
			add(row)
		}
	}

	return found
}

// reached notes that a walk comes to a state and can make all its moves.
func (m *Machine) reached(state int, moves []move) {
	m.States[state].Reached = true
	for _, mv := range moves {
		if mv.row >= 0 {
			m.Rows[mv.row].Taken = true
		}
	}
}

// ended notes a walk that makes a move and comes to its end.
func (m *Machine) ended(mv move, turns int, p pass) {
	if mv.row < 0 {
		return
	}
	if row := m.Rows[mv.row]; !row.Ends || turns < row.Turns {
		row.Ends, row.Turns, row.walk = true, turns, &p
	}
}

// reachMarkers notes the markers to which rows lead that were taken.
func (m *Machine) reachMarkers() {
	states := make(map[*ir.State]*State, len(m.States))
	for _, s := range m.States {
		states[s.State] = s
	}
	for _, row := range m.Rows {
		if s := states[row.target().State]; s != nil && row.Taken {
			s.Reached = true
		}
	}
}

// Count returns how many of the states are reached, and how many of the rows are taken.
func (m *Machine) Count() (states, rows int) {
	for _, s := range m.States {
		if s.Reached {
			states++
		}
	}
	for _, row := range m.Rows {
		if row.Taken {
			rows++
		}
	}

	return states, rows
}

// Left returns the rows that no walk takes, or none that comes to its end, in the order of the machines and of the
// source.
func (r *Result) Left() []*Row {
	return r.rows(func(row *Row) bool { return !row.covered() && !row.Open })
}

// Open returns the rows of which nobody knows before a run whether one takes them, in the same order.
func (r *Result) Open() []*Row {
	return r.rows(func(row *Row) bool { return !row.covered() && row.Open })
}

// covered reports whether a walk takes the row and ends. A machine that others drive need not end.
func (row *Row) covered() bool { return row.Ends || row.Taken && driven(row.Machine.Agent) }

func (r *Result) rows(are func(*Row) bool) []*Row {
	var rows []*Row
	for _, m := range r.Machines {
		for _, row := range m.Rows {
			if are(row) {
				rows = append(rows, row)
			}
		}
	}

	return rows
}

// Endless is an agent with which no walk begins that comes to its end.
type Endless struct {
	Agent *ir.Agent
	Why   Why
}

// Program walks a program without errors.
func Program(p *ir.Program, o Options) *Result {
	progress := o.Progress
	if progress == nil {
		progress = func(int, int) {}
	}
	r := walkWithin(p, o.Roots, o.limits(), progress)
	left := r.Left()
	if len(left) == 0 && !slices.ContainsFunc(r.nodes, (*node).endless) {
		return r
	}
	free := o.limits()
	free.unbounded, free.guesses = !r.gaveUp, true
	e := newExplainer(o.limits(), walkWithin(p, o.Roots, free, progress))
	g := newGuesser(p, o, r, progress)
	for _, row := range left {
		if row.Machine.Step == nil && !g.opens(row) {
			row.Why = e.why(row)
		}
	}
	for i, n := range r.nodes {
		if n.endless() && !driven(r.roots[i]) && !g.ends(i) {
			r.Endless = append(r.Endless, Endless{r.roots[i], e.whyEndless(i, n)})
		}
	}

	return r
}

// walkWithin walks within limits.
func walkWithin(p *ir.Program, roots []*ir.Agent, l limits, progress func(done, total int)) *Result {
	b := newBuilder(p, l, nil)
	for _, a := range p.Tops() {
		b.alone[a] = slices.Contains(roots, a)
	}
	r := &Result{program: p, roots: roots}
	for _, a := range roots {
		r.nodes = append(r.nodes, b.agent(a, ir.Place{Kind: ir.PlaceFree}))
	}
	r.gaveUp = b.gaveUp
	b.surround(r.nodes, progress)
	r.endings = endingsIn(b.order)
	for _, m := range b.machines {
		m.reachMarkers()
		r.Machines = append(r.Machines, m)
	}
	r.Machines = append(r.Machines, b.workMachines()...)
	slices.SortStableFunc(r.Machines, func(a, b *Machine) int { return cmp.Compare(a.Agent.Name.Value, b.Agent.Name.Value) })

	return r
}
