package journal

import (
	"strings"
	"time"
)

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

// Get returns the value of the first field with that name, and whether there is one.
//
//go:noinline
func (r *Record) Get(name string) (value string, ok bool) { // it is called so often that inlining it makes every binary 20 KB larger
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			return r.Fields[i].Value, true
		}
	}

	return "", false
}

// Value returns the value of the first field with that name; "" if there is none.
func (r *Record) Value(name string) string {
	value, _ := r.Get(name)

	return value
}

// detach copies the texts of a record out of the file in which they are.
func (r *Record) detach() {
	r.Address, r.Name = strings.Clone(r.Address), strings.Clone(r.Name)
	for i := range r.Fields {
		r.Fields[i] = Field{strings.Clone(r.Fields[i].Name), strings.Clone(r.Fields[i].Value)}
	}
}

// Journal is the content of a run's journal.
type Journal struct {
	Run     string
	Records []Record
	// Changed is the newest time of all records, including those that were left out.
	Changed time.Time
	// Recoveries are the times at which the run was recovered since it last made progress, oldest first: no person or
	// program asked to resume it, its process had died, and a server resumed it. Progress is a result, an answer, a
	// process that left the run in order, or a resume that was requested. A recovery whose process died while the run
	// only slept does not count: a sleeping run does not end a process.
	Recoveries []time.Time
	// Cut describes the last block if it was torn, and so never confirmed as written; Records has none of it.
	Cut error
}

// Ended reports whether a process has left the run and no other has opened it since.
func (j *Journal) Ended() bool { return j.Cut == nil && j.Records[len(j.Records)-1].Type == End }
