// Package drive has what a program needs to drive live machines for others: a server, a blackboard, a program of the user's own.
//
// A live machine is generated for an fsm or a gate with `drive: external`. As a [Machine] it has its state and its keys as texts: an
// [Attempt] says who asks for which step, and the [Step] what happened. Refusals are typed errors, and the machine is as before then.
package drive
