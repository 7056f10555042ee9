package interp

import "github.com/agentc-dev/agentc/gen/internal/ir"

// Ends are the states in which an operation ends, by how it ends. Each may be none.
type Ends[S any] struct {
	// Done are the runs that ended well.
	Done S
	// Failed are the runs that failed.
	Failed S
	// Paused are the runs that a person has answered. They are only read where a machine has rows on
	// pause: a run goes on behind its question, and so is among the others too.
	Paused S
	// Returned are the runs that a return ended.
	Returned S
	// Noted is what the domain has noted on the way, of runs however they end. It is joined, and no
	// operation begins with it.
	Noted S
}

// Domain says what states are and what a single step does to them. It contains no control flow: each
// method is called by the [Interp] where the operations of the program say so.
type Domain[S any] interface {
	Lattice[S]

	// Give computes the input of a task.
	Give(t *ir.Task, in S) S
	// Do does what a task does that has no body of its own: a conversation, an agent, a function, a
	// builtin step, a question, an import that the domain does not look into. The state is that of
	// Give.
	Do(t *ir.Task, given S) Ends[S]
	// Keep puts the output of a task that ended well where the task says. What does not fit fails.
	// The runs behind a question are paused there, with the answer.
	Keep(t *ir.Task, in S) Ends[S]
	// Retry returns the state in which a task is tried again, or its fallback is, that was given
	// one state and failed in another.
	Retry(t *ir.Task, given, failed S) S

	// Enter splits the state before a block into the entries that are looked at one by one.
	Enter(b Block, in S) []Entry[S]
	// Leave returns the ends of a block behind what was before it, from one of its entries.
	Leave(b Block, in S, e Entry[S], inner Ends[S]) Ends[S]

	// Decide does what the function does by which a conditional or a loop decides, if it has one. That
	// of a loop looks at the state behind its body.
	Decide(t *ir.Task, in S) Ends[S]
	// Choose returns which runs take which case.
	Choose(c Choice, in S) Chosen[S]
	// Item returns the state in which a loop over a list has its next item, for the turn of a number,
	// from 1. None of the runs in skipped has one: their list is empty or at its end.
	Item(loop *ir.Loop, turn int, in S) (next, skipped S)
	// Tolerate returns the state behind a turn that failed, where that does not fail the loop.
	Tolerate(loop *ir.Loop, failed S) S
	// Collect returns the state behind a loop over a list.
	Collect(loop *ir.Loop, in S) Ends[S]
	// Advance decides how a repetition goes on.
	Advance(p Progress[S]) Step[S]

	// Fork splits the state before branches side by side into those that are looked at one by one.
	Fork(t *ir.Task, in S) []S
	// Share returns what each branch can find of what the others did meanwhile. It is start where
	// branches find nothing of each other.
	Share(t *ir.Task, start S, arms []Ends[S]) S
	// Merge brings together how all branches ended.
	Merge(t *ir.Task, start S, arms []Ends[S]) Ends[S]

	Machines[S]
}

// Lattice compares and joins states.
type Lattice[S any] interface {
	// None is the state that no run is in, and IsNone reports whether no run is in s.
	None() S
	IsNone(s S) bool
	// Join returns the state of the runs of both.
	Join(a, b S) S
	// Fresh returns the runs of s that are not among those of seen, and all of both. All may be seen
	// itself, with the others added to it: it is not used again.
	Fresh(seen, s S) (fresh, all S)
}

// Machines is the part of a domain that machines need.
type Machines[S any] interface {
	// Begin returns the state in which a machine enters its initial state.
	Begin(t *ir.Task, m *ir.Machine, in S) S
	// Event returns the state in which the rows of an event are tried.
	Event(at At[S], event string, in S) S
	// Take returns the state in which a machine is behind a move. It may keep a record of the move.
	Take(at At[S], move Move, in S) S
	// Stop returns the state in which a machine ends: in an end, with a row that ends it, or, where
	// isRowless is true, in a state without rows whose steps name no next state.
	Stop(at At[S], isRowless bool, in S) S
	// Stall notes that no row and no next_state leads on from a state.
	Stall(at At[S], in S)
	// Finish returns the ends of a machine that has been looked at as a whole.
	Finish(t *ir.Task, m *ir.Machine, ends Ends[S]) Ends[S]
}

// Settler is a [Domain] that changes how a task ends as a whole.
type Settler[S any] interface {
	// Settle returns the ends of a task behind all of its tries, and before its fallback. The state is
	// that before [Domain.Give].
	Settle(t *ir.Task, in S, ends Ends[S]) Ends[S]
}

// Starter is a [Domain] in which what comes before a machine decides where it begins.
type Starter[S any] interface {
	// Starts returns the states in which a machine begins, behind [Machines.Begin], and the runs that
	// fail there.
	Starts(t *ir.Task, m *ir.Machine, in S) (starts []Start[S], failed S)
}

// Start is a state in which a machine begins, with the runs that begin there.
type Start[S any] struct {
	State *ir.State
	In    S
}

// Extrapolator is a [Domain] that can say how a machine ends without a look at each of its steps.
type Extrapolator[S any] interface {
	// Settled returns the state in which all states of a machine can be looked at from now on, whatever
	// happened before; ok is false where they have to be looked at step by step. Without such a state
	// each is looked at with all runs that enter it.
	Settled(m *ir.Machine) (all S, ok bool)
	// Extrapolate returns how a machine ends that goes on in a graph.
	Extrapolate(g Graph[S]) Ends[S]
}

// Graph is what happens in a machine from some step on, where each state is always looked at as in
// the state All of the domain, or, if that is none, with all runs that enter it.
type Graph[S any] struct {
	All   S
	Nodes []Node[S]
	// Left is how many steps there are at most.
	Left int
}

// Node is a state of a machine.
type Node[S any] struct {
	State *ir.State
	// IsEnd says that nothing runs in the state.
	IsEnd bool
	// Begins are the runs that are in the state in the first step.
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

// Block is a body that is run inside of another operation.
type Block struct {
	Kind BlockKind
	// Task is the task whose operation has the body.
	Task *ir.Task
	Body *ir.Pipeline
	// Arm is the branch, with Arm and Branch. It is nil for the default of a conditional.
	Arm *ir.Arm
	// Index is the number of the branch, from 0.
	Index int
	// Turn is the number of the turn, from 1, with Turn and Item. With State it is that of the step of
	// the machine.
	Turn int
	// Machine and State are where the body belongs, with State.
	Machine *ir.Machine
	State   *ir.State
}

// BlockKind says what a block is.
type BlockKind uint8

// The kinds of blocks.
const (
	// Arm is one of the bodies of a conditional, of which one is run.
	Arm BlockKind = iota + 1
	// Branch is one of the bodies that run side by side.
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
	// Start is the state without what makes no difference inside of the block.
	Start S
	// Key is the same for entries with the same summary. It is comparable; nil: there is no summary.
	Key any
	// Before is whatever the domain needs to know when the block is left.
	Before any
}

// Choice is a point at which one of several cases is taken: the first one whose condition holds.
type Choice struct {
	// Task is the conditional or the loop that chooses; the machine for rows.
	Task *ir.Task
	// Branch, Loop or Machine is what chooses; the others are nil.
	Branch  *ir.Branch
	Loop    *ir.Loop
	Machine *ir.Machine
	// State, Event and Rows are those of the rows of a machine: each row is a case.
	State *ir.State
	Event string
	Rows  []*ir.Row
	// Conditions are those of the cases, in the order in which they are tried. They are nil where
	// something else decides, such as a function, or the input of the step.
	Conditions []ir.Expression
	// Cases is the number of cases.
	Cases int
}

// Chosen are the runs that take each case.
type Chosen[S any] struct {
	// Cases are the runs that take each of them, and Other are those that take none.
	Cases []S
	Other S
	// Blocked are the runs that fail because a condition is unknown, or what decides is missing.
	Blocked S
}

// Progress is how far a repetition has come.
type Progress[S any] struct {
	// Loop is what is repeated; nil for the tries of a task.
	Loop *ir.Loop
	// Round is the number of the last round, from 1. Those that were skipped count.
	Round int
	// Seen are the runs that have begun a round.
	Seen S
	// Before and After are the runs before and after the last round, and Left is how many rounds
	// there are at most after it. It is [Endless] where nothing bounds them.
	Before, After S
	Left          int
}

// Endless is a number of rounds that nothing bounds.
const Endless = 1 << 30

// Step is how a repetition goes on.
type Step[S any] struct {
	// Next are the runs of the next round: none where it would add nothing.
	Next S
	// Seen are the runs that have begun a round by then.
	Seen S
	// Skipped is how many rounds Next has behind it that were not looked at.
	Skipped int
	// GoesOn says that Next are all runs of After: none of them is at the bound yet. Without it, each
	// of them may be what is left when the bound is reached.
	GoesOn bool
}

// At is a visit of a state of a machine.
type At[S any] struct {
	Task    *ir.Task
	Machine *ir.Machine
	State   *ir.State
	// Entry is one of the entries of the state's body.
	Entry Entry[S]
}

// Move is a way from one state of a machine to another.
type Move struct {
	// Row is nil for next_state and for the move of an unconditional state.
	Row *ir.Row
	// Next is the value of next_state, or the target of an unconditional state, as the source names
	// it; nil for a row, and for a name that only the run decides.
	Next *ir.Ref
	// To is the state that follows.
	To *ir.State
}
