package machinetest

import (
	"encoding/json"
	"errors"
	"github.com/agentc-dev/agentc/runtime/signals"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
)

// maxCalls bounds what the steps of one state ask for.
const maxCalls = 1000

var (
	// errFails is what a call fails with that the test lets fail.
	errFails = errors.New("the test lets every call fail from here on")
	// errNoFit is what a model or a person fails with for whom no answer is known that fits.
	errNoFit = errors.New("the test knows no answer that fits")
	// errTooMany ends a run of steps that ask for too much.
	errTooMany = &runtime.CancelledError{Reason: "the steps ask for too much"}
)

// stepDoor answers whatever the steps of a state ask for, until a call is to fail: from that on all do.
type stepDoor struct {
	StepAnswers
	// calls counts what was asked for; from call number fails on all fail, none if it is 0.
	calls, fails int
	// asked says that a person has answered.
	asked bool
}

// call counts a call, and tells how it fails; nil if it does not.
func (d *stepDoor) call() error {
	d.calls++
	switch {
	case d.calls > maxCalls:
		return errTooMany
	case d.fails > 0 && d.calls >= d.fails:
		return errFails
	}

	return nil
}

// Model answers for the model of an agent.
func (d *stepDoor) Model(request model.Request) (model.Reply, error) {
	if err := d.call(); err != nil {
		return model.Reply{}, err
	}
	if request.Turn > 0 {
		return model.Reply{}, errNoFit
	}

	return d.Values.answers(request)[0], nil
}

// Tool answers with any text.
func (d *stepDoor) Tool(runtime.ToolCall) (runtime.ToolResult, error) {
	return runtime.ToolResult{Text: someText}, d.call()
}

// Call answers for a function.
func (d *stepDoor) Call(call runtime.FuncCall) (runtime.FuncResult, error) {
	value := d.Results[call.Name]
	if value == "" {
		value = quoted(someText)
	}

	return runtime.FuncResult{Value: json.RawMessage(value)}, d.call()
}

// Guard lets everything pass. No signals come.
func (d *stepDoor) Guard(call runtime.GuardCall) (runtime.Verdict, error) {
	return runtime.Verdict{OK: true}, d.call()
}

// Ask answers for a person.
func (d *stepDoor) Ask(q runtime.Question) (runtime.Answer, error) {
	if err := d.call(); err != nil {
		return runtime.Answer{}, err
	}
	d.asked = true
	if len(q.Choices) > 0 {
		return runtime.Answer{Value: q.Choices[0]}, nil
	}
	if q.Schema == "" {
		return runtime.Answer{Value: someText}, nil
	}
	if value, known := d.Answers[q.Agent+"/"+q.ID]; known {
		return runtime.Answer{Value: value}, nil
	}

	return runtime.Answer{}, errNoFit
}

// Sleep does not wait.
func (d *stepDoor) Sleep(time.Duration) error { return nil }

// Now is always the same.
func (d *stepDoor) Now() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

// Parallel runs the branches one after another.
func (d *stepDoor) Parallel(n, _ int, branch func(i int, fx runtime.Effects) error) error {
	errs := make([]error, n)
	for i := range n {
		errs[i] = recovered(i, d, branch)
	}

	return errors.Join(errs...)
}

// Limit limits nothing: nothing is spent here.
func (d *stepDoor) Limit(string, string, *runtime.Budget) (end func()) { return func() {} }

func (d *stepDoor) Listen(string, string, []signals.Rule) (end func()) { return func() {} }

func (d *stepDoor) Watched() bool { return true }

// Note watches nothing.
func (d *stepDoor) Note(event.Event) {}
