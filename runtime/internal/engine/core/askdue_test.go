package core_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// limitedQuestion is a program that asks a question, and says how that has ended.
func limitedQuestion(q runtime.Question) func(fx runtime.Effects, _ string) (runtime.Finish, error) {
	return func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		answer, err := fx.Ask(q)
		var late *runtime.TimeoutError
		switch {
		case errors.As(err, &late):
			return said("late: " + late.Error())
		case err != nil:
			return runtime.Finish{}, err
		}

		return said("answer: " + answer.Value)
	}
}

// limited is a question with two days to answer it, and untilThen a wait of that time.
var (
	limited   = runtime.Question{ID: "q", Prompt: "Yes?", Timeout: 48 * time.Hour}
	untilThen = runtime.Question{ID: "q", Timeout: 48 * time.Hour, IsTimer: true}
)

// pausedAt is a run of a question that has paused, its clock, and its engine.
func pausedAt(t *testing.T, q runtime.Question) (core.Config, clock.Clock, error) {
	t.Helper()
	clock := clock.NewSkip(time.Unix(1e9, 0))
	config := core.Config{
		Store: journal.Memory(), Clock: clock, RunID: func() string { return "r1" }, Model: model.ProviderFunc(says),
	}
	_, err := core.New(config).Run(t.Context(), desk(limitedQuestion(q)), "", "go")
	var paused *runtime.PausedError
	if !errors.As(err, &paused) || !paused.Question.Due.Equal(time.Unix(1e9, 0).Add(48*time.Hour)) {
		t.Fatalf("it does not wait for two days: %+v, %v", paused, err)
	}

	return config, clock, err
}

// wantWaiting fails the test unless the store knows since when the run is due.
func wantWaiting(t *testing.T, store journal.Store, now time.Time, want int) {
	t.Helper()
	due, err := journal.Due(t.Context(), store, "desk", now)
	if err != nil || len(due) != want {
		t.Errorf("at %v are due %+v, want %d (%v)", now, due, want, err)
	}
}

// A run with a limited question pauses until its time is over, and is not resumed before; then the
// question fails, once and for all.
func TestQuestionTimesOut(t *testing.T) {
	for _, c := range []struct {
		question runtime.Question
		want     string
	}{
		{limited, `late: the answer to question "q" took longer than 48h0m0s`},
		{untilThen, "answer: "},
	} {
		config, clock, _ := pausedAt(t, c.question)
		p := desk(limitedQuestion(c.question))
		clock.Sleep(t.Context(), 47*time.Hour)
		wantWaiting(t, config.Store, clock.Now(), 0)
		before := len(recordsOf(t, config.Store))
		_, err := core.New(config).Resume(t.Context(), p, "r1", core.ResumeOptions{})
		if core.Questions(err) == nil || len(recordsOf(t, config.Store)) != before {
			t.Errorf("an hour too early: %v, %d records more", err, len(recordsOf(t, config.Store))-before)
		}
		clock.Sleep(t.Context(), time.Hour)
		wantWaiting(t, config.Store, clock.Now(), 1)
		for range 2 {
			fin, err := core.New(config).Resume(t.Context(), p, "r1", core.ResumeOptions{})
			if err != nil || fin.Value != c.want {
				t.Errorf("it ends with %q (%v), want %q", fin.Value, err, c.want)
			}
		}
		wantWaiting(t, config.Store, clock.Now(), 0)
	}
}

// An answer counts until a process has found that the time is over, and ends a wait before.
func TestAnswerBeforeTheWake(t *testing.T) {
	for _, q := range []runtime.Question{limited, untilThen} {
		for _, later := range []time.Duration{time.Hour, 100 * time.Hour} {
			config, clock, _ := pausedAt(t, q)
			p := desk(limitedQuestion(q))
			clock.Sleep(t.Context(), later)
			if err := core.New(config).Answer(t.Context(), p, "r1", "q", "yes", "ada"); err != nil {
				t.Fatal(err)
			}
			fin, err := core.New(config).Resume(t.Context(), p, "r1", core.ResumeOptions{})
			if err != nil || fin.Value != "answer: yes" {
				t.Errorf("after %v: %q, %v", later, fin.Value, err)
			}
		}
	}
}

// The limit of a question begins when it is first asked, whatever happens in between: a process that
// dies, a clock that is set back.
func TestLimitBeginsOnce(t *testing.T) {
	config, _, _ := pausedAt(t, limited)
	all := recordsOf(t, config.Store)
	asked := 0
	for i, r := range all {
		if r.Type == journal.Intent {
			asked = i
		}
	}
	config.Store = cutAt(t, all, asked+1) // the process has died while it asked
	for at, want := range map[time.Time]string{
		time.Unix(1e9, 0).Add(24 * time.Hour):  "",
		time.Unix(1e9, 0).Add(-24 * time.Hour): "",
		time.Unix(1e9, 0).Add(48 * time.Hour):  `late: the answer to question "q" took longer than 48h0m0s`,
	} {
		config.Store, config.Clock = cutAt(t, all, asked+1), clock.NewSkip(at)
		fin, err := core.New(config).Resume(t.Context(), desk(limitedQuestion(limited)), "r1", core.ResumeOptions{})
		var paused *runtime.PausedError
		switch {
		case want != "" && (err != nil || fin.Value != want):
			t.Errorf("at %v: %q, %v", at, fin.Value, err)
		case want == "" && (!errors.As(err, &paused) || !paused.Question.Due.Equal(time.Unix(1e9, 0).Add(48*time.Hour))):
			t.Errorf("at %v it is due at another time: %+v, %v", at, paused, err)
		}
	}
}

// mute is an asker who does not answer.
type mute struct{}

func (mute) Ask(ctx context.Context, _ runtime.Question) (runtime.Answer, error) {
	<-ctx.Done()

	return runtime.Answer{}, context.Cause(ctx)
}

// Where a person is asked at once, the time is over in this process; a wait is waited for.
func TestTimesOutInAProcess(t *testing.T) {
	short := limited
	short.Timeout = time.Millisecond
	fx := spender(t, core.Config{Asker: mute{}, Clock: clock.System{}})
	fin, err := limitedQuestion(short)(fx, "")
	if err != nil || fin.Value != `late: the answer to question "q" took longer than 1ms` {
		t.Errorf("%q, %v", fin.Value, err)
	}
	for what, config := range map[string]core.Config{"no store": {}, "a terminal": {Asker: mute{}}} {
		config.Clock = clock.NewSkip(time.Unix(1e9, 0))
		fin, err := limitedQuestion(untilThen)(spender(t, config), "")
		if err != nil || fin.Value != "answer: " || config.Clock.Now().Sub(time.Unix(1e9, 0)) != 48*time.Hour {
			t.Errorf("%s: %q, %v, at %v", what, fin.Value, err, config.Clock.Now())
		}
	}
}

// A script answers, or lets the time pass; a wait takes no time.
func TestTimesOutInAScript(t *testing.T) {
	for script, want := range map[string]string{
		`{"ask":{"q":[{"timeout":true}]}}`: `late: the answer to question "q" took longer than 48h0m0s`,
		`{"ask":{"q":["yes"]}}`:            "answer: yes",
	} {
		p := desk(limitedQuestion(limited))
		p.Agents[0].Questions = []string{"q"}
		fin, err := core.Scripted(script, core.Config{}).Run(t.Context(), p, "", "go")
		if err != nil || fin.Value != want {
			t.Errorf("%s: %q, %v", script, fin.Value, err)
		}
	}
	store := core.Config{Store: journal.Memory()}
	fin, err := core.Scripted(`{"tools":{}}`, store).Run(t.Context(), desk(limitedQuestion(untilThen)), "", "go")
	if err != nil || fin.Value != "answer: " {
		t.Errorf("%q, %v", fin.Value, err)
	}
}
