package resumetest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/testing/resumetest"
)

// reply answers each model with what it was asked.
func reply(_ context.Context, r model.Request) (model.Reply, error) {
	if r.Agent == "fails" {
		return model.Reply{}, &model.Error{Status: 400, Class: model.BadRequest, Message: "no"}
	}

	return model.Reply{Text: "reply to " + r.Input}, nil
}

func options() engine.Options {
	return engine.Options{Model: model.ProviderFunc(reply), Clock: clock.NewSkip(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))}
}

// caseOf is a run of an agent that does that.
func caseOf(run func(fx runtime.Effects, input string) (runtime.Finish, error)) resumetest.Case {
	p := &compiled.Program{Name: "test", Entry: "main", Shape: "s", Text: "t", Agents: []compiled.Agent{{Name: "main", Run: run}}}

	return resumetest.Case{Program: p, Input: "the task", Options: options}
}

func llm(fx runtime.Effects, agent, input string) (string, error) {
	reply, err := fx.Model(model.Request{Agent: agent, Input: input})

	return reply.Text, err
}

// work has effects of several kinds, alone and in groups of groups.
func work(fx runtime.Effects, input string) (runtime.Finish, error) {
	texts := make([]string, 3)
	err := fx.Parallel(3, 2, func(i int, fx runtime.Effects) (err error) {
		texts[i], err = llm(fx, "worker", fmt.Sprint(input, i))
		if err != nil {
			return err
		}
		fx.Note(event.Event{Kind: event.Finish, Agent: "worker", Key: "done", Value: texts[i]})

		return fx.Parallel(2, 0, func(k int, fx runtime.Effects) error {
			return fx.Sleep(time.Duration(k+1) * time.Hour)
		})
	})
	if err != nil {
		return runtime.Finish{}, err
	}
	sent, err := fx.Call(runtime.FuncCall{Name: "send", Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"sent"`), nil
	}})
	if err != nil {
		return runtime.Finish{}, err
	}
	if _, err := llm(fx, "fails", "x"); err == nil {
		return runtime.Finish{}, errors.New("it did not fail")
	}

	return runtime.Finish{Key: "done", Value: strings.Join(texts, ",") + string(sent.Value)}, nil
}

func TestAPureProgramGoesOn(t *testing.T) {
	counts, err := caseOf(work).Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if counts.Runs != 2 || counts.Resumed < 30 || counts.Kept < 100 || counts.Done < 100 || counts.Asked != 1 {
		t.Errorf("%+v", counts)
	}
	sampled := caseOf(work)
	sampled.Sample = resumetest.Some("seed", 5)
	some, err := sampled.Check(t.Context())
	if err != nil || some.Resumed < 2 || some.Resumed > counts.Resumed/2 {
		t.Errorf("%v, %+v", err, some)
	}
	if some.Add(counts); some.Runs != 4 || !strings.HasPrefix(some.String(), "4 runs, interrupted and resumed ") {
		t.Errorf("%v", some)
	}
}

func TestWhatIsWrongIsFound(t *testing.T) {
	calls := 0
	for name, run := range map[string]func(fx runtime.Effects, input string) (runtime.Finish, error){
		"another input each time": func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			calls++
			_, err := llm(fx, "worker", fmt.Sprint(calls))

			return runtime.Finish{Key: "done"}, err
		},
		"another result each time": func(fx runtime.Effects, input string) (runtime.Finish, error) {
			_, err := llm(fx, "worker", input)
			calls++

			return runtime.Finish{Key: fmt.Sprint(calls)}, err
		},
		"more effects each time": func(fx runtime.Effects, input string) (runtime.Finish, error) {
			for range calls {
				if _, err := llm(fx, "worker", input); err != nil {
					return runtime.Finish{}, err
				}
			}
			calls++

			return runtime.Finish{Key: "done"}, nil
		},
		"other events each time": func(fx runtime.Effects, input string) (runtime.Finish, error) {
			calls++
			fx.Note(event.Event{Kind: event.Finish, Agent: "main", Key: fmt.Sprint(calls)})
			_, err := llm(fx, "worker", input)

			return runtime.Finish{Key: "done"}, err
		},
	} {
		if _, err := caseOf(run).Check(t.Context()); err == nil {
			t.Errorf("%s: nothing is found", name)
		} else if !strings.Contains(err.Error(), "after") && !strings.Contains(err.Error(), "journal") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestARunThatFailsIsTriedAgain(t *testing.T) {
	counts, err := caseOf(func(fx runtime.Effects, input string) (runtime.Finish, error) {
		if _, err := llm(fx, "worker", input); err != nil {
			return runtime.Finish{}, err
		}
		_, err := llm(fx, "fails", "x")

		return runtime.Finish{}, err
	}).Check(t.Context())
	if err != nil || counts.Resumed < 5 {
		t.Errorf("%v, %+v", err, counts)
	}
}
