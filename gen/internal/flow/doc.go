// Package flow finds the runs that a program can have: it interprets the machines and flows of an
// [ir.Program] over all values that models, functions and guards can give.
//
// Input: a program, which may have mistakes, with a [Guess] of what they mean. Output: for each
// agent its [Outcomes], for each machine, of whatever agent, gate or workflow, its [Machine]:
//
//	which states a run can reach                                    State.Reached
//	the shortest path to each state, and to each row                State.Path, Move.From.Path
//	which rows a run can take, and why it cannot take the others    Move.Dead
//	where the machine can fail because no row is taken              State.Stalls, State.PerhapsNone
//	with which keys the agent finishes                              Program.Outcomes, OfWorkflow
//	from which states it cannot end, with which legal keys          Machine.Stuck
//	how many steps and calls of models an end takes                 Machine.Steps, Outcomes.Calls
//	what is read before anything can have written it                Program.FindUnwritten
//	which conditions fail because of what is not written            Program.MayBeMissing
//	whether a workflow ends, ends only by a failure, or never       Program.EndingOf
//	which steps of workflows never end well, and why                Program.Endless, Program.Blocked
//	whose failure leads to an end                                   Program.FailureThatEnds
//	which values of a branch have none                              Program.Choices
//
// All of it is one computation, from the inside out: the outcomes of an agent decide which rows
// around it can be taken, the rows decide which states can be reached and with which keys the
// machine finishes, and so on outwards. Guards take part: of the rows of a key, those can be taken whose
// guard can be the first that holds. How often the states of an agent's machine were entered,
// which of their agents have given a value, and the parts of these values whose schema lists what
// they can be, are followed from one state to the next where guards read them. Other data and values
// are not followed, so that a guard over them can hold and fail in each state as far as their types
// permit. The bounds of a machine and the calls in a
// budget take part too: a key that comes only behind more steps than max_steps is none with which
// the machine finishes.
//
// In a workflow values are followed. A variable is a name that conditions read, or with which a step
// makes what they read; its values are those that the conditions distinguish, and those that steps
// write: literal outputs, templates of what is known, what builtin steps and branches side by side
// compute of it, what the last state of a machine gives, what an import leaves, and what maps collect
// over lists that are known. Conditions on a copy distinguish the values of its source, too, so that
// both are known to agree. One more value is that nothing has written it yet; a workflow that is
// only imported, without the context of the importing one, begins with it. Each combination of values
// that can be there is followed through steps, loops, branches, parallel groups and machines: once with
// everything that can fail (what can happen), and once without what need not fail (whether it ends).
// A machine begins in its start_state, or in any state if a step may write current_state. An initial
// context may name another one ([Machine.BeginsAnywhere]); such a run is assumed to have the values
// with which others reach that state.
// A value is forgotten where nothing reads it any more before it is written again: what differs in such
// values alone is one combination. Where there are too many, the variables with the most values are left out.
//
// What an agent without declared keys finishes with depends on where it is run. Its outcomes say so
// once for all places (any legal key but those that are routed inside), so that an agent is looked
// at once and not once for each set of legal keys. [Program.UsesOf] returns where an agent is run,
// and the keys that are legal there.
package flow
