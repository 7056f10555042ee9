package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestUnknownOutcomes: what had begun and has no result is repeated, asked about or the end of the
// run, as it allows.
func TestUnknownOutcomes(t *testing.T) {
	for _, c := range []struct {
		onUnknown, answer string
		value             string
		done              int
		fails             bool
	}{
		{"retry", "", "paid", 1, false},
		{"ask", "again", "paid", 1, false},
		{"", "skip", "", 0, false},
		{"ask", "fail", "", 0, true},
		{"ask", "done paid by hand", "paid by hand", 0, false},
		{"ask", `{"done": "paid by hand"}`, "paid by hand", 0, false},
		{"ask", `{"done": {"id": 1}}`, `{"id":1}`, 0, false},
		{"fail", "", "", 0, true},
	} {
		t.Run(c.onUnknown+" "+c.answer, func(t *testing.T) {
			w, store := newWorld(), journal.Memory()
			p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
				paid, err := fx.Tool(once(w, "pay", c.onUnknown))
				if err != nil {
					return runtime.Finish{}, err
				}

				return runtime.Finish{Value: paid.Text}, nil
			})
			ctx := t.Context()
			if _, err := with(w, store, nil).Run(ctx, p, "", ""); err != nil {
				t.Fatal(err)
			}
			all := recordsOf(t, store)
			at := slices.IndexFunc(all, func(r journal.Record) bool { return r.Type == journal.Intent })
			w.done = map[string]int{}
			store = cutAt(t, all, at+1)
			engine := with(w, store, nil)
			fin, err := engine.Resume(ctx, p, "r1", core.ResumeOptions{})
			if c.answer != "" {
				open, problem := engine.Questions(ctx, p, "r1")
				if len(core.Questions(err)) != 1 || problem != nil || len(open) != 1 || open[0].ID != "unknown:pay" || open[0].Address != "1" {
					t.Fatalf("%v %v %+v", err, problem, open)
				}
				if err := engine.Answer(ctx, p, "r1", "unknown:pay", c.answer, "ada"); err != nil {
					t.Fatal(err)
				}
				fin, err = engine.Resume(ctx, p, "r1", core.ResumeOptions{})
			}
			var unknown *core.UnknownOutcomeError
			if errors.As(err, &unknown) != c.fails || !c.fails && err != nil || fin.Value != c.value || w.done["1"] != c.done {
				t.Fatalf("%v %+v %v", err, fin, w.done)
			}
			if !c.fails {
				return
			}
			// Somebody has looked, and says what becomes of it.
			if err := engine.Answer(ctx, p, "r1", "unknown:pay", "again", "ada"); err != nil {
				t.Fatal(err)
			}
			if fin, err = engine.Resume(ctx, p, "r1", core.ResumeOptions{}); err != nil || fin.Value != "paid" || w.done["1"] != 1 {
				t.Errorf("%v %+v %v", err, fin, w.done)
			}
		})
	}
}

// interruptedAt is the store of a run of p that was interrupted while its first tool or function
// was at work.
func interruptedAt(t *testing.T, w *world, p *compiled.Program) journal.Store {
	t.Helper()
	store := journal.Memory()
	if _, err := with(w, store, nil).Run(t.Context(), p, "", ""); err != nil {
		t.Fatal(err)
	}
	all := recordsOf(t, store)
	at := slices.IndexFunc(all, func(r journal.Record) bool { return r.Type == journal.Intent })
	w.done = map[string]int{}

	return cutAt(t, all, at+1)
}

// TestUnknownOutcomesOfFunctions: a function follows what its source declares.
func TestUnknownOutcomesOfFunctions(t *testing.T) {
	for _, c := range []struct {
		call runtime.FuncCall
		done int
		err  string
	}{
		{runtime.FuncCall{}, 0, "PausedError"},
		{runtime.FuncCall{OnUnknown: "ask"}, 0, "PausedError"},
		{runtime.FuncCall{OnUnknown: "fail"}, 0, "UnknownOutcomeError"},
		{runtime.FuncCall{OnUnknown: "retry"}, 1, ""},
		{runtime.FuncCall{OnUnknown: "fail", Repeatable: true}, 1, ""},
	} {
		w := newWorld()
		p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			call := c.call
			call.Name, call.Args = "bank.api:pay", json.RawMessage(`{}`)
			call.Run = func(context.Context, json.RawMessage) (json.RawMessage, error) {
				w.did("pay")

				return json.RawMessage(`"paid"`), nil
			}
			paid, err := fx.Call(call)

			return runtime.Finish{Value: string(paid.Value)}, err
		})
		store := interruptedAt(t, w, p)
		_, err := with(w, store, nil).Resume(t.Context(), p, "r1", core.ResumeOptions{})
		isAsExpected := err == nil && c.err == "" || err != nil && runtime.ErrorType(err) == c.err
		if !isAsExpected || w.done["pay"] != c.done {
			t.Errorf("%+v: %v, done %d times", c.call, err, w.done["pay"])
		}
	}
}

// TestUnknownOutcomesAreShown: the question names the call, without secrets, to every reader of the
// journal. A run that only waits stays as it is when it is resumed.
func TestUnknownOutcomesAreShown(t *testing.T) {
	t.Setenv("BANK_API_KEY", "hunter2hunter2")
	w := newWorld()
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		call := once(w, "pay", "ask")
		call.Args = json.RawMessage(`{"id":"a","key":"hunter2hunter2"}`)
		paid, err := fx.Tool(call)

		return runtime.Finish{Value: paid.Text}, err
	})
	store := interruptedAt(t, w, p)
	want := event.UnknownEffect{
		Kind: "tool", Name: "pay", Agent: "desk", Args: json.RawMessage(`{"id":"a","key":"[redacted BANK_API_KEY]"}`), Address: "1", Key: "r1/1",
	}
	same := func(got *event.UnknownEffect) bool {
		return got != nil && got.Kind == want.Kind && got.Name == want.Name && got.Agent == want.Agent &&
			string(got.Args) == string(want.Args) && got.Address == want.Address && got.Key == want.Key
	}
	engine := with(w, store, nil)
	if open := trace.Of(recordsOf(t, store)).Questions; len(open) != 0 {
		t.Errorf("nothing is known to have ended, and %+v is asked", open)
	}
	var paused *runtime.PausedError
	if _, err := engine.Resume(t.Context(), p, "r1", core.ResumeOptions{}); !errors.As(err, &paused) || !same(paused.Question.Effect) {
		t.Fatalf("%v %+v", err, paused)
	}
	left := recordsOf(t, store)
	open := trace.Of(left).Questions
	if len(open) != 1 || open[0].ID != "unknown:pay" || open[0].Address != "1" || !same(open[0].Effect) || len(open[0].Choices) != 4 {
		t.Fatalf("the journal has the questions %+v", open)
	}
	paused = nil
	if _, err := engine.Resume(t.Context(), p, "r1", core.ResumeOptions{}); !errors.As(err, &paused) || !same(paused.Question.Effect) {
		t.Errorf("%v", err)
	}
	if again := recordsOf(t, store); len(again) != len(left) {
		t.Errorf("a run that only waits has %d records more", len(again)-len(left))
	}
	if err := engine.Answer(t.Context(), p, "r1", "unknown:pay", "done hunter2hunter2", "ada"); err != nil {
		t.Fatal(err)
	}
	if open := trace.Of(recordsOf(t, store)).Questions; len(open) != 0 {
		t.Errorf("it is answered, and %+v is open", open)
	}
	fin, err := engine.Resume(t.Context(), p, "r1", core.ResumeOptions{})
	if err != nil || fin.Value != "[redacted BANK_API_KEY]" || len(w.done) != 0 {
		t.Errorf("%v %+v %v", err, fin, w.done)
	}
}

// leasing is a store whose owners hold leases, which each owner but the last has renewed last at
// renewed.
type leasing struct {
	journal.Store
	renewed time.Time
}

func (l *leasing) Open(ctx context.Context, run string) (journal.File, error) {
	file, err := l.Store.Open(ctx, run)

	return &leased{file, l.renewed}, err
}

type leased struct {
	journal.File
	renewed time.Time
}

func (l *leased) Renewed() time.Time { return l.renewed }

// TestUnknownOutcomesOfLostLeases: the question says when the process that made the call was alive
// last, and stays as it is when other processes follow.
func TestUnknownOutcomesOfLostLeases(t *testing.T) {
	w := newWorld()
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		paid, err := fx.Tool(once(w, "pay", "ask"))

		return runtime.Finish{Value: paid.Text}, err
	})
	alive := time.Date(2026, 11, 29, 12, 1, 5, 0, time.UTC)
	store := &leasing{Store: interruptedAt(t, w, p), renewed: alive}
	const says = "renewed its lease of the run last at 2026-11-29 12:01:05 UTC. It may still be at work"
	for range 2 {
		var paused *runtime.PausedError
		if _, err := with(w, store, nil).Resume(t.Context(), p, "r1", core.ResumeOptions{}); !errors.As(err, &paused) || !strings.Contains(paused.Question.Prompt, says) {
			t.Fatalf("%v %+v", err, paused)
		}
		open, err := with(w, store, nil).Questions(t.Context(), p, "r1")
		if err != nil || len(open) != 1 || !strings.Contains(open[0].Prompt, says) {
			t.Errorf("%v %+v", err, open)
		}
		shown := trace.Of(recordsOf(t, store)).Questions
		if len(shown) != 1 || !strings.Contains(shown[0].Prompt, says) || !shown[0].Effect.Renewed.Equal(alive) {
			t.Errorf("%+v", shown)
		}
		store.renewed = store.renewed.Add(time.Hour) // of a process that has not made the call
	}
	first := &leasing{Store: interruptedAt(t, w, p)} // whose owner has given up the run
	var paused *runtime.PausedError
	if _, err := with(w, first, nil).Resume(t.Context(), p, "r1", core.ResumeOptions{}); !errors.As(err, &paused) || strings.Contains(paused.Question.Prompt, "lease") {
		t.Errorf("%v %+v", err, paused)
	}
}

// TestResultsInPlaceOfUnknownOnes: what a person gives in the place of a result has to fit it.
func TestResultsInPlaceOfUnknownOnes(t *testing.T) {
	number := func(raw json.RawMessage) error {
		var n int

		return json.Unmarshal(raw, &n)
	}
	w := newWorld()
	tool := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		call := once(w, "pay", "ask")
		spec := *call.Tool
		spec.Output, spec.CheckOutput = `{"type":"integer"}`, number
		call.Tool = &spec
		paid, err := fx.Tool(call)

		return runtime.Finish{Value: paid.Text, JSON: paid.JSON}, err
	})
	function := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		paid, err := fx.Call(runtime.FuncCall{
			Name: "pay", Args: json.RawMessage(`{"id":"a"}`), Check: number,
			Run: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
				w.didIn(ctx)

				return json.RawMessage(`1`), nil
			},
		})

		return runtime.Finish{Value: string(paid.Value), JSON: true}, err
	})
	for name, p := range map[string]*compiled.Program{"tool": tool, "function": function} {
		t.Run(name, func(t *testing.T) {
			store := interruptedAt(t, w, p)
			engine := with(w, store, nil)
			if _, err := engine.Resume(t.Context(), p, "r1", core.ResumeOptions{}); len(core.Questions(err)) != 1 {
				t.Fatal(err)
			}
			if open := trace.Of(recordsOf(t, store)).Questions; len(open) != 1 || open[0].Effect.Kind != name {
				t.Errorf("%+v", open)
			}
			for _, unfit := range []string{"done paid", `{"done":"x"}`, "done", "done ", `{"done":1,"by":2}`, "yes", ""} {
				var refused *runtime.AnswerError
				if err := engine.Answer(t.Context(), p, "r1", "unknown:pay", unfit, ""); !errors.As(err, &refused) {
					t.Errorf("%q: %v", unfit, err)
				}
			}
			if err := engine.Answer(t.Context(), p, "r1", "unknown:pay", "Done\t 17", ""); err != nil {
				t.Fatal(err)
			}
			fin, err := engine.Resume(t.Context(), p, "r1", core.ResumeOptions{})
			if err != nil || fin.Value != "17" || !fin.JSON || len(w.done) != 0 {
				t.Errorf("%v %+v %v", err, fin, w.done)
			}
		})
	}
}

// TestScriptWithoutAnswer: a tool that no script answers was not called, so there is no question
// about it, with a better script or with none.
func TestScriptWithoutAnswer(t *testing.T) {
	for name, script := range map[string]string{"script": `{"tools":{"bash":[{"result":"a line"}]}}`, "none": ""} {
		t.Run(name, func(t *testing.T) {
			p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
				result, err := fx.Tool(runtime.ToolCall{Agent: "desk", Tool: rt.Builtin("bash"), Args: json.RawMessage(`{"command":"ls"}`)})

				return runtime.Finish{Value: result.Text}, err
			})
			w, store := newWorld(), journal.Memory()
			_, err := with(w, store, func(c *core.Config) { c.Model, c.Script = nil, `{"desk":[]}` }).Run(t.Context(), p, "", "")
			var refused *runtime.ScriptError
			if !errors.As(err, &refused) {
				t.Fatal(err)
			}
			engine := with(w, store, func(c *core.Config) {
				if script != "" {
					c.Model, c.Script = nil, script
				}
			})
			if open, err := engine.Questions(t.Context(), p, "r1"); err != nil || len(open) != 0 {
				t.Errorf("%+v, %v", open, err)
			}
			if open := trace.Of(recordsOf(t, store)).Questions; len(open) != 0 {
				t.Errorf("%+v", open)
			}
			fin, err := engine.Resume(t.Context(), p, "r1", core.ResumeOptions{})
			if len(core.Questions(err)) != 0 || script != "" && (err != nil || fin.Value != "a line") {
				t.Errorf("%+v, %v", fin, err)
			}
		})
	}
}
