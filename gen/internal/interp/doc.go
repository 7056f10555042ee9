// Package interp runs the operations of a program on states that represent many runs at once.
//
// It is the one place that knows in which order operations happen and how they compose: what
// follows success, failure and a pause, how retries, fallbacks, loops, branches, branches side by
// side, maps, imports and machines end, and when another look adds nothing. A [Domain] defines
// the values and the effect of a single step on them. Its states may be combinations of constants
// (package flow), sizes and money (cost), origins of texts (can), or concrete runs (simulate).
//
// # States
//
// A state represents all runs that are at one point of the program. [Interp.RunPipeline] takes a
// state and returns [Ends]: the states of the runs that ended well, that failed, that are left
// where a person is asked, and that a return ended.
//
// # Blocks and summaries
//
// A body that is run inside of another operation is a [Block]: an arm, a turn of a loop, a state of
// a machine, an imported flow. [Domain.Enter] splits the state before it into entries, from which
// everything is removed that does not decide what happens inside. Two entries with the same key are
// looked at once: what ends the first is the summary of the block, and [Domain.Leave] adds to it
// what was before. So nesting costs nothing exponential, and loops and machines end as soon as a
// round brings no new entry.
//
// # Machines
//
// The event of a state with steps is how these end. In the machine of an agent the states have
// none, and the event is a key: a [Keyed] domain runs the agent of a state and returns the keys with
// which it can end. Signals put other keys in their place, a limit finishes with its own key where that
// has a row, the rows of the key are tried before those of the catch-all, and the key of a terminal
// is the key of the machine.
//
// In the machine of a gate the event is an action of its agent. Only the action finish ends it, and a
// gate may permit that without a row.
//
// A machine is run step by step. A domain whose states are sets of runs visits each state with the
// runs that have not been there. One whose states bound runs counts what each step uses, so that a
// visit is never the same as one before: it says by [Config.MaxVisitsApart] how many visits of a
// step are distinguished, and an [Extrapolator] how the machine ends once the states only differ in
// that count: it is given the graph of what the states do.
package interp
