// Package board is what several programs and agents share: live machines, and a blackboard of versioned values. Every attempt is
// an entry of an audit log, on the disk before it is answered, whether it was accepted or refused. The record is the
// store too: a board is opened from it, and several processes may open the same folder.
//
// A live machine is named by an id: MACHINE, or MACHINE/INSTANCE for one of many of a kind. In MACHINE _ and - are the same;
// INSTANCE is any text of up to 200 bytes without control characters, kept byte for byte. A machine begins in its initial state
// with the first attempt that is accepted; until then [Board.State] shows what it would be. [Board.Create] begins it without a
// step, so that the timer of its initial state runs.
//
// On the blackboard the state of each machine can be read as fsm:ID:state, and its steps as fsm:ID:history; they change with the
// step, and only so. All other keys are for whoever writes them.
package board
