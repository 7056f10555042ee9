package contest

import (
	"errors"
	"github.com/agentc-dev/agentc/runtime/signals"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Instant is an [runtime.Effects] whose model answers at once: with the agent's input, as text where there are no tools, else as
// the value of a finish. Nobody observes. All other effects are errors.
type Instant struct {
	// Calls counts the requests.
	Calls  int
	finish []model.ToolCall
}

// NewInstant returns an Instant whose finish has the given value.
func NewInstant(value string) *Instant {
	return &Instant{finish: []model.ToolCall{{ID: "1", Name: "finish", Args: `{"key":"done","value":"` + value + `"}`}}}
}

var errInstant = errors.New("only the model is there")

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

// Tool fails.
func (*Instant) Tool(runtime.ToolCall) (runtime.ToolResult, error) {
	return runtime.ToolResult{}, errInstant
}

// Call fails.
func (*Instant) Call(runtime.FuncCall) (runtime.FuncResult, error) {
	return runtime.FuncResult{}, errInstant
}

// Guard fails.
func (*Instant) Guard(runtime.GuardCall) (runtime.Verdict, error) {
	return runtime.Verdict{}, errInstant
}

// Ask fails.
func (*Instant) Ask(runtime.Question) (runtime.Answer, error) { return runtime.Answer{}, errInstant }

// Sleep fails.
func (*Instant) Sleep(time.Duration) error { return errInstant }

// Now is the zero time.
func (*Instant) Now() time.Time { return time.Time{} }

// Parallel fails.
func (*Instant) Parallel(int, int, func(int, runtime.Effects) error) error { return errInstant }
