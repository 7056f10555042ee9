// Package walk walks the machines of a program without a model: with every key at every state, through nested machines
// and flows.
//
// Input: an [ir.Program] without errors, and the agents with which runs begin. Output of [Program]: for each machine
// that they reach, which states and rows some walk takes, and for each row that none takes, why. [Result.Scripts]
// gives scripts, each a walk from its beginning to its end, that together take every row. [Path] follows one path
// through a machine.
//
// # What a walk is
//
// A walk begins with an agent, ends as that agent ends, and has each conversation finish at its first turn: no tool is called but
// for the sake of a gate, nothing fails, and nothing is repaired. Values are as small as their schema lets them be (package
// sample), lists have one item. A machine runs no more agents in it than its max_steps says, and a loop that goes on until
// something is done goes round so often as its own limit says; [Options] can lower both. With which keys a conversation may
// finish is what ir.Place says of its place, which is what the runtime goes by, so that a row is taken here if and only if
// some such run takes it.
//
// The rows of a gate are walked too: in the turn that finishes its agent calls the typed tools that lead to a row and on to finish.
//
// A signal may put another key in the place of the one with which the agent of a state finishes, as the machine's own rules say;
// scripts send it while the agent works.
//
// Named guards say what suits a walk: its script answers for them. What an expression says is taken into account where the key
// and, in a gate, the calls before it alone tell it. Rows that depend on anything else that guards say are no part of a walk: whether a run takes them is open.
//
// # How walks are found
//
// What an agent can finish with depends on nothing but the agent and its place, so each agent is looked at once for
// each of its places: a node. First, from the inside out, each node learns its outcomes: for each key the fewest
// turns. In a machine they come from the shortest ways from the initial state to each other one, in a flow from the
// shortest ways through what its operations can do. Then, from the outside in, each node learns for each of its
// outcomes the shortest walk around it. The shortest walk that takes a row is then the sum of the way to its state,
// the outcome, the way on, and what is around the machine. Everything is looked at a bounded number of times, so that
// the work grows with the program and not with the number of its walks.
//
// Within a bound on steps, a way with fewer turns may have too many steps. Ways to a state are therefore kept with
// ever more steps and ever fewer turns.
package walk
