package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// desk is a program of one agent.
func desk(run func(fx runtime.Effects, input string) (runtime.Finish, error)) *compiled.Program {
	return &compiled.Program{Name: "desk", Entry: "desk", Shape: "s1", Text: "t1", Agents: []compiled.Agent{
		{Name: "desk", Model: &model.Choice{}, Run: run},
	}}
}

func said(value string) (runtime.Finish, error) {
	return runtime.Finish{Key: "done", Value: value}, nil
}

// watcher is an observer that remembers.
type watcher struct{ events []event.Event }

func (w *watcher) Observe(e event.Event) { w.events = append(w.events, e) }

func (w *watcher) kinds() string {
	var kinds []string
	for _, e := range w.events {
		kinds = append(kinds, string(e.Kind)+"@"+e.Address)
	}

	return strings.Join(kinds, " ")
}

// with is an engine whose configuration is changed a little. It asks nobody.
func with(w *world, store journal.Store, change func(*core.Config)) *core.Engine {
	config := core.Config{
		Model: w, Store: store, RunID: func() string { return "r1" }, Clock: clock.NewSkip(time.Unix(1e9, 0)),
		Retry: model.Retry{Attempts: 1},
	}
	if change != nil {
		change(&config)
	}

	return core.New(config)
}

func once(w *world, name, onUnknown string) runtime.ToolCall {
	return runtime.ToolCall{
		Agent: "desk", Tool: &runtime.ToolSpec{Name: name, Effect: runtime.EffectExternal, OnUnknown: onUnknown}, Args: json.RawMessage(`{}`),
		Run: func(ctx context.Context, _ json.RawMessage) (runtime.ToolResult, error) {
			w.didIn(ctx)

			return runtime.ToolResult{Text: "paid"}, nil
		},
	}
}

// approval asks a model, two people side by side, and pays.
func approval(w *world) *compiled.Program {
	return desk(func(fx runtime.Effects, input string) (runtime.Finish, error) {
		reply, err := fx.Model(model.Request{Agent: "desk", Input: input})
		if err != nil {
			return runtime.Finish{}, err
		}
		answers := make([]string, 2)
		err = fx.Parallel(2, 0, func(i int, fx runtime.Effects) error {
			answer, err := fx.Ask(runtime.Question{
				ID: "ok", Prompt: reply.Text, Choices: []string{"yes", "no"}, Check: func(answer string) error {
					if i == 1 && answer == "no" {
						return errors.New("it must not be refused")
					}

					return nil
				},
			})
			answers[i] = answer.Value + " by " + answer.By

			return err
		})
		if err != nil {
			return runtime.Finish{}, err
		}
		paid, err := fx.Tool(once(w, "pay", "ask"))
		if err != nil {
			return runtime.Finish{}, err
		}

		return said(strings.Join(answers, ", ") + ", " + paid.Text)
	})
}

func TestAnswersGoOnWithARun(t *testing.T) {
	w, store := newWorld(), journal.Memory()
	ctx, p := t.Context(), approval(w)
	_, err := with(w, store, nil).Run(ctx, p, "", "letter")
	var paused *runtime.PausedError
	if !errors.As(err, &paused) || paused.Run != "r1" || len(core.Questions(err)) != 2 {
		t.Fatalf("%v", err)
	}
	engine := with(w, store, nil)
	open, err := engine.Questions(ctx, p, "r1")
	if err != nil || len(open) != 2 || open[0].ID != "ok@0" || open[1].Address != "2.1.1" || open[0].Name(open) != "ok@0" {
		t.Fatalf("%v %+v", err, open)
	}
	var refused *runtime.AnswerError
	if err := engine.Answer(ctx, p, "r1", "ok@0", "perhaps", ""); !errors.As(err, &refused) || len(refused.Choices) != 2 {
		t.Errorf("%v", err)
	}
	if err := engine.Answer(ctx, p, "r1", "ok@1", "no", ""); !errors.As(err, &refused) || refused.Err == nil {
		t.Errorf("%v", err)
	}
	var unknown *question.UnknownQuestionError
	if err := engine.Answer(ctx, p, "r1", "ok", "yes", ""); !errors.As(err, &unknown) || !slices.Equal(unknown.Open, []string{"ok@0", "ok@1"}) {
		t.Errorf("%v", err)
	}
	if err := engine.Answer(ctx, p, "r1", "ok@0", "Y", "ada"); err != nil {
		t.Error(err)
	}
	if err := engine.Answer(ctx, p, "r1", "ok@0", "no", "bob"); !isCoded(err, "AnsweredError", `by ada: "yes"`) {
		t.Errorf("%v", err)
	}
	if open, err = engine.Questions(ctx, p, "r1"); err != nil || len(open) != 1 {
		t.Errorf("%v %v", err, open)
	}
	seen := &watcher{}
	if _, err = with(w, store, func(c *core.Config) { c.Observer = seen }).Resume(ctx, p, "r1", core.ResumeOptions{}); !errors.As(err, &paused) {
		t.Errorf("%v", err)
	}
	if got := seen.kinds(); !strings.HasPrefix(got, "resume@2.") || !strings.Contains(got, "pause@2.1.1") || !strings.Contains(got, "answer@2.0.1") ||
		!strings.HasSuffix(got, "end@2") {
		t.Errorf("told %s", got)
	}
	if err := engine.Answer(ctx, p, "r1", "ok@1#2.1.1", "yes", ""); err != nil {
		t.Error(err)
	}
	fin, err := engine.Resume(ctx, p, "r1", core.ResumeOptions{})
	if err != nil || fin.Value != "yes by ada, yes by , paid" {
		t.Errorf("%v %q", err, fin.Value)
	}
	told(t, recordsOf(t, store))
	seen = &watcher{}
	done := with(w, store, func(c *core.Config) { c.Observer = seen })
	if again, err := done.Resume(ctx, p, "r1", core.ResumeOptions{}); err != nil || again != fin || len(seen.events) > 0 || w.done["3"] != 1 {
		t.Errorf("%v %v %s", err, again, seen.kinds())
	}
	if err := done.Answer(ctx, p, "r1", "ok@1", "yes", ""); !isCoded(err, "AnsweredError", "") {
		t.Errorf("%v", err)
	}
	if err := done.Answer(ctx, p, "r1", "other", "yes", ""); !isCoded(err, "RunEndedError", "done") {
		t.Errorf("%v", err)
	}
	if err := done.Cancel(ctx, p, "r1", ""); !isCoded(err, "RunEndedError", "") {
		t.Errorf("%v", err)
	}
}

// TestOneIDTwice: questions of one id in nested groups are told apart by their addresses.
func TestOneIDTwice(t *testing.T) {
	w, store := newWorld(), journal.Memory()
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		values := make([]string, 2)
		err := fx.Parallel(2, 0, func(i int, fx runtime.Effects) error {
			return fx.Parallel(1, 0, func(_ int, fx runtime.Effects) error {
				answer, err := fx.Ask(runtime.Question{ID: "ok"})
				values[i] = answer.Value

				return err
			})
		})

		return runtime.Finish{Value: strings.Join(values, " ")}, err
	})
	engine, ctx := with(w, store, nil), t.Context()
	_, _ = engine.Run(ctx, p, "", "")
	var unknown *question.UnknownQuestionError
	if err := engine.Answer(ctx, p, "r1", "ok@0", "x", ""); !errors.As(err, &unknown) ||
		!slices.Equal(unknown.Open, []string{"ok@0#1.0.1.0.1", "ok@0#1.1.1.0.1"}) {
		t.Fatalf("%v", err)
	}
	for i, name := range unknown.Open {
		if err := engine.Answer(ctx, p, "r1", name, fmt.Sprint(i), ""); err != nil {
			t.Error(err)
		}
	}
	if fin, err := engine.Resume(ctx, p, "r1", core.ResumeOptions{}); err != nil || fin.Value != "0 1" {
		t.Errorf("%v %v", fin, err)
	}
}

// TestFailedRunsTryAgain: what a run has failed with is tried again, and what went well is not.
func TestFailedRunsTryAgain(t *testing.T) {
	w, store := newWorld(), journal.Memory()
	broken := true
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		if _, err := fx.Tool(once(w, "pay", "ask")); err != nil {
			return runtime.Finish{}, err
		}
		results := make([]string, 2)
		err := fx.Parallel(2, 0, func(i int, fx runtime.Effects) error {
			result, err := fx.Call(runtime.FuncCall{Name: "f", Args: json.RawMessage(fmt.Sprint(i)), Run: func(
				ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
				w.didIn(ctx)
				if broken && i == 1 {
					return nil, errors.New("no")
				}

				return json.RawMessage(`"fine"`), nil
			}})
			results[i] = string(result.Value)
			if err != nil {
				return errors.Join(err, fx.Sleep(0)) // as workflows do
			}

			return nil
		})
		fx.Note(event.Event{Kind: event.Repair, Problem: fmt.Sprint(err)})
		if err != nil {
			return runtime.Finish{}, errors.Join(err, fx.Sleep(0))
		}
		if _, err := fx.Model(model.Request{Agent: "desk", Input: "x"}); err != nil {
			return runtime.Finish{}, err
		}

		return said(strings.Join(results, " "))
	})
	ctx := t.Context()
	for range 2 {
		if _, err := with(w, store, nil).Run(ctx, p, "", ""); err == nil || !strings.Contains(err.Error(), "function \"f\": no") {
			if !errors.Is(err, journal.ErrRunExists) {
				t.Fatal(err)
			}
		}
		if _, err := with(w, store, nil).Resume(ctx, p, "r1", core.ResumeOptions{}); err == nil || !strings.Contains(err.Error(), "function \"f\": no") {
			t.Fatal(err)
		}
	}
	broken = false
	all := recordsOf(t, store)
	for n := len(all); n >= len(all); n-- {
		fin, err := with(w, store, nil).Resume(ctx, p, "r1", core.ResumeOptions{})
		if err != nil || fin.Value != `"fine" "fine"` {
			t.Fatalf("%v %v", fin, err)
		}
	}
	if w.done["1"] != 1 || w.done["2.0.1"] != 1 || w.done["2.1.1"] != 4 {
		t.Errorf("%v", w.done)
	}
	// Wherever the last process was interrupted, the next one comes to the same.
	whole := recordsOf(t, store)
	for n := len(all); n < len(whole); n++ {
		w := newWorld()
		store := cutAt(t, whole, n)
		engine := with(w, store, func(c *core.Config) { c.Asker = w })
		if fin, err := engine.Resume(ctx, p, "r1", core.ResumeOptions{}); err != nil || fin.Value != `"fine" "fine"` {
			t.Errorf("%d: %v %v", n, fin, err)
		}
		told(t, recordsOf(t, store))
		if w.done["1"]+w.done["2.0.1"] > 0 {
			t.Errorf("%d: %v", n, w.done)
		}
	}
}

// TestNamesOfRunsSort: of two runs that begin in one second, the later one has the later name.
func TestNamesOfRunsSort(t *testing.T) {
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for range 1000 {
		first, second := core.NewRunID(begun), core.NewRunID(begun.Add(time.Millisecond))
		if first >= second || first == core.NewRunID(begun) {
			t.Fatalf("%s %s", first, second)
		}
	}
}
