package record

import "time"

// Kind is what somebody tried.
type Kind string

// The kinds of entries.
const (
	// Create begins a live machine, in its initial state.
	Create Kind = "create"
	// Transition is a step of a live machine.
	Transition Kind = "transition"
	// Write gives a key of the blackboard a value, Delete takes it away.
	Write  Kind = "write"
	Delete Kind = "delete"
	// Ack acknowledges steps of a live machine: what had to be done with them is done.
	Ack Kind = "ack"
	// Expire is a value whose time was over.
	Expire Kind = "expire"
)

// Result is what became of it.
type Result string

// The results of entries. Only what was accepted has changed anything.
const (
	Accepted Result = "accepted"
	// Rejected: there is no such step, guards said no, or there is nothing of that name.
	Rejected Result = "rejected"
	// Denied: whoever asked may not do it.
	Denied Result = "denied"
	// Stale: something had happened since whoever asked looked.
	Stale Result = "stale"
	// Failed: it could not be decided, as a guard broke down.
	Failed Result = "error"
)

// Entry is a line of a record: an attempt, and what became of it. An empty field is not on the line.
type Entry struct {
	// Seq counts the lines, from 1.
	Seq    uint64
	Time   time.Time
	Kind   Kind
	Result Result
	// ID is the live machine.
	ID string
	// Agent is who asked, by its own account, Identity by its credential.
	Agent, Identity string
	// Key is what was fired, or the key of the blackboard.
	Key string
	// From and To are states: where the machine was, and where it is now or, of a refused step, was asked to go. An accepted
	// step without To has ended the machine.
	From, To string
	// Exit and Enter are the names of what has to be done because a state was left, and another entered.
	Exit, Enter []string
	// Error says why it was refused.
	Error string
	// Expected is the sequence number, or the version, that whoever asked insisted on; nil: none.
	Expected *uint64
	// Version is the sequence number that the machine has now.
	Version uint64
	// Expires is when the value expires, or the timer of the machine's state fires.
	Expires time.Time
	// Value is the text that came with a step, the JSON of a value, byte for byte, or of an Ack the list of the entries. Metadata is JSON that came with a step, byte
	// for byte too.
	Value, Metadata string
	// Snapshot is that of the machine, from which it can be restored.
	Snapshot string
	// Prev is the hash of the line before, Hash that of this one.
	Prev, Hash string
}

// Head is the end of a record: whoever keeps it can tell later that nothing before it was changed or cut off.
type Head struct {
	Seq  uint64 `json:"seq"`
	Hash string `json:"hash"`
}

// Head is the end of the record when the entry was its last.
func (e *Entry) Head() Head { return Head{Seq: e.Seq, Hash: e.Hash} }
