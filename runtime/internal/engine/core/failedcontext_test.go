package core_test

import (
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// lastEvent keeps the newest event.
type lastEvent struct{ event.Event }

func (l *lastEvent) Observe(e event.Event) { l.Event = e }

// TestFailedRunKeepsItsContext: the context of a workflow at the time of its failure is beside the
// error, and with an end state that is a failure its key, in the event of the end, and in the journal. A run that only pauses has not ended.
func TestFailedRunKeepsItsContext(t *testing.T) {
	const context = `{"score":7}`
	for _, c := range []struct {
		err                  error
		status, context, key string
	}{
		{errors.New("down"), "failed", context, ""}, {&runtime.EndStateError{State: "undone"}, "failed", context, "undone"},
		{&runtime.PausedError{}, "paused", "", ""}, {nil, "done", context, "undone"},
	} {
		run := func(runtime.Effects, string) (runtime.Finish, error) {
			return runtime.Finish{Key: "undone", Context: context}, c.err
		}
		p := &compiled.Program{Name: "p", Entry: "w", Agents: []compiled.Agent{{Name: "w", Pattern: "workflow", Run: run}}}
		store, ended := journal.Memory(), &lastEvent{}
		e := core.New(core.Config{Store: store, Observer: ended})
		fin, err := e.Run(t.Context(), p, "w", "task")
		if fin.Key != c.key || ended.Key != c.key {
			t.Errorf("%s: the keys are %q and %q", c.status, fin.Key, ended.Key)
		}
		if fin.Context != context || (err == nil) != (c.err == nil) {
			t.Errorf("%s: %+v, %v", c.status, fin, err)
		}
		if ended.Status != c.status || ended.Context != c.context {
			t.Errorf("the event of the end is %+v", ended.Event)
		}
		names, err := store.List(t.Context(), journal.Query{})
		if err != nil || len(names) != 1 {
			t.Fatalf("the runs are %v, %v", names, err)
		}
		o, err := journal.Read(t.Context(), store, names[0], trace.Outline...)
		if err != nil {
			t.Fatal(err)
		}
		if got := trace.Of(o.Records); got.Status != c.status || got.FinalContext != c.context {
			t.Errorf("the journal says %s, %s", got.Status, got.FinalContext)
		}
	}
}
