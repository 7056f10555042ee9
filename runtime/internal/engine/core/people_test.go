package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestAnswersWhileOthersWork: a question of one branch is answered while another still works, once.
func TestAnswersWhileOthersWork(t *testing.T) {
	w, store := newWorld(), journal.Memory()
	asked, released := make(chan struct{}), make(chan struct{})
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		value := ""
		err := fx.Parallel(2, 0, func(i int, fx runtime.Effects) error {
			if i == 0 {
				answer, err := fx.Ask(runtime.Question{ID: "ok"})
				value = answer.Value
				if err != nil {
					close(asked)
				}

				return err
			}
			work := once(w, "work", "ask")
			run := work.Run
			work.Run = func(ctx context.Context, args json.RawMessage) (runtime.ToolResult, error) {
				<-released

				return run(ctx, args)
			}
			_, err := fx.Tool(work)

			return err
		})

		return runtime.Finish{Value: value}, err
	})
	engine := with(w, store, nil)
	ended := make(chan error)
	go func() {
		_, err := engine.Run(context.Background(), p, "", "")
		ended <- err
	}()
	<-asked
	other := with(w, store, nil)
	if err := other.Answer(t.Context(), p, "r1", "ok@0", "fine", ""); !errors.Is(err, journal.ErrRunLocked) {
		t.Errorf("%v", err)
	}
	if open, err := other.Questions(t.Context(), p, "r1"); err != nil || len(open) != 1 {
		t.Errorf("%v %v", open, err)
	}
	if err := engine.Answer(t.Context(), p, "r1", "ok@0", "fine", "ada"); err != nil {
		t.Errorf("%v", err)
	}
	if err := engine.Answer(t.Context(), p, "r1", "ok@0", "other", ""); !isCoded(err, "AnsweredError", "by ada") {
		t.Errorf("%v", err)
	}
	var unknown *question.UnknownQuestionError
	if err := engine.Answer(t.Context(), p, "r1", "no", "other", ""); !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
	close(released)
	var paused *runtime.PausedError
	if err := <-ended; !errors.As(err, &paused) {
		t.Errorf("%v", err)
	}
	if fin, err := engine.Resume(t.Context(), p, "r1", core.ResumeOptions{}); err != nil || fin.Value != "fine" || w.done["1.1.1"] != 1 {
		t.Errorf("%v %v %v", fin, err, w.done)
	}
}

// TestAskersAreRecorded: what somebody answers on the spot is not asked again, wherever the run is
// interrupted.
func TestAskersAreRecorded(t *testing.T) {
	w := newWorld()
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		answer, err := fx.Ask(runtime.Question{ID: "ok", Prompt: "Well?"})
		if err != nil {
			return runtime.Finish{}, err
		}
		_, err = fx.Model(model.Request{Agent: "desk"})

		return runtime.Finish{Value: answer.Value + " by " + answer.By}, err
	})
	store := journal.Memory()
	asker := func(c *core.Config) { c.Asker = w }
	want, err := with(w, store, asker).Run(t.Context(), p, "", "")
	if err != nil || want.Value != "answer to Well? by ada" {
		t.Fatal(want, err)
	}
	all := recordsOf(t, store)
	for n := 1; n < len(all); n++ {
		before := w.asked["ok"]
		fin, err := with(w, cutAt(t, all, n), asker).Resume(t.Context(), p, "r1", core.ResumeOptions{})
		if err != nil || fin != want {
			t.Errorf("%d: %v %v", n, fin, err)
		}
		if again := w.asked["ok"] > before; again == finished(all[:n])["1"] {
			t.Errorf("%d: asked again: %v", n, again)
		}
	}
}

// TestStopsAreForgiven: a machine that a signal has stopped goes on when its run is resumed, and
// what a signal has fired stays fired.
func TestStopsAreForgiven(t *testing.T) {
	rules := []signals.Rule{
		{On: "stop", In: []string{"y"}, Do: signals.GracefulStop}, {On: "hurry", Do: signals.Fire, Key: "hurried"},
	}
	sent := &signaling.Signals{}
	w, store := newWorld(), journal.Memory()
	p := listeningTo(rules, w, func(call string) {
		if call == "y" && w.done["stopped"] == 0 {
			w.did("stopped")
			sent.Send(signals.Signal{Kind: "stop"})
		}
		if call == "x" {
			sent.Send(signals.Signal{Kind: "hurry", Value: "now"})
		}
	})
	change := func(c *core.Config) { c.Signals = sent }
	_, err := with(w, store, change).Run(t.Context(), p, "", "")
	var cancelled *runtime.CancelledError
	if !errors.As(err, &cancelled) {
		t.Fatal(err)
	}
	stopped := recordsOf(t, store)
	fin, err := with(w, store, change).Resume(t.Context(), p, "r1", core.ResumeOptions{})
	if err != nil || fin.Value != "hurried ok " {
		t.Errorf("%v %v", fin, err)
	}
	told(t, recordsOf(t, store))
	for n := 1; n < len(stopped); n++ {
		fin, err := with(w, cutAt(t, stopped, n), change).Resume(t.Context(), p, "r1", core.ResumeOptions{})
		// A signal that came to a process which died before the machine heard of it has died with
		// it.
		heard := false
		for _, r := range stopped[:n] {
			signal, _ := r.Get("signal")
			heard = heard || signal != ""
		}
		if want := map[bool]string{true: "hurried ok ", false: "ok ok "}[heard]; fin.Value != want && !errors.As(err, &cancelled) && n > 4 {
			t.Errorf("%d: %v %v", n, fin, err)
		}
	}
}

// listeningTo is a machine of two states, which hears of signals at the end of each; its value has
// the keys.
func listeningTo(rules []signals.Rule, w *world, during func(state string)) *compiled.Program {
	return desk(func(fx runtime.Effects, input string) (runtime.Finish, error) {
		m := rt.Flow("machine").Machine(fx, 5, input)
		m.Listen(rules...)
		keys := ""
		for _, state := range []string{"x", "y"} {
			m.Enter(state)
			_, err := fx.Tool(runtime.ToolCall{
				Tool: &runtime.ToolSpec{Name: state, Effect: runtime.EffectRead}, Args: json.RawMessage("{}"),
				Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
					during(state)

					return runtime.ToolResult{Text: "ok"}, nil
				},
			})
			m.RecordOutput(runtime.Finish{Key: "ok"}, err)
			if m.ReceiveSignals() {
				return m.End()
			}
			keys += m.Key() + " "
			m.RecordTransition(m.Key(), rt.MatchExact, "y")
		}
		_, err := m.End()

		return runtime.Finish{Value: keys}, err
	})
}
