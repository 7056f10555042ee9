package core_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// onlooker is a part that observes runs, and panics at an event of a kind.
type onlooker struct {
	seen   []string
	panics event.Kind
}

func (*onlooker) Part() string { return "onlooker" }

func (o *onlooker) ObserveRun(core.Observed) core.RunObserver { return o }

func (o *onlooker) See(s core.Sight) {
	word := string(s.Kind)
	if s.Again {
		word += " again"
	}
	if s.Turn != nil {
		word += " " + s.Turn.Reply.Text
	}
	o.seen = append(o.seen, word)
	if s.Kind == o.panics {
		panic("an onlooker's fault")
	}
}

func (o *onlooker) Traceparent(address string) string { return "at " + address }

// lookedAt is a program that asks a model, calls a function and asks a person.
func lookedAt(o *onlooker, learnt *string) *compiled.Program {
	run := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		if _, err := fx.Model(model.Request{Agent: "a", Input: input}); err != nil {
			return runtime.Finish{}, err
		}
		_, err := fx.Call(runtime.FuncCall{Name: "f", Run: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			info, _ := runtime.CallFromContext(ctx)
			*learnt = info.Traceparent

			return json.RawMessage("1"), nil
		}})
		if err != nil {
			return runtime.Finish{}, err
		}
		_, err = fx.Ask(runtime.Question{ID: "q", Agent: "a"})

		return runtime.Finish{}, err
	}

	return &compiled.Program{
		Name: "p", Entry: "a", Parts: []compiled.Part{o}, Agents: []compiled.Agent{{Name: "a", Pattern: "oneshot", Run: run}},
	}
}

// TestRunObserver: a part sees what a line does not say, what earlier processes have told is known
// as that, and one that panics changes nothing.
func TestRunObserver(t *testing.T) {
	config := core.Config{Store: journal.Memory(), RunID: func() string { return "r1" }}
	config.Model = model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
		return model.Reply{Text: "said"}, nil
	})
	var o onlooker
	var learnt string
	_, err := core.New(config).Run(t.Context(), lookedAt(&o, &learnt), "", "x")
	if want := []string{"run", "model said", "call", "pause", "end"}; core.Questions(err) == nil || !slices.Equal(o.seen, want) {
		t.Errorf("%v, seen %q", err, o.seen)
	}
	if learnt != "at 2" {
		t.Errorf("the function learns that it is %q", learnt)
	}

	config.Asker = answering("yes")
	o = onlooker{panics: event.Model}
	if _, err := core.New(config).Resume(t.Context(), lookedAt(&o, &learnt), "r1", core.ResumeOptions{}); err != nil {
		t.Error(err)
	}
	if want := []string{"run again", "model again said"}; !slices.Equal(o.seen, want) {
		t.Errorf("seen %q", o.seen)
	}
}

// answering is an asker who always says the same.
type answering string

func (a answering) Ask(context.Context, runtime.Question) (runtime.Answer, error) {
	return runtime.Answer{Value: string(a)}, nil
}
