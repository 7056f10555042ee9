package machinetest

import (
	"encoding"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/rt"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// StepState is the generated type of the states of a machine in a workflow. States are numbered from 1 on.
type StepState interface {
	~uint8 | ~uint16 | ~uint32
	fmt.Stringer
	encoding.TextMarshaler
	Terminal() bool
}

// StepRow is a row of a machine in a workflow: the state that it begins in, or "*", the event, the state that it leads to, and its
// guard, which is empty if it has none. It is an array so that a table is short.
type StepRow [4]string

func (r StepRow) from() string  { return r[0] }
func (r StepRow) on() string    { return r[1] }
func (r StepRow) to() string    { return r[2] }
func (r StepRow) guarded() bool { return r[3] != "" }

// Steps is a machine in a workflow as its source has it, and the code that has to be it.
type Steps[S StepState] struct {
	Name string
	// States are all states in the order of the source, Ends those in which the machine ends.
	States, Ends []string
	Rows         []StepRow

	ParseState func(text string) (S, error)
	// Next finds the row of a state and an event; nil without rows.
	Next func(state S, on workflow.Event) (S, rt.Match)
	// Run runs the steps of one state; nil if there is no context to begin with. Context is an initial one; "" for an empty one.
	Run     func(fx runtime.Effects, state S, input string, context json.RawMessage) (next S, fin runtime.Finish, err error)
	Context string
	// StepAnswers are what the steps are answered.
	StepAnswers
}

// CheckSteps asks and runs a machine of a workflow, and reports what differs from its source. A guard may hold or not, so that
// behind a row that has one the next is right too.
func CheckSteps[S StepState](t T, m Steps[S]) {
	t.Helper()
	a := &stepAsker[S]{reporter: &reporter{t: t, machine: m.Name}, Steps: m}
	defer a.end()
	for i, name := range m.States {
		a.texts(S(i+1), name)
		a.rows(S(i+1), name)
	}
	a.others()
	if a.goesOn() {
		return // whoever asks for all states would not come to an end
	}
	a.follows()
	if m.Run != nil {
		r := &stepRunner[S]{stepAsker: a}
		r.all()
	}
}

type stepAsker[S StepState] struct {
	*reporter
	Steps[S]
}

// texts asks a state for its name, which has to come back when it is parsed, and whether the machine ends in it.
func (a *stepAsker[S]) texts(s S, name string) {
	a.t.Helper()
	if got := s.String(); got != name {
		a.problem("state %d is called %q, want %q", s, got, name)
	}
	comesBack(a.reporter, fmt.Sprintf("state number %d", s), s, a.ParseState)
	if want := slices.Contains(a.Ends, name); s.Terminal() != want {
		a.problem("state %q ends the machine: %v, want %v", name, !want, want)
	}
}

// others asks for states that there are not.
func (a *stepAsker[S]) others() {
	a.t.Helper()
	if a.goesOn() {
		a.problem("there is one more state, %q", S(len(a.States)+1))
	}
	var none S = 1
	if err := unmarshal(&none, ""); err != nil || none != 0 {
		a.problem("no text is the state %q: %v", none, err)
	}
	for _, text := range []string{"", " ", "no state has this name", "\xff", veryLong} {
		if !slices.Contains(a.States, text) {
			refused(a.reporter, "state", text, a.ParseState)
		}
	}
}

// goesOn reports whether there are more states than there should be.
func (a *stepAsker[S]) goesOn() bool {
	_, err := a.ParseState(S(len(a.States) + 1).String())

	return err == nil
}

// rows asks a state about every event.
func (a *stepAsker[S]) rows(s S, name string) {
	a.t.Helper()
	if a.Next == nil {
		return
	}
	for on := workflow.Success; on.String() != ""; on++ {
		to, match := a.Next(s, on)
		got := answer{to.String(), match}
		if match == rt.MatchNone && to != 0 {
			a.problem("state %q, %s: no row leads to state %d", name, on, to)
		}
		if right := a.answers(name, on); !slices.Contains(right, got) {
			a.problem("state %q, %s: the machine goes to %s, want %s", name, on, got, right)
		}
	}
}

// answer is where a row leads, and how it was found.
type answer struct {
	to    string
	match rt.Match
}

func (a answer) String() string {
	if a.match == rt.MatchNone {
		return "nowhere"
	}

	return fmt.Sprintf("%q (%s)", a.to, a.match)
}

// answers returns where the rows of a state may lead: the targets of all with a guard before the first that has none, and of that.
// From an end none leads anywhere.
func (a *stepAsker[S]) answers(state string, on workflow.Event) []answer {
	if slices.Contains(a.Ends, state) {
		return []answer{{}}
	}
	var right []answer
	for _, row := range a.Rows {
		if row.on() != on.String() || row.from() != Else && row.from() != state {
			continue
		}
		if row.guarded() {
			right = append(right, answer{row.to(), rt.MatchGuard})
			continue
		}
		match := rt.MatchExact
		if row.from() == Else {
			match = rt.MatchCatchAll
		}

		return append(right, answer{row.to(), match})
	}

	return append(right, answer{})
}
