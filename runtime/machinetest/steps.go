package machinetest

import (
	"encoding"
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
)

// StepState is the generated type of the states of a machine in a workflow. States are numbered from 1 on.
type StepState interface {
	~uint8 | ~uint16 | ~uint32
	fmt.Stringer
	encoding.TextMarshaler
	Ends() bool
}

// Event is how the steps of a state came out. Events are numbered from 1 on.
type Event interface {
	~uint8
	fmt.Stringer
}

// StepRow is a row of a machine in a workflow: the state that it begins in, or "*", the event, the state that it leads to, and its
// guard, which is empty if it has none. It is an array so that a table is short.
type StepRow [4]string

func (r StepRow) from() string  { return r[0] }
func (r StepRow) on() string    { return r[1] }
func (r StepRow) to() string    { return r[2] }
func (r StepRow) guarded() bool { return r[3] != "" }

// Steps is a machine in a workflow as its source has it, and the code that has to be it.
type Steps[S StepState, E Event] struct {
	Name string
	// States are all states in the order of the source, Ends those in which the machine ends.
	States, Ends []string
	Rows         []StepRow

	ParseState func(text string) (S, error)
	// Next finds the row of a state and an event; nil without rows.
	Next func(state S, on E) (S, runtime.Match)
}

// CheckSteps asks a machine of a workflow, and reports what differs from its source: every state about every event, and whether the
// texts of states come back when they are parsed. A guard may hold or not, so that behind a row that has one the next is right too.
func CheckSteps[S StepState, E Event](t T, m Steps[S, E]) {
	t.Helper()
	a := &stepAsker[S, E]{reporter: &reporter{t: t, machine: m.Name}, Steps: m}
	defer a.end()
	for i, name := range m.States {
		a.texts(S(i+1), name)
		a.rows(S(i+1), name)
	}
	a.others()
}

type stepAsker[S StepState, E Event] struct {
	*reporter
	Steps[S, E]
}

// texts asks a state for its name, and whether the machine ends in it.
func (a *stepAsker[S, E]) texts(s S, name string) {
	a.t.Helper()
	if got := s.String(); got != name {
		a.problem("state %d is called %q, want %q", s, got, name)
	}
	if text, err := s.MarshalText(); err != nil || string(text) != name {
		a.problem("state %q becomes the text %q, %v", name, text, err)
	}
	if got, err := a.ParseState(name); err != nil || got != s {
		a.problem("the text %q becomes state %q, %v", name, got, err)
	}
	if want := slices.Contains(a.Ends, name); s.Ends() != want {
		a.problem("state %q ends the machine: %v, want %v", name, !want, want)
	}
}

// others asks for states that there are not.
func (a *stepAsker[S, E]) others() {
	a.t.Helper()
	if got := S(len(a.States) + 1).String(); got != "" {
		a.problem("there is one more state, %q", got)
	}
	for _, text := range []string{"", " ", "no such state", "\xff"} {
		if got, err := a.ParseState(text); err == nil && !slices.Contains(a.States, text) {
			a.problem("the text %q becomes state %q", text, got)
		}
	}
}

// rows asks a state about every event.
func (a *stepAsker[S, E]) rows(s S, name string) {
	a.t.Helper()
	if a.Next == nil {
		return
	}
	for on := E(1); on.String() != ""; on++ {
		to, match := a.Next(s, on)
		got := answer{match: match}
		if match != runtime.MatchNone {
			got.to = to.String()
		}
		if right := a.answers(name, on.String()); !slices.Contains(right, got) {
			a.problem("state %q, %s: the machine goes to %s, want %s", name, on, got, right)
		}
	}
}

// answer is where a row leads, and how it was found.
type answer struct {
	to    string
	match runtime.Match
}

func (a answer) String() string {
	if a.match == runtime.MatchNone {
		return "nowhere"
	}

	return fmt.Sprintf("%q (%s)", a.to, a.match)
}

// answers returns where the rows of a state may lead: the targets of all with a guard before the first that has none, and of that.
func (a *stepAsker[S, E]) answers(state, on string) []answer {
	var right []answer
	for _, row := range a.Rows {
		if row.on() != on || row.from() != Else && row.from() != state {
			continue
		}
		if row.guarded() {
			right = append(right, answer{row.to(), runtime.MatchGuard})
			continue
		}
		match := runtime.MatchExact
		if row.from() == Else {
			match = runtime.MatchCatchAll
		}

		return append(right, answer{row.to(), match})
	}

	return append(right, answer{})
}
