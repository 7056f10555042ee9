// Package live is what the live machines of generated code have in common. A live machine is the machine of an fsm or a gate that
// other code drives, key by key; it runs no agents and shares nothing with a run.
//
// What decides is generated: the switch of the states, the guards, and who may fire what, which a [Spec] names. This package is
// what lies around that switch:
//
//   - One critical section decides and commits a step, so that of two steps that compete exactly one is made. A step that is
//     refused changes nothing, and its error says why.
//   - Guards, and the predicates of signal rules, run inside of it. They must not block, and must not ask the machine.
//   - Whoever subscribes is told of each step after it was made, outside of the critical section, in the order of the steps.
//   - Timers go by a clock, which tests move: [ManualClock].
//
// Rules for signals that stand in no file are those of [Route], for one machine, and [Routes], which a generated App has.
//
// A generated machine embeds a [Machine]. As a [drive.Machine] machines of all kinds stand in one slice.
package live
