package event

import (
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Kind is the kind of an event.
type Kind string

// The kinds of events. The README of package runtime has a table of the fields of each, which
// eventkind.All lists.
const (
	Run        Kind = "run"
	Enter      Kind = "enter"
	Model      Kind = "model"
	Delta      Kind = "delta"
	Tool       Kind = "tool"
	Repair     Kind = "repair"
	Retry      Kind = "retry"
	Transition Kind = "transition"
	Step       Kind = "step"
	Finish     Kind = "finish"
	Budget     Kind = "budget"
	Pause      Kind = "pause"
	Answer     Kind = "answer"
	Resume     Kind = "resume"
	Error      Kind = "error"
	End        Kind = "end"
)

// Event is something that happened in a run, for its observer. Generated code sets what it knows;
// the engine adds Run, Seq, Address and Time.
type Event struct {
	Kind    Kind
	Run     string
	Seq     int // 1-based, gapless within a run
	Address string
	Time    time.Time
	Agent   string

	// Machine, State and To are of a machine: enter and transition. To is "" if the machine ends by
	// `~`.
	Machine, State, To string
	Key                string
	// Matched is how the transition was chosen: exact, folded, catch-all, unconditional or guard.
	Matched string
	Visit   int // 1-based
	// Guards are the guards that were called, in order.
	Guards []Guard

	// Value is that of a finish, an answer or an input.
	Value     string
	JSON      bool
	Synthetic bool

	// Name is that of a model's turn, a tool, a question or a run. Args is its input, and Text its
	// output.
	Name    string
	Role    string
	Args    string
	Text    string
	Usage   model.Usage
	Reason  string
	Channel string
	Choices []string
	// Schema is the JSON Schema of the answer that a pause waits for, Example an answer of that
	// form; "" for text.
	Schema, Example string
	// Effect is that of a pause which asks about an interrupted call.
	Effect *UnknownEffect
	// Due is when the time of a question or a wait is over; zero if it has no limit.
	Due time.Time
	// Cost is that of a model's turn, in millionths of a US dollar; 0 if it is not known.
	Cost int64
	// Shape is the program's hash; its text hash is in Text.
	Shape string

	// Problem is what was wrong, for a repair, a tool or an error.
	Problem string
	// Type is the error's Go type without package, such as StuckError.
	Type string
	// Status of an end: done, failed, paused, cancelled or quarantined.
	Status string
	// Context is, of an end, the final context of a workflow, a JSON object, of a failed or
	// cancelled run too; "" without one.
	Context string
	// Count is the attempt of a retry, the steps of an end.
	Count int
	// Wait is how long a retry waits.
	Wait time.Duration
}

// Guard is a guard that was called for a transition.
type Guard struct {
	Name string
	OK   bool
	// Reason is why the guard refused.
	Reason string
}

// Observer receives events, one at a time and in order.
type Observer interface {
	Observe(Event)
}

// MarshalJSON returns the event as one line of `--json`: see [Event.AppendJSON].
func (e Event) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil), nil }

// AppendJSON appends the event as one JSON object without a line break. Fields of its kind are
// always present, except for the optional ones in the table of the README of package runtime;
// fields of other kinds never are. The order is fixed.
func (e Event) AppendJSON(dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	o.writeString("event", string(e.Kind))
	o.writeString("run", e.Run)
	o.visitNumber("seq", &e.Seq)
	o.visitOptional("address", &e.Address)
	o.writeString("time", e.Time.UTC().Format(time.RFC3339Nano))
	e.visitMembers(&o)

	return append(o.dst, '}')
}

// visitMembers writes the members of an event, or reads them, as the row of its kind describes.
func (e *Event) visitMembers(o *object) {
	o.visitOptional("agent", &e.Agent)
	kind := eventkind.Of(string(e.Kind))
	if kind == nil {
		return
	}
	for i := range kind.Fields {
		f := &kind.Fields[i]
		if !f.IsConditional() || e.hasConditional(f) {
			e.visitField(o, f)
		}
	}
}

// hasConditional reports whether the event has a field whose existence depends on a field before
// it.
func (e *Event) hasConditional(f *eventkind.Field) bool {
	if f.With != eventkind.NoMember {
		return *e.textField(f.With) != ""
	}

	return *e.textField(f.Without) == ""
}

func (e *Event) visitField(o *object, f *eventkind.Field) {
	switch f.Of {
	case eventkind.MemberVisit:
		o.visitNumber(f.Name, &e.Visit)
	case eventkind.MemberCount:
		o.visitNumber(f.Name, &e.Count)
	case eventkind.MemberJSON:
		o.visitBool(f.Name, &e.JSON)
	case eventkind.MemberSynthetic:
		o.visitBool(f.Name, &e.Synthetic)
	case eventkind.MemberUsage:
		o.visitUsage(f.Name, &e.Usage)
	case eventkind.MemberCost:
		o.visitDollars(f.Name, &e.Cost)
	case eventkind.MemberWait:
		o.visitDuration(f.Name, &e.Wait)
	case eventkind.MemberGuards:
		o.visitGuards(f.Name, &e.Guards)
	case eventkind.MemberChoices:
		o.visitList(f.Name, &e.Choices)
	case eventkind.MemberEffect:
		o.visitEffect(f.Name, &e.Effect)
	case eventkind.MemberDue:
		o.visitTime(f.Name, &e.Due)
	default:
		o.visitFormed(f.Name, e.textField(f.Of), f.Form)
	}
}

// textField returns the address of a field that is a text.
func (e *Event) textField(of eventkind.Member) *string {
	switch of {
	case eventkind.MemberMachine:
		return &e.Machine
	case eventkind.MemberState:
		return &e.State
	case eventkind.MemberTo:
		return &e.To
	case eventkind.MemberKey:
		return &e.Key
	case eventkind.MemberMatched:
		return &e.Matched
	case eventkind.MemberValue:
		return &e.Value
	case eventkind.MemberName:
		return &e.Name
	case eventkind.MemberRole:
		return &e.Role
	case eventkind.MemberArgs:
		return &e.Args
	case eventkind.MemberText:
		return &e.Text
	case eventkind.MemberReason:
		return &e.Reason
	case eventkind.MemberChannel:
		return &e.Channel
	case eventkind.MemberSchema:
		return &e.Schema
	case eventkind.MemberExample:
		return &e.Example
	case eventkind.MemberShape:
		return &e.Shape
	case eventkind.MemberProblem:
		return &e.Problem
	case eventkind.MemberType:
		return &e.Type
	case eventkind.MemberStatus:
		return &e.Status
	case eventkind.MemberContext:
		return &e.Context
	}

	panic("event: member " + strconv.Itoa(int(of)) + " of package eventkind is no text, and its type is not known")
}
