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
		l.Status = unended
	case End:
		l.Status = r.Name
	}
}

// Query selects runs by their labels. The zero value selects all.
type Query struct {
	// Statuses are the statuses of [Labels]; nil: any.
	Statuses []string
	// Program and Agent are names; "": any.
	Program, Agent string
	// Since and Until limit the time at which the run was started, both included; zero: no limit.
	Since, Until time.Time
}

// Fits reports whether the query selects a run with those labels.
func (q Query) Fits(l Labels) bool {
	hasStatus := q.Statuses == nil || slices.Contains(q.Statuses, l.Status)
	isOfProgram := q.Program == "" || q.Program == l.Program
	isOfAgent := q.Agent == "" || q.Agent == l.Agent
	isTooEarly := !q.Since.IsZero() && l.Begun.Before(q.Since)
	isTooLate := !q.Until.IsZero() && l.Begun.After(q.Until)
	if isTooEarly || isTooLate {
		return false
	}

	return hasStatus && isOfProgram && isOfAgent
}
