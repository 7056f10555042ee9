package interp

import "github.com/agentc-dev/agentc/gen/internal/ir"

// Ends are the states in which an operation ends. Each may have no runs.
type Ends[S any] struct {
	// Done are the runs that ended well.
	Done S
	// Failed are the runs that failed.
	Failed S
	// Paused are the runs that a person has answered. They are only read where a machine has rows
	// on pause: a run goes on behind its question, and so is among the others too.
	Paused S
	// Returned are the runs that a return ended.
	Returned S
	// Noted is what the domain records about runs, however they end. It is joined, and no operation
	// begins with it.
	Noted S
}

// Domain defines states, and the effect of a single step on them. It contains no control flow. The
// [Interp] calls each method where the operations of the program require it.
type Domain[S any] interface {
	Lattice[S]

	// Give computes the input of a task.
	Give(t *ir.Task, in S) S
	// Do runs a task without a body: a conversation, an agent, a function, a builtin step, a
	// question, or an import that the domain does not enter. The state is the result of Give.
	Do(t *ir.Task, given S) Ends[S]
	// Keep puts the output of a task that ended well where the task says. What does not fit fails.
	// The runs behind a question are paused there, with the answer.
	Keep(t *ir.Task, in S) Ends[S]
	// Undo returns the state after a failed attempt of a task, or after its failed fallback, without
	// what the attempt or the fallback has written. given is the state before the first attempt.
	Undo(t *ir.Task, given, failed S) S
	// Retry returns the state of a retry or a fallback, after a task was given one state and failed
	// in another.
	Retry(t *ir.Task, given, failed S) S

	// Enter splits the state before a block into the entries that run separately.
	Enter(b Block, in S) []Entry[S]
	// Leave returns the ends of a block for one of its entries, after the state before it.
	Leave(b Block, in S, e Entry[S], inner Ends[S]) Ends[S]

	// Decide calls the function that decides a conditional or a loop, if it has one. For a loop, in
	// is the state after its body.
	Decide(t *ir.Task, in S) Ends[S]
	// Choose returns the runs that take each case.
	Choose(c Choice, in S) Chosen[S]
	// Item returns the state with the next item of a loop over a list. The first turn is 1. The
	// lists of the runs in skipped are empty or at their end.
	Item(loop *ir.Loop, turn int, in S) (next, skipped S)
	// Tolerate returns the state after a failed turn that does not fail the loop, given the state
	// before it. What the turn wrote is undone.
	Tolerate(loop *ir.Loop, before, failed S) S
	// Collect returns the state after a loop over a list.
	Collect(loop *ir.Loop, in S) Ends[S]
	// Advance decides how a repetition continues.
	Advance(p Progress[S]) Step[S]

	// Fork splits the state before parallel branches into states that run separately.
	Fork(t *ir.Task, in S) []S
	// Share returns what each branch can see of the other branches. It is start if branches do not
	// see each other.
	Share(t *ir.Task, start S, arms []Ends[S]) S
	// Merge combines the ends of all branches.
	Merge(t *ir.Task, start S, arms []Ends[S]) Ends[S]

	Machines[S]
}

// Lattice compares and joins states.
type Lattice[S any] interface {
	// None returns the state without runs, and IsNone reports whether s has no runs.
	None() S
	IsNone(s S) bool
	// Union returns the state of the runs of two states that have some. [Join] takes any states.
	Union(a, b S) S
	// Fresh returns the runs of s that are not in seen, and all runs of both. It may change seen
	// and return it as all. The caller does not use seen again.
	Fresh(seen, s S) (fresh, all S)
}

// Join returns the state of the runs of both.
func Join[S any](of Lattice[S], a, b S) S {
	switch {
	case of.IsNone(a):
		return b
	case of.IsNone(b):
		return a
	}

	return of.Union(a, b)
}

// JoinEnds returns the ends of the runs of both.
func JoinEnds[S any](of Lattice[S], a, b Ends[S]) Ends[S] {
	return Ends[S]{
		Done:     Join(of, a.Done, b.Done),
		Failed:   Join(of, a.Failed, b.Failed),
		Paused:   Join(of, a.Paused, b.Paused),
		Returned: Join(of, a.Returned, b.Returned),
		Noted:    Join(of, a.Noted, b.Noted),
	}
}

// Machines is the part of a domain that machines need.
type Machines[S any] interface {
	// Begin returns the state at the beginning of a machine.
	Begin(t *ir.Task, m *ir.Machine, in S) S
	// Event returns the state in which the rows of an event are tried.
	Event(at StateVisit[S], event string, in S) S
	// Take returns the state after a move. It may record the move.
	Take(at StateVisit[S], move Move, in S) S
	// Stop returns the state in which a machine ends: in an end, with a row that ends it, or, where
	// isRowless is true, without a row: in a state without rows whose steps name no next state, or in
	// one of a gate that permits to finish in every state.
	Stop(at StateVisit[S], isRowless bool, in S) S
	// Stall is called if neither a row nor a next_state leads on from a state. A gate refuses such an
	// action.
	Stall(at StateVisit[S], in S)
	// Finish returns the ends of a machine after all of its visits.
	Finish(t *ir.Task, m *ir.Machine, ends Ends[S]) Ends[S]
}

// Settler is a [Domain] that changes the ends of a whole task.
type Settler[S any] interface {
	// Settle returns the ends of a task after all of its attempts, and before its fallback. in is
	// the state before [Domain.Give].
	Settle(t *ir.Task, in S, ends Ends[S]) Ends[S]
}

// Timekeeper is a [Domain] that knows the runs in which the time of a task is over. In any other
// domain it may be over in each of them, at any time.
type Timekeeper[S any] interface {
	// Expire returns the runs in which the time of a task is over, without what they have written
	// there, and the ends of the others.
	Expire(t *ir.Task, given S, ends Ends[S]) (late S, others Ends[S])
	// WaitBetween returns the failed runs after the wait before the next attempt of a task, if there
	// is one, and those in which the time of a task is over before.
	WaitBetween(t *ir.Task, failed S) (waited, late S)
}

// Starter is a [Domain] in which the state before a machine selects its initial state.
type Starter[S any] interface {
	// Starts returns the initial states of a machine, after [Machines.Begin], and the runs that
	// fail there.
	Starts(t *ir.Task, m *ir.Machine, in S) (starts []Start[S], failed S)
}

// Start is an initial state of a machine, with its runs.
type Start[S any] struct {
	State *ir.State
	In    S
}

// Extrapolator is a [Domain] that can compute how a machine ends without a visit of each step.
type Extrapolator[S any] interface {
	// Settled returns the state in which all states of a machine can be looked at from now on,
	// whatever happened before; ok is false where they have to be looked at step by step. Without
	// such a state each is looked at with all runs that enter it.
	Settled(m *ir.Machine) (all S, ok bool)
	// Extrapolate returns how a machine ends that continues in a graph.
	Extrapolate(g Graph[S]) Ends[S]
}

// Graph is what happens in a machine from some step on, where each state is always looked at as in
// the state All of the domain, or, if that is none, with all runs that enter it.
type Graph[S any] struct {
	All   S
	Nodes []Node[S]
	// StepsLeft is the maximal number of steps.
	StepsLeft int
}

// Node is a state of a machine.
type Node[S any] struct {
	State *ir.State
	// IsEnd is true for a state in which nothing runs.
	IsEnd bool
	// Begins are the runs in the state in the first step.
	Begins S
	// Ends are the runs that end here, and Moves those that go on.
	Ends  Ends[S]
	Moves []Edge[S]
}

// Edge leads to a node of a graph, with the runs that take it.
type Edge[S any] struct {
	To    int
	Taken S
}

// Block is a body that runs inside of another operation.
type Block struct {
	Kind BlockKind
	// Task is the task whose operation has the body.
	Task *ir.Task
	Body *ir.Pipeline
	// Arm is the branch, for the kinds Arm and Branch. It is nil for the default of a conditional.
	Arm *ir.Arm
	// Index is the number of the branch, from 0.
	Index int
	// Turn is the number of the turn, from 1, for the kinds Turn and Item. It is 0 for a body without
	// steps before the first turn of a loop that tests its exit first. For the kind State it is the
	// step of the machine.
	Turn int
	// Machine and State have the body, for the kind State.
	Machine *ir.Machine
	State   *ir.State
}

// BlockKind is the kind of a block.
type BlockKind uint8

// The kinds of blocks.
const (
	// Arm is a body of a conditional, of which one runs.
	Arm BlockKind = iota + 1
	// Branch is a body that runs in parallel to others.
	Branch
	// Turn is the body of a loop, once.
	Turn
	// Item is the body of a loop over a list, for one item.
	Item
	// State is the body of a state of a machine.
	State
	// Import is the body of an imported flow.
	Import
)

// Entry is a state in which a block begins.
type Entry[S any] struct {
	// Start is the state without what does not affect the block.
	Start S
	// Key is equal for entries with the same summary. It is comparable. A nil key means that there
	// is no summary.
	Key any
	// Before is what the domain needs when the block is left.
	Before any
}

// Choice is a point at which one of several cases is taken: the first whose condition holds.
type Choice struct {
	// Task is the deciding conditional or loop, or the machine of rows.
	Task *ir.Task
	// Branch, Loop or Machine decides; the others are nil.
	Branch  *ir.Branch
	Loop    *ir.Loop
	Machine *ir.Machine
	// State, Event and Rows belong to the rows of a machine. Each row is a case.
	State *ir.State
	Event string
	Rows  []*ir.Row
	// Conditions are the conditions of the cases, in the order in which they are tried. They are
	// nil if something else decides, such as a function, or the input of the step.
	Conditions []ir.Expression
	// Cases is the number of cases.
	Cases int
}

// Chosen are the runs that take each case.
type Chosen[S any] struct {
	// Cases are the runs of each case, and Other are those that take none.
	Cases []S
	Other S
	// Blocked are the runs that fail because a condition is unknown, or a value is missing.
	Blocked S
}

// Progress is the progress of a repetition.
type Progress[S any] struct {
	// Loop is the repeated loop; nil for the attempts of a task.
	Loop *ir.Loop
	// Round is the number of the last round, from 1. Skipped rounds count.
	Round int
	// Seen are the runs that have begun a round.
	Seen S
	// Before and After are the runs before and after the last round. Left is the maximal number of
	// rounds after it, [Endless] without a bound.
	Before, After S
	Left          int
}

// Endless is an unbounded number of rounds.
const Endless = 1 << 30

// EqualRounds returns how many rounds follow until the last one, or until one whose number is
// tested. isEndless is set if there is neither.
func (p Progress[S]) EqualRounds(tested []int) (rounds int, isEndless bool) {
	to := p.Round + p.Left
	for _, number := range tested {
		if number > p.Round {
			to = min(to, number)
		}
	}

	return to - p.Round - 1, to >= Endless
}

// Step is how a repetition continues.
type Step[S any] struct {
	// Next are the runs of the next round. They are None if it would add nothing.
	Next S
	// Seen are the runs that have begun a round by then.
	Seen S
	// Skipped is the number of rounds before Next that are not visited.
	Skipped int
	// GoesOn is set if Next are all runs of After, because none of them is at the bound. Without
	// it, each of them may remain when the bound is reached.
	GoesOn bool
}

// StateVisit is a visit of a state of a machine.
type StateVisit[S any] struct {
	Task    *ir.Task
	Machine *ir.Machine
	State   *ir.State
	// Entry is one of the entries of the state's body.
	Entry Entry[S]
}

// Move is a transition from one state of a machine to another.
type Move struct {
	// Row is nil for next_state and for the move of an unconditional state.
	Row *ir.Row
	// Next is the value of next_state, or the target of an unconditional state, as the source names
	// it; nil for a row, and for a name that only the run decides.
	Next *ir.Ref
	// To is the target.
	To *ir.State
}
