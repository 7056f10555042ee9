package core_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signalrule"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// listens is a model that remembers the last message of each request.
type listens struct{ heard []string }

func (l *listens) Chat(_ context.Context, request model.Request) (model.Reply, error) {
	last := ""
	if n := len(request.Messages); n > 0 {
		last = request.Messages[n-1].Text
	}
	l.heard = append(l.heard, last)

	return model.Reply{Text: "said", Usage: model.Usage{Input: 30, Output: 20}}, nil
}

// TestAlerts: at 80 % of the first limit that comes to that, an agent with tools is told once, and
// so is the observer.
func TestAlerts(t *testing.T) {
	for _, c := range []struct {
		budget runtime.Budget
		turn   int // in which the model is told, counted from 1
		text   string
		event  string
	}{
		{runtime.Budget{Calls: 5}, 4, `agent "x" has spent 4 calls of at most 5 calls`, "x 5 calls 4 calls"},
		{runtime.Budget{Calls: 1}, 1, `agent "x" has spent 1 call of at most 1 call`, "x 1 call 1 call"},
		{runtime.Budget{Tokens: 250}, 5, `agent "x" has spent 200 tokens of at most 250 tokens`, "x 250 tokens 200 tokens"},
		{runtime.Budget{USD: 0.05, Tokens: 100000}, 5, `agent "x" has spent $0.04 of at most $0.05`, "x $0.05 $0.04"},
		{runtime.Budget{Time: 10 * time.Second}, 5, `agent "x" has worked 8s of at most 10s`, "x 10s 8s"},
		{runtime.Budget{Calls: 100}, 0, "", ""},
	} {
		llm, told := &listens{}, &watcher{}
		fx := spender(t, core.Config{Model: llm, Observer: told})
		end := fx.Limit("x", "", &c.budget)
		messages := []model.Message{{Role: model.RoleUser, Text: "go"}}
		for range 5 {
			_, err := fx.Model(model.Request{Agent: "a", Messages: messages, Tools: []model.Tool{{Name: "finish"}}})
			if err != nil && c.budget.Calls != 1 {
				t.Error(err)
			}
			if c.budget.Time > 0 {
				_ = fx.Sleep(2 * time.Second)
			}
		}
		end()
		for i, text := range llm.heard {
			if want := i+1 == c.turn; want != strings.Contains(text, c.text) && c.turn > 0 || !want && text != "go" {
				t.Errorf("%+v: turn %d ends with %q", c.budget, i+1, text)
			}
		}
		var events []string
		for _, e := range told.events {
			if e.Kind == event.Budget {
				events = append(events, e.Agent+" "+e.Name+" "+e.Text)
			}
		}
		if got := strings.Join(events, ", "); got != c.event {
			t.Errorf("%+v: the observer was told %q", c.budget, got)
		}
		if len(messages) != 1 || messages[0].Text != "go" {
			t.Errorf("the conversation has become %v", messages)
		}
	}
}

// TestOneshotsAreNotTold: an answer that may be the result does not talk about money; who comes
// next with tools is told of all.
func TestOneshotsAreNotTold(t *testing.T) {
	llm := &listens{}
	fx := spender(t, core.Config{Model: llm})
	defer fx.Limit("outer", "", &runtime.Budget{Calls: 4})()
	defer fx.Limit("inner", "", &runtime.Budget{Tokens: 200})()
	for range 4 {
		ask(t, fx, "")
	}
	_, _ = fx.Model(model.Request{Tools: []model.Tool{{Name: "finish"}}})
	if strings.Join(llm.heard, "") != "" {
		t.Errorf("oneshot agents were told %q", llm.heard)
	}
	fx = spender(t, core.Config{Model: llm})
	defer fx.Limit("outer", "", &runtime.Budget{Calls: 6})()
	defer fx.Limit("inner", "", &runtime.Budget{Tokens: 300})()
	for range 5 {
		ask(t, fx, "")
	}
	if _, err := fx.Model(model.Request{Tools: []model.Tool{{Name: "finish"}}}); err != nil {
		t.Error(err)
	}
	last := llm.heard[len(llm.heard)-1]
	if !strings.Contains(last, `"inner" has spent 250 tokens`) || !strings.Contains(last, `"outer" has spent 5 calls`) {
		t.Errorf("the agent was told %q", last)
	}
}

// TestAlertsAreSignals: the machine around the branch that spends is told, and no other.
func TestAlertsAreSignals(t *testing.T) {
	rules := []signals.Rule{{On: "budget-alert", Do: signals.Fire, Key: "enough"}}
	fx := spender(t, core.Config{Signals: &signaling.Signals{}})
	hears := func(fx runtime.Effects) *signals.Ruling {
		verdict, err := fx.Guard(runtime.GuardCall{
			Machine: "m", State: "s", Name: signalrule.GuardName, Signals: &signals.Question{Rules: rules},
			Run: func(context.Context) (runtime.Verdict, error) { return runtime.Verdict{}, nil },
		})
		if err != nil {
			t.Error(err)
		}

		return verdict.Signal
	}
	defer fx.Limit("x", "", &runtime.Budget{Calls: 2})()
	quiet := fx.Listen("m", "s", rules)
	ask(t, fx, "")
	if got := hears(fx); got != nil {
		t.Errorf("too soon came %+v", got)
	}
	ask(t, fx, "")
	quiet()
	got := hears(fx)
	if got == nil || got.Key != "enough" || got.Signal.Value != `agent "x": 2 calls` {
		t.Errorf("there came %+v", got)
	}
	if got := hears(fx); got != nil {
		t.Errorf("a second time came %+v", got)
	}
}
