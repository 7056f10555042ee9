package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// door is a door whose models and people say what a test tells them, one thing after another.
// Functions run, branches run one after another, and what is noted is kept.
type door struct {
	runtime.Effects
	replies  []any // a string, a model.Reply or an error
	answers  []any // a string or an error
	requests []model.Request
	asked    []runtime.Question
	called   []runtime.FuncCall
	// cancelled is what every effect returns from then on.
	cancelled error
	notes     []event.Event
	waits     []model.Retry
	unwatched bool
}

func (d *door) Watched() bool { return !d.unwatched }

func (d *door) Limit(string, string, *runtime.Budget) (end func()) { return func() {} }

func (d *door) Listen(string, string, []signals.Rule) (end func()) { return func() {} }

func (d *door) Note(e event.Event) { d.notes = append(d.notes, e) }

func (d *door) Sleep(time.Duration) error { return d.cancelled }

func (d *door) Backoff(agent string, attempt int, failed error, limits model.Retry) error {
	d.waits = append(d.waits, limits)
	d.Note(event.Event{Kind: event.Retry, Agent: agent, Count: attempt, Problem: failed.Error(), Wait: limits.First})

	return d.cancelled
}

func (d *door) Model(r model.Request) (model.Reply, error) {
	d.requests = append(d.requests, r)
	if d.cancelled != nil {
		return model.Reply{}, d.cancelled
	}
	if len(d.replies) == 0 {
		return model.Reply{}, errors.New("the model has nothing to say")
	}
	reply := d.replies[0]
	d.replies = d.replies[1:]
	switch reply := reply.(type) {
	case string:
		return model.Reply{Text: reply}, nil
	case model.Reply:
		return reply, nil
	}

	return model.Reply{}, reply.(error)
}

func (d *door) Ask(q runtime.Question) (runtime.Answer, error) {
	d.asked = append(d.asked, q)
	if len(d.answers) == 0 {
		return runtime.Answer{}, &runtime.PausedError{Question: q}
	}
	answer := d.answers[0]
	d.answers = d.answers[1:]
	if err, failed := answer.(error); failed {
		return runtime.Answer{}, err
	}

	return runtime.Answer{Value: answer.(string)}, nil
}

func (d *door) Call(c runtime.FuncCall) (runtime.FuncResult, error) {
	d.called = append(d.called, c)
	value, err := c.Run(context.Background(), c.Args)

	return runtime.FuncResult{Value: value}, err
}

func (d *door) Parallel(n, _ int, branch func(i int, fx runtime.Effects) error) error {
	var all []error
	for i := range n {
		if err := branch(i, d); err != nil {
			all = append(all, err)
		}
	}

	return errors.Join(all...)
}

// told returns what was noted, an event a line: its kind and what is in it.
func (d *door) told() string {
	var lines []string
	for _, e := range d.notes {
		words := []string{string(e.Kind)}
		for _, word := range []string{
			e.Agent, e.Machine, e.State, e.Key, string(e.Matched), e.To, e.Name, e.Type, e.Value, e.Problem,
		} {
			if word != "" {
				words = append(words, word)
			}
		}
		if e.Visit+e.Count > 0 {
			words = append(words, fmt.Sprintf("#%d", e.Visit+e.Count))
		}
		lines = append(lines, strings.Join(words, " "))
	}

	return strings.Join(lines, "\n")
}

// told compares what was noted with lines.
func wantTold(t *testing.T, d *door, lines ...string) {
	t.Helper()
	if got, want := d.told(), strings.Join(lines, "\n"); got != want {
		t.Errorf("told:\n%s\nexpected:\n%s", got, want)
	}
}

// start returns a run of workflow "flow" with a context.
func start(t *testing.T, fx runtime.Effects, context string) workflow.Run {
	t.Helper()
	r := workflow.Start(fx, "flow")
	if err := r.Begin([]byte(context)); err != nil {
		t.Fatal(err)
	}

	return r
}

// These end a run: no step makes up for them.
var endings = []error{
	&runtime.PausedError{}, &runtime.ScriptError{Problem: "no turn is left"}, &runtime.CancelledError{Reason: "a test"},
	&runtime.BudgetError{Limit: "tokens"}, runtime.ErrNotImplemented, runtime.ErrNotAvailable, &core.MissingModelError{},
	&core.MissingProviderError{}, &core.MissingEnvError{}, &core.MissingPriceError{}, &runtime.BadSettingError{},
	fmt.Errorf("wrapped: %w", &runtime.PausedError{}),
}

var errFault = errors.New("a fault")
