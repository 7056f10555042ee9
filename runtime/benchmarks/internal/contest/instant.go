package contest

import (
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// Instant is an [runtime.Effects] whose model answers at once: with the agent's input, as text where there are no tools, else as
// the value of a finish. There is no observer, and there are no other effects.
type Instant struct {
	runtime.Effects
	// Calls counts the requests.
	Calls  int
	finish []model.ToolCall
}

// NewInstant returns an Instant whose finish has the given value.
func NewInstant(value string) *Instant {
	return &Instant{finish: []model.ToolCall{{ID: "1", Name: "finish", Args: `{"key":"done","value":"` + value + `"}`}}}
}

// Model answers.
func (i *Instant) Model(r model.Request) (model.Reply, error) {
	i.Calls++
	if len(r.Tools) > 0 {
		return model.Reply{Calls: i.finish}, nil
	}

	return model.Reply{Text: r.Messages[0].Text}, nil
}

// Watched says that nobody observes.
func (*Instant) Watched() bool { return false }

// Limit implements runtime.Effects.
func (*Instant) Limit(string, string, *runtime.Budget) (end func()) { return func() {} }

// Listen implements runtime.Effects.
func (*Instant) Listen(string, string, []signals.Rule) (end func()) { return func() {} }

// Note is never called.
func (*Instant) Note(event.Event) {}

// Now is the zero time.
func (*Instant) Now() time.Time { return time.Time{} }
