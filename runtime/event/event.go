package event

import (
	"time"

	"github.com/agentc-dev/agentc/runtime/model"
)

// Kind is the kind of an event.
type Kind string

// The kinds of events. The README of package runtime has a table of the fields of each.
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

// Event is something that happened in a run, for its observer. Generated code sets what it knows; the engine adds
// Run, Seq, Address and Time.
type Event struct {
	Kind    Kind
	Run     string
	Seq     int // 1-based, gapless within a run
	Address string
	Time    time.Time
	Agent   string

	// Machine, State and To are of a machine: enter and transition. To is "" if the machine ends by `~`.
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

	// Name is that of a model's turn, a tool, a question or a run. Args is its input, and Text its output.
	Name    string
	Role    string
	Args    string
	Text    string
	Usage   model.Usage
	Reason  string
	Channel string
	Choices []string
	// Schema is the JSON Schema of the answer that a pause waits for, Example an answer of that form; "" for text.
	Schema, Example string
	// Effect is that of a pause which asks about an interrupted call.
	Effect *UnknownEffect
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
	// Context is, of an end, the final context of a workflow, a JSON object, of a failed or cancelled run too; "" without
	// one.
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

// AppendJSON appends the event as one JSON object without a line break. Fields of its kind are always present, except
// for the optional ones in the table of the README of package runtime; fields of other kinds never are. The order is
// fixed.
func (e Event) AppendJSON(dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	o.string("event", string(e.Kind))
	o.string("run", e.Run)
	o.number("seq", &e.Seq)
	o.optional("address", &e.Address)
	o.string("time", e.Time.UTC().Format(time.RFC3339Nano))
	e.visit(&o)

	return append(o.dst, '}')
}

// visit writes the members of an event, or reads them.
func (e *Event) visit(o *object) {
	o.optional("agent", &e.Agent)
	switch e.Kind {
	case Run:
		o.text("program", &e.Name)
		o.text("shape", &e.Shape)
		o.text("text", &e.Text)
		o.text("input", &e.Value)
	case Enter:
		o.text("machine", &e.Machine)
		o.text("state", &e.State)
		o.number("visit", &e.Visit)
	case Transition:
		o.text("machine", &e.Machine)
		o.text("from", &e.State)
		o.text("key", &e.Key)
		o.orNull("to", &e.To)
		o.text("matched", &e.Matched)
		o.number("visit", &e.Visit)
		o.guards("guards", &e.Guards)
	case Model:
		o.text("role", &e.Role)
		o.text("model", &e.Name)
		o.usage("tokens", &e.Usage)
		o.dollars("cost", &e.Cost)
		o.text("finish_reason", &e.Reason)
		o.optional("error", &e.Problem)
	case Delta:
		o.text("text", &e.Text)
	case Tool:
		o.text("name", &e.Name)
		o.json("args", &e.Args)
		if o.optional("error", &e.Problem); e.Problem == "" {
			o.text("result", &e.Text)
		}
	case Step:
		o.text("name", &e.Name)
		o.text("value", &e.Value)
		o.boolean("json", &e.JSON)
	case Finish:
		o.text("key", &e.Key)
		o.text("value", &e.Value)
		o.boolean("json", &e.JSON)
		o.boolean("synthetic", &e.Synthetic)
	default:
		e.visitRare(o)
	}
}

func (e *Event) visitRare(o *object) {
	switch e.Kind {
	case Repair:
		o.text("problem", &e.Problem)
	case Retry:
		o.number("attempt", &e.Count)
		o.text("error", &e.Problem)
		o.duration("wait", &e.Wait)
		o.optional("model", &e.Name)
	case Budget:
		o.text("limit", &e.Name)
		o.text("spent", &e.Text)
	case Pause:
		o.text("question", &e.Name)
		o.optional("prompt", &e.Text)
		o.optional("channel", &e.Channel)
		o.list("choices", &e.Choices)
		if o.optionalJSON("schema", &e.Schema); e.Schema != "" {
			o.text("example", &e.Example)
		}
		o.effect("effect", &e.Effect)
	case Answer:
		o.text("question", &e.Name)
		o.text("value", &e.Value)
	case Resume:
		o.optional("text", &e.Text)
		o.optional("shape", &e.Shape)
		o.optional("problem", &e.Problem)
	case Error:
		o.text("type", &e.Type)
		o.text("message", &e.Problem)
	case End:
		o.text("status", &e.Status)
		o.text("key", &e.Key)
		o.text("value", &e.Value)
		o.boolean("json", &e.JSON)
		o.optionalJSON("context", &e.Context)
		o.number("steps", &e.Count)
		o.usage("tokens", &e.Usage)
	}
}
