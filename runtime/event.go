package runtime

import (
	"time"

	"github.com/agentc-dev/agentc/runtime/model"
)

// EventKind says what happened.
type EventKind string

// The kinds of events. The fields that each carries are those of the table in the package's README.
const (
	EventRun        EventKind = "run"
	EventEnter      EventKind = "enter"
	EventModel      EventKind = "model"
	EventDelta      EventKind = "delta"
	EventTool       EventKind = "tool"
	EventRepair     EventKind = "repair"
	EventRetry      EventKind = "retry"
	EventTransition EventKind = "transition"
	EventStep       EventKind = "step"
	EventFinish     EventKind = "finish"
	EventBudget     EventKind = "budget"
	EventPause      EventKind = "pause"
	EventAnswer     EventKind = "answer"
	EventResume     EventKind = "resume"
	EventError      EventKind = "error"
	EventEnd        EventKind = "end"
)

// Event is something that an observer is told. Orchestrating code fills in what it knows; the engine adds Run, Seq, Address
// and Time.
type Event struct {
	Kind    EventKind
	Run     string
	Seq     int // 1-based, gapless within a run
	Address string
	Time    time.Time
	Agent   string

	// Of a machine: enter and transition. To is "" when the machine ends by `~`.
	Machine, State, To string
	Key                string
	Matched            Match
	Visit              int // 1-based
	// Guards are those that were asked, in order.
	Guards []GuardVerdict

	// Of a finish, an answer, an input.
	Value     string
	JSON      bool
	Synthetic bool

	// Of a model's turn, a tool, a question, a run: its name, what went in, what came out.
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
	// Effect is that of a pause for a call that was interrupted.
	Effect *UnknownEffect
	// Cost is that of a model's turn, in millionths of a US dollar; 0 where nobody knows it.
	Cost int64
	// Shape is the program's hash; its text hash is in Text.
	Shape string

	// Problem is what was wrong: of a repair, a tool, an error.
	Problem string
	// Type is the error's Go type without package, such as StuckError.
	Type string
	// Status of an end: done, failed, paused, cancelled or quarantined.
	Status string
	// Context is, of an end, the final context of a workflow, a JSON object; "" without one.
	Context string
	// Count is the attempt of a retry, the steps of an end.
	Count int
	// Wait is how long a retry waits.
	Wait time.Duration
}

// GuardVerdict is a guard that was asked on the way to a transition.
type GuardVerdict struct {
	Name string
	Verdict
}

// Observer receives events, one at a time and in order.
type Observer interface {
	Observe(Event)
}
