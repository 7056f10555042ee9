package journal

import "time"

// Type is the type of a record.
type Type uint8

// The types of records; their numbers are part of the file format.
const (
	// Begin is the first record: the program and its input.
	Begin Type = iota + 1
	// Opened means that a later process resumes the run.
	Opened
	// Intent is an effect that is about to be executed, Result its outcome.
	Intent
	Result
	// Event is an event that the observer received.
	Event
	// Answer is the answer to a question.
	Answer
	// End is how a process left the run: done, failed, paused or cancelled. The last one counts.
	End
)

var typeNames = [...]string{
	Begin: "begin", Opened: "open", Intent: "intent", Result: "result", Event: "event", Answer: "answer", End: "end",
}

// Valid reports whether there is such a type.
func (t Type) Valid() bool { return t >= Begin && t <= End }

// String returns the name of the type, such as "intent".
func (t Type) String() string {
	if !t.Valid() {
		return "unknown"
	}

	return typeNames[t]
}

// Record is one thing that happened in a run. The package's README lists the fields of each type.
type Record struct {
	Type Type
	// Time is in UTC.
	Time time.Time
	// Address is the address of the effect; "" if the record has none.
	Address string
	// Name is the name of the run, of the kind of effect or event, the id of the question, or the status.
	Name   string
	Fields []Field
}

// Field is a name and its value; numbers and booleans are text.
type Field struct{ Name, Value string }

// Get returns the value of the first field with that name, and whether there is one. It is called so often that
// inlining it would make every binary 20 KB larger.
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

// Journal is the content of a run's journal.
type Journal struct {
	Run     string
	Records []Record
	// Cut is the last block if it was torn; Records has none of it.
	Cut *Cut
}

// Cut is the torn end of a journal, which was never confirmed as written.
type Cut struct {
	Offset, Bytes int64
	// Problem is what is wrong with it, as a clause.
	Problem string
}
