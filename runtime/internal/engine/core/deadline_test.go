package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// withinTwoDays is a program that does some work in a step with two days, and finishes with how that
// has ended, after another effect.
func withinTwoDays(work func(fx runtime.Effects) error) func(fx runtime.Effects, _ string) (runtime.Finish, error) {
	return func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		limit := 48 * time.Hour
		end := fx.Limit("desk", "visit", &runtime.Budget{Deadline: fx.Now().Add(limit), Within: limit})
		err := work(fx)
		end()
		if err != nil && !errs.Is[*errs.OvertimeError](err) {
			return runtime.Finish{}, err
		}
		if err := fx.Sleep(time.Hour); err != nil {
			return runtime.Finish{}, err
		}
		if err != nil {
			return said("late: " + err.Error())
		}

		return said("in time")
	}
}

// tooLate is the value of a run whose step has no time left.
const tooLate = `late: step "visit" of workflow "desk" took longer than 48h0m0s`

// A question in a step has the step's time, and a run that waits for it goes on when that is over: the
// question fails once and for all, and the effects after the step are carried out.
func TestDeadlineOfStepEndsQuestion(t *testing.T) {
	for _, own := range []time.Duration{0, 48 * time.Hour, 100 * time.Hour} {
		p := desk(withinTwoDays(func(fx runtime.Effects) error {
			_, err := fx.Ask(runtime.Question{ID: "q", Prompt: "Yes?", Timeout: own})
			return err
		}))
		at := clock.NewSkip(time.Unix(1e9, 0))
		config := core.Config{Store: journal.Memory(), Clock: at, Model: model.ProviderFunc(says), RunID: func() string { return "r1" }}
		_, err := core.New(config).Run(t.Context(), p, "", "go")
		var paused *runtime.PausedError
		if !errors.As(err, &paused) || !paused.Question.Due.Equal(time.Unix(1e9, 0).Add(48*time.Hour)) {
			t.Fatalf("with %s of its own, it does not wait for two days: %+v, %v", own, paused, err)
		}
		wantWaiting(t, config.Store, at.Now().Add(47*time.Hour), 0)
		at.Sleep(t.Context(), 48*time.Hour)
		wantWaiting(t, config.Store, at.Now(), 1)
		for range 2 {
			fin, err := core.New(config).Resume(t.Context(), p, "r1", core.ResumeOptions{})
			if err != nil || fin.Value != tooLate {
				t.Errorf("with %s of its own, it ends with %q (%v)", own, fin.Value, err)
			}
		}
	}
}

// The question's own time may be over first.
func TestQuestionEndsBeforeDeadline(t *testing.T) {
	p := desk(withinTwoDays(func(fx runtime.Effects) error {
		_, err := fx.Ask(runtime.Question{ID: "q", Prompt: "Yes?", Timeout: 47 * time.Hour})
		if errs.Is[*runtime.TimeoutError](err) {
			return nil
		}

		return err
	}))
	at := clock.NewSkip(time.Unix(1e9, 0))
	config := core.Config{Store: journal.Memory(), Clock: at, Model: model.ProviderFunc(says), RunID: func() string { return "r1" }}
	_, err := core.New(config).Run(t.Context(), p, "", "go")
	if core.Questions(err) == nil {
		t.Fatalf("it does not wait: %v", err)
	}
	at.Sleep(t.Context(), 47*time.Hour)
	fin, err := core.New(config).Resume(t.Context(), p, "r1", core.ResumeOptions{})
	if err != nil || fin.Value != "in time" {
		t.Errorf("it ends with %q (%v)", fin.Value, err)
	}
}

// Waits count together, and so does the time in which no process executes the run.
func TestDeadlineCountsWaits(t *testing.T) {
	for _, c := range []struct {
		waits int
		want  string
	}{{1, "in time"}, {2, tooLate}} {
		p := desk(withinTwoDays(func(fx runtime.Effects) error {
			for range c.waits {
				if _, err := fx.Ask(runtime.Question{ID: "nap", Timeout: 30 * time.Hour, IsTimer: true}); err != nil {
					return err
				}
			}
			return nil
		}))
		at := clock.NewSkip(time.Unix(1e9, 0))
		fin, err := core.New(core.Config{Clock: at, Model: model.ProviderFunc(says)}).Run(t.Context(), p, "", "go")
		if err != nil || fin.Value != c.want {
			t.Errorf("after %d waits it ends with %q (%v), want %q", c.waits, fin.Value, err, c.want)
		}
	}
}

// A call that is under way is ended at the deadline. Its outcome is recorded, so that it is neither
// repeated nor asked about.
func TestDeadlineEndsCall(t *testing.T) {
	at := clock.NewSkip(time.Unix(1e9, 0))
	calls := 0
	p := desk(withinTwoDays(func(fx runtime.Effects) error {
		_, err := fx.Call(runtime.FuncCall{Name: "f", Run: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			calls++
			at.Sleep(ctx, 72*time.Hour)
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		return err
	}))
	config := core.Config{Store: journal.Memory(), Clock: at, Model: model.ProviderFunc(says), RunID: func() string { return "r1" }}
	fin, err := core.New(config).Run(t.Context(), p, "", "go")
	if err != nil || fin.Value != tooLate {
		t.Fatalf("it ends with %q (%v)", fin.Value, err)
	}
	fin, err = core.New(config).Resume(t.Context(), p, "r1", core.ResumeOptions{})
	if err != nil || fin.Value != tooLate || calls != 1 {
		t.Errorf("resumed, it ends with %q (%v), after %d calls", fin.Value, err, calls)
	}
}

// A call whose process died is asked about until the step has no time left. Then that is its outcome,
// and the run waits for what comes after the step alone.
func TestDeadlineEndsQuestionAboutCall(t *testing.T) {
	for _, isAsked := range []bool{true, false} {
		w := newWorld()
		p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			end := fx.Limit("desk", "visit", &runtime.Budget{Deadline: time.Unix(1e9, 0).Add(48 * time.Hour), Within: 48 * time.Hour})
			_, late := fx.Call(runtime.FuncCall{Name: "f", Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
				w.did("f")
				return json.RawMessage(`"done"`), nil
			}})
			end()
			if late != nil && !errs.Is[*errs.OvertimeError](late) {
				return runtime.Finish{}, late
			}
			if _, err := fx.Ask(runtime.Question{ID: "nap", Timeout: time.Hour, IsTimer: true, Choices: []string{"continue"}}); err != nil {
				return runtime.Finish{}, err
			}
			return said("the call: " + fmt.Sprint(late))
		})
		at := clock.NewSkip(time.Unix(1e9, 0))
		config := core.Config{Store: journal.Memory(), Clock: at, Model: model.ProviderFunc(says), RunID: func() string { return "r1" }}
		if _, err := core.New(config).Run(t.Context(), p, "", "go"); core.Questions(err) == nil {
			t.Fatalf("it does not wait: %v", err)
		}
		all := recordsOf(t, config.Store)
		begun := slices.IndexFunc(all, func(r journal.Record) bool { return r.Type == journal.Intent && r.Value("what") == "f" })
		config.Store = cutAt(t, all, begun+1)
		if isAsked {
			_, err := core.New(config).Resume(t.Context(), p, "r1", core.ResumeOptions{})
			if asked := core.Questions(err); len(asked) != 1 || asked[0].ID != "unknown:f" {
				t.Fatalf("it asks %+v (%v)", asked, err)
			}
		}
		at.Sleep(t.Context(), 48*time.Hour)
		_, err := core.New(config).Resume(t.Context(), p, "r1", core.ResumeOptions{})
		if asked := core.Questions(err); len(asked) != 1 || asked[0].ID != "nap" {
			t.Errorf("it asks %+v (%v)", asked, err)
		}
		for name, with := range map[string]*compiled.Program{"with": p, "without": nil} {
			open, err := core.New(config).Questions(t.Context(), with, "r1")
			if err != nil || len(open) != 1 || open[0].ID != "nap" {
				t.Errorf("%s the program, it waits for %+v (%v)", name, open, err)
			}
		}
		if err := core.New(config).Answer(t.Context(), p, "r1", "nap", "continue", ""); err != nil {
			t.Error(err)
		}
		fin, err := core.New(config).Resume(t.Context(), p, "r1", core.ResumeOptions{})
		if want := `the call: step "visit" of workflow "desk" took longer than 48h0m0s`; err != nil || fin.Value != want || w.done["f"] != 1 {
			t.Errorf("it ends with %q (%v) after %d calls", fin.Value, err, w.done["f"])
		}
	}
}
