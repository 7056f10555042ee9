// Package live is the common part of the live machines in generated code. A live machine is the
// state machine of an fsm or a gate that other code drives, key by key; it runs no agents and
// shares nothing with a run.
//
// The decisions are generated: the switch of the states, the guards, and the access rules, which a
// [Spec] contains. This package provides the rest:
//
//   - One critical section decides and commits a step, so that of two competing steps exactly one is made. A refused
//     step changes nothing, and its error is the reason.
//   - Guards, and the predicates of signal rules, are called inside it. They must not block, and must not call the
//     machine.
//   - Subscribers are notified of each step after it was made, outside of the critical section, in the order of the
//     steps.
//   - Timers use a clock, which tests can control: [Machine.SetClock].
//
// [Machine.SetRoutes] adds rules for signals to those of the file.
//
// A generated machine embeds a [Machine]. It implements [drive.Machine], so that one slice can hold
// machines of all kinds.
package live
