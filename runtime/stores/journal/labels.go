package journal

import (
	"slices"
	"time"
)

// Labels are properties by which a store can find a run without reading its journal.
type Labels struct {
	Program, Agent string
	// Status is the status with which the last process left the run; "open" if one is executing it, or died.
	Status string
	// Begun is the time of the first record.
	Begun time.Time
	// Due is when a paused run goes on without an answer; zero if it does not.
	Due time.Time
}

// unended is the status of a run that no process has left.
const unended = "open"

// addRecord takes over what a record says.
func (l *Labels) addRecord(r *Record) {
	switch r.Type {
	case Begin:
		l.Program, l.Agent = r.Value("program"), r.Value("agent")
		l.Status, l.Begun = unended, r.Time
	case Opened:
		l.Status, l.Due = unended, time.Time{}
	case End:
		l.Status, l.Due = r.Name, r.due()
	}
}

// FieldDue is the field of the end of a paused run with the time at which it goes on without an
// answer, RFC 3339.
const FieldDue = "due"

// due returns the time in the field FieldDue; zero without a valid one.
func (r *Record) due() time.Time {
	due, err := time.Parse(time.RFC3339Nano, r.Value(FieldDue))
	if err != nil {
		return time.Time{}
	}

	return due
}

// Query selects runs by their labels. The zero value selects all.
type Query struct {
	// Statuses are the statuses of [Labels]; nil: any.
	Statuses []string
	// Program and Agent are names; "": any.
	Program, Agent string
	// Since and Until limit the time at which the run was started, both included; zero: no limit.
	Since, Until time.Time
	// Due selects paused runs whose time has come by then, that moment included; zero: any run.
	Due time.Time
}

// Fits reports whether the query selects a run with those labels.
func (q Query) Fits(l Labels) bool {
	hasStatus := q.Statuses == nil || slices.Contains(q.Statuses, l.Status)
	isOfProgram := q.Program == "" || q.Program == l.Program
	isOfAgent := q.Agent == "" || q.Agent == l.Agent
	isTooEarly := !q.Since.IsZero() && l.Begun.Before(q.Since)
	isTooLate := !q.Until.IsZero() && l.Begun.After(q.Until)
	isWaiting := !q.Due.IsZero() && (l.Due.IsZero() || l.Due.After(q.Due))
	if isTooEarly || isTooLate || isWaiting {
		return false
	}

	return hasStatus && isOfProgram && isOfAgent
}
