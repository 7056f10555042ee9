package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

var errBusy = errors.New("busy")

// waitedBetween returns how long each of the attempts waits for the next one.
func waitedBetween(t *testing.T, c core.Config, attempts int, limits model.Retry) (waits []time.Duration) {
	t.Helper()
	c.Clock = clock.NewSkip(time.Unix(1e9, 0))
	c.RunID = func() string { return "r1" }
	fx, err := core.New(c).Effects(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for attempt := range attempts {
		before := fx.Now()
		if err := fx.Backoff("flow", attempt+1, errBusy, limits); err != nil {
			t.Fatal(err)
		}
		waits = append(waits, fx.Now().Sub(before))
	}

	return waits
}

// A wait doubles up to its bound, without a half of it at most, as the waits for a model do.
func TestBackoffDoubles(t *testing.T) {
	second := time.Second
	for what, c := range map[string]struct {
		limits model.Retry
		want   []time.Duration
	}{
		"as for models":                    {model.Retry{}, []time.Duration{second / 2, second, 2 * second}},
		"declared":                         {model.Retry{First: 10 * second}, []time.Duration{10 * second, 20 * second, 30 * second, 30 * second}},
		"bounded":                          {model.Retry{First: 10 * second, Most: 15 * second}, []time.Duration{10 * second, 15 * second}},
		"longer than the bound for models": {model.Retry{First: time.Minute}, []time.Duration{time.Minute, time.Minute}},
	} {
		got := waitedBetween(t, core.Config{}, len(c.want), c.limits)
		for i, want := range c.want {
			if got[i] > want || got[i] < want/2 {
				t.Errorf("%s: wait %d is %s, want %s or up to a half less", what, i, got[i], want)
			}
		}
		if again := waitedBetween(t, core.Config{}, len(c.want), c.limits); !slices.Equal(got, again) {
			t.Errorf("%s: the same run waits for %v, and then for %v", what, got, again)
		}
	}
}

// Under a script nothing is random, and only declared waits pass.
func TestBackoffUnderAScript(t *testing.T) {
	script := core.Config{Script: "{}"}
	if got := waitedBetween(t, script, 2, model.Retry{}); !slices.Equal(got, []time.Duration{0, 0}) {
		t.Errorf("it waits for %v", got)
	}
	want := []time.Duration{time.Minute, time.Minute}
	if got := waitedBetween(t, script, 2, model.Retry{First: time.Minute}); !slices.Equal(got, want) {
		t.Errorf("it waits for %v, want %v", got, want)
	}
}

// A run that is interrupted while it waits resumes with the rest of the wait, and does not begin
// with the first attempt again.
func TestBackoffIsResumed(t *testing.T) {
	calls := 0
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		for attempt := 1; ; attempt++ {
			_, err := fx.Call(runtime.FuncCall{Name: "f", Repeatable: true, Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
				calls++

				return nil, errBusy
			}})
			if attempt == 3 {
				return said(err.Error())
			}
			if err := fx.Backoff("flow", attempt, err, model.Retry{First: time.Hour}); err != nil {
				return runtime.Finish{}, err
			}
		}
	})
	begun := time.Unix(1e9, 0)
	config := core.Config{Model: model.ProviderFunc(says), Store: journal.Memory(), Clock: clock.NewSkip(begun), RunID: func() string { return "r1" }}
	if _, err := core.New(config).Run(t.Context(), p, "", "go"); err != nil || calls != 3 {
		t.Fatal(calls, err)
	}
	all := recordsOf(t, config.Store)
	firstWait := slices.IndexFunc(all, func(r journal.Record) bool { return r.Type == journal.Intent && r.Name == "sleep" })
	var wait struct{ Until time.Time }
	if err := json.Unmarshal([]byte(all[firstWait].Value("args")), &wait); err != nil {
		t.Fatal(err)
	}

	calls = 0
	config.Store, config.Clock = cutAt(t, all, firstWait+1), clock.NewSkip(wait.Until.Add(-time.Minute))
	before := config.Clock.Now()
	if _, err := core.New(config).Resume(t.Context(), p, "r1", core.ResumeOptions{}); err != nil || calls != 2 {
		t.Errorf("after the first attempt there are %d calls, want 2 (%v)", calls, err)
	}
	// A minute of the first wait is left, and the second is an hour or up to a half less.
	if took := config.Clock.Now().Sub(before); took <= 31*time.Minute || took > 61*time.Minute {
		t.Errorf("the rest takes %s", took)
	}
}
