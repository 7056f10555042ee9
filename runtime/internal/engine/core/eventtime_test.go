package core_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// tickingClock moves by a second each time it is read.
type tickingClock struct{ reads int }

func (c *tickingClock) Now() time.Time {
	c.reads++

	return time.Unix(int64(c.reads), 0)
}

func (*tickingClock) Sleep(context.Context, time.Duration) {}

// times keeps the time of each event, in seconds.
type times []int64

func (o *times) Observe(e event.Event) { *o = append(*o, e.Time.Unix()) }

// noteTwice reports two events.
func noteTwice(fx runtime.Effects) {
	for range 2 {
		fx.Note(event.Event{Kind: event.Step, Agent: "a"})
	}
}

// timesOf returns the times of the events of a run that reports two events before a turn of a model,
// two after it, two in a branch and two after that.
func timesOf(t *testing.T, store journal.Store) times {
	run := func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		noteTwice(fx)
		if _, err := fx.Model(model.Request{Agent: "a"}); err != nil {
			return runtime.Finish{}, err
		}
		noteTwice(fx)
		err := fx.Parallel(1, 1, func(_ int, fx runtime.Effects) error {
			noteTwice(fx)

			return nil
		})
		noteTwice(fx)

		return runtime.Finish{}, err
	}
	var observed times
	config := core.Config{Store: store, Clock: &tickingClock{}, Observer: &observed}
	config.Model = model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
		return model.Reply{Text: "said"}, nil
	})
	p := &compiled.Program{Name: "p", Entry: "a", Agents: []compiled.Agent{{Name: "a", Pattern: "oneshot", Run: run}}}
	if _, err := core.New(config).Run(t.Context(), p, "", "x"); err != nil {
		t.Fatal(err)
	}

	return observed
}

// TestEventTimes: what a program reports between two effects has one time, that of the event of the
// engine before it if there is one. The first read of the clock is for the id of the run.
func TestEventTimes(t *testing.T) {
	got := timesOf(t, nil)
	if want := (times{2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6}); !slices.Equal(got, want) {
		t.Errorf("the times are %v, want %v", got, want)
	}
}

// TestEventTimesInJournal: with a journal each event has a time of its own.
func TestEventTimesInJournal(t *testing.T) {
	got := timesOf(t, journal.Memory())
	if distinct := slices.Compact(slices.Clone(got)); !slices.IsSorted(got) || len(distinct) != len(got) {
		t.Errorf("the times are %v", got)
	}
}
