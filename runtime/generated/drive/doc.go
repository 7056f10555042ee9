// Package drive is the interface of live machines for programs that drive them: a server, a blackboard, or your own.
// A live machine is a generated finite state machine whose transitions are requested by other code, one at a time; no
// agent runs in it.
//
// The compiler generates one for an fsm or a gate with `drive: external`. As a [Machine] it has text for its state
// and keys: an [Attempt] requests a step for an agent, and the [Step] is what happened. A refused attempt is an error
// of its own type and leaves the machine unchanged.
package drive
