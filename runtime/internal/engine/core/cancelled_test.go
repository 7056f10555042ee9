package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestCancelledRuns: a run is cancelled here, from another engine, and where nobody works on it; it
// can be resumed.
func TestCancelledRuns(t *testing.T) {
	for _, from := range []string{"here", "elsewhere"} {
		store := journal.Memory()
		w := newWorld()
		working := make(chan struct{})
		p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			pay := once(w, "pay", "retry")
			if len(w.done) == 0 {
				pay.Run = func(ctx context.Context, _ json.RawMessage) (runtime.ToolResult, error) {
					w.didIn(ctx)
					close(working)
					<-ctx.Done()

					return runtime.ToolResult{}, ctx.Err()
				}
			}
			paid, err := fx.Tool(pay)

			return runtime.Finish{Value: paid.Text}, err
		})
		engine := with(w, store, nil)
		core.SetPoll(engine, time.Millisecond)
		ended := make(chan error)
		go func() {
			_, err := engine.Run(context.Background(), p, "", "")
			ended <- err
		}()
		<-working
		canceller := engine
		if from == "elsewhere" {
			canceller = with(newWorld(), store, nil)
		}
		if err := canceller.Cancel(t.Context(), p, "r1", "ann"); err != nil {
			t.Fatal(err)
		}
		var cancelled *runtime.CancelledError
		if err := <-ended; !errors.As(err, &cancelled) || err.Error() != "the run was cancelled by ann" {
			t.Errorf("%s: %v", from, err)
		}
		records := recordsOf(t, store)
		if last := records[len(records)-1]; last.Type != journal.End || last.Name != "cancelled" {
			t.Errorf("%+v", last)
		}
		if err := canceller.Cancel(t.Context(), p, "r1", "ann"); !isCoded(err, "RunEndedError", "") {
			t.Errorf("%v", err)
		}
		if fin, err := canceller.Resume(t.Context(), p, "r1", core.ResumeOptions{}); err != nil || fin.Value != "paid" || w.done["1"] != 2 {
			t.Errorf("%v %v %v", fin, err, w.done)
		}
	}

	p := asks("a", "b")
	store := interrupted(t, p, 4)
	engine := with(newWorld(), store, nil)
	if err := engine.Cancel(t.Context(), p, "r1", "ann"); err != nil {
		t.Fatal(err)
	}
	told(t, recordsOf(t, store))
	if fin, err := engine.Resume(t.Context(), p, "r1", core.ResumeOptions{}); err != nil || fin.Value != "reply to a, reply to b" {
		t.Errorf("%v %v", fin, err)
	}
	told(t, recordsOf(t, store))
}
