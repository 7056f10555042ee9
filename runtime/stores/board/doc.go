// Package board keeps state that several programs and agents share: live machines, and a blackboard of versioned
// values. Every attempt, accepted or refused, is an entry of an audit log, which is on disk before the caller gets
// its answer. The audit log is also the storage: [Open] reads it, and several processes may open the same folder.
//
// A live machine is identified by MACHINE, or by MACHINE/INSTANCE for one of many of a kind. In MACHINE, _ and - are
// equal; INSTANCE is any text of up to 200 bytes without control characters, kept byte for byte. A machine begins in
// its initial state with the first attempt that is accepted; until then [Board.State] shows that state.
// [Board.Create] begins it without a step, so that the timer of its initial state runs.
//
// On the blackboard the state of each machine can be read as fsm:ID:state, and its steps as fsm:ID:history; only
// steps change these keys. All other keys are free for the users of the blackboard.
package board
