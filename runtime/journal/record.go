package journal

import "time"

// Type is what a record is about.
type Type uint8

// The types of records; their numbers stand in the file.
const (
	// Begin is the first record: what runs, and with what.
	Begin Type = iota + 1
	// Opened is a later process that goes on with the run.
	Opened
	// Intent is an effect that is about to be carried out, Result what became of it.
	Intent
	Result
	// Event is what the observer was told.
	Event
	// Answer is what somebody replied to a question.
	Answer
	// End is how a process left the run: done, failed, paused or cancelled. The last one counts.
	End
)

var typeNames = [...]string{
	Begin: "begin", Opened: "open", Intent: "intent", Result: "result", Event: "event", Answer: "answer", End: "end",
}

// Valid says whether there is such a type.
func (t Type) Valid() bool { return t >= Begin && t <= End }

// String is the name of the type, as in "intent".
func (t Type) String() string {
	if !t.Valid() {
		return "unknown"
	}

	return typeNames[t]
}

// Record is one thing that happened in a run. README.md says which fields each type has.
type Record struct {
	Type Type
	// Time is in UTC.
	Time time.Time
	// Address is that of the effect; "" where the record has none.
	Address string
	// Name is the run, the kind of effect or event, the question's id, or the status.
	Name   string
	Fields []Field
}

// Field is a name and its value; numbers and booleans are text.
type Field struct{ Name, Value string }

// Get returns the value of the first field of that name, and whether there is one. It is asked in so many places that inlining it
// would make every binary 20 KB larger.
//
//go:noinline
func (r *Record) Get(name string) (value string, ok bool) {
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			return r.Fields[i].Value, true
		}
	}

	return "", false
}

// Journal is what was read of a run.
type Journal struct {
	Run     string
	Records []Record
	// Cut is the last block if it was torn; none of it is among the records.
	Cut *Cut
}

// Cut is the torn end of a journal: it was never promised to be there.
type Cut struct {
	Offset, Bytes int64
	// Problem says what is wrong with it, as a clause.
	Problem string
}
