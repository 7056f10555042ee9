package core_test

import (
	"encoding/json"
	"errors"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// asks is a program that asks a model about each input.
func asks(inputs ...string) *compiled.Program {
	return desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		var replies []string
		for turn, input := range inputs {
			reply, err := fx.Model(model.Request{Agent: "desk", Turn: turn, Input: input})
			if err != nil {
				return runtime.Finish{}, err
			}
			replies = append(replies, reply.Text)
		}

		return said(strings.Join(replies, ", "))
	})
}

// interrupted is a store with a run that was cut after n records.
func interrupted(t *testing.T, p *compiled.Program, n int) journal.Store {
	t.Helper()
	store := journal.Memory()
	if _, err := with(newWorld(), store, nil).Run(t.Context(), p, "", ""); err != nil {
		t.Fatal(err)
	}
	all := recordsOf(t, store)

	return cutAt(t, all, min(n, len(all)-1))
}

const most = 1 << 20

func TestDivergence(t *testing.T) {
	tool := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		_, err := fx.Tool(once(newWorld(), "pay", ""))

		return runtime.Finish{}, err
	})
	ignoring := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		_, _ = fx.Tool(once(newWorld(), "pay", ""))
		_, _ = fx.Model(model.Request{})

		return runtime.Finish{}, nil
	})
	wrapped := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		return runtime.Finish{}, fx.Parallel(1, 0, func(int, runtime.Effects) error { return nil })
	})
	for name, c := range map[string]struct {
		was, is         *compiled.Program
		at, wants, gets string
	}{
		"another kind":      {asks("a"), tool, "1", `the model of agent "desk"`, `tool "pay"`},
		"which it ignores":  {asks("a"), ignoring, "1", `the model of agent "desk"`, `tool "pay"`},
		"another input":     {asks("a", "b"), asks("a", "c"), "2", `the model of agent "desk"`, `the model of agent "desk" with another prompt or other messages`},
		"fewer effects":     {asks("a", "b"), asks("a"), "2", `the model of agent "desk"`, "nothing, for the run has ended"},
		"a group":           {asks("a"), wrapped, "1", `the model of agent "desk"`, "a parallel group"},
		"fewer in a branch": {desk(grouped(2)), desk(grouped(1)), "1.0.2", `the model of agent "desk"`, "nothing, for branch 0 has ended"},
		"a smaller group":   {desk(grouped(0)), wrapped, "1", "a parallel group", "a parallel group with something else"},
	} {
		store := interrupted(t, c.was, most)
		before := len(recordsOf(t, store))
		_, err := with(newWorld(), store, nil).Resume(t.Context(), c.is, "r1", core.ResumeOptions{})
		var diverges *core.DivergenceError
		if !errors.As(err, &diverges) || diverges.Run != "r1" || diverges.Address != c.at || diverges.Want != c.wants || diverges.Got != c.gets {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := with(newWorld(), store, nil).Questions(t.Context(), c.is, "r1"); !errors.As(err, &diverges) {
			t.Errorf("%s: questions: %v", name, err)
		}
		// Nothing is lost: the program that the run began with goes on.
		if len(recordsOf(t, store)) < before {
			t.Errorf("%s: records are gone", name)
		}
		if _, err := with(newWorld(), store, nil).Resume(t.Context(), c.was, "r1", core.ResumeOptions{}); err != nil {
			t.Errorf("%s: afterwards: %v", name, err)
		}
	}
}

// grouped asks a model n times in each of two branches, and then once more.
func grouped(n int) func(runtime.Effects, string) (runtime.Finish, error) {
	return func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		err := fx.Parallel(2, 1, func(_ int, fx runtime.Effects) error {
			for turn := range n {
				if _, err := fx.Model(model.Request{Agent: "desk", Turn: turn}); err != nil {
					return err
				}
			}

			return nil
		})

		return runtime.Finish{Key: "done"}, err
	}
}

// TestShapeAndText: another shape is refused or forced, and another text goes on; the resume event
// tells of both.
func TestShapeAndText(t *testing.T) {
	program := func(shape, text, second string) *compiled.Program {
		p := asks("a", second)
		p.Shape, p.Text = shape, text

		return p
	}
	store := interrupted(t, program("s1", "t1", "b"), 4) // begin, run, intent, result
	_, err := with(newWorld(), store, nil).Resume(t.Context(), program("s2", "t1", "b"), "r1", core.ResumeOptions{})
	if !isCoded(err, "ShapeError", "(shape s1, and now s2)") {
		t.Fatal(err)
	}
	if err := with(newWorld(), store, nil).Answer(t.Context(), program("s2", "t1", "b"), "r1", "q", "", ""); !isCoded(err, "ShapeError", "") {
		t.Errorf("%v", err)
	}
	seen := &watcher{}
	fin, err := with(newWorld(), store, func(c *core.Config) { c.Observer = seen }).
		Resume(t.Context(), program("s2", "t2", "changed"), "r1", core.ResumeOptions{ForceShape: true})
	if err != nil || fin.Value != "reply to a, reply to changed" {
		t.Errorf("%v %v", fin, err)
	}
	var resumed *event.Event
	for i := range seen.events {
		if seen.events[i].Kind == event.Resume {
			resumed = &seen.events[i]
		}
	}
	if resumed == nil || resumed.Text != "t2" || resumed.Shape != "s2" {
		t.Errorf("%+v", resumed)
	}
	var opened *journal.Record
	records := recordsOf(t, store)
	for i := range records {
		if records[i].Type == journal.Opened {
			opened = &records[i]
		}
	}
	if forced, _ := opened.Get("forced"); forced != "true" {
		t.Errorf("%+v", opened)
	}
}

// TestTextLetsPromptsChange: what only prompts decide is no divergence if the text hash is another.
func TestTextLetsPromptsChange(t *testing.T) {
	store := interrupted(t, asks("a", "b"), most)
	p := asks("another", "b")
	var diverges *core.DivergenceError
	if _, err := with(newWorld(), store, nil).Resume(t.Context(), p, "r1", core.ResumeOptions{}); !errors.As(err, &diverges) {
		t.Fatal(err)
	}
	p.Text = "t2"
	fin, err := with(newWorld(), store, nil).Resume(t.Context(), p, "r1", core.ResumeOptions{})
	if err != nil || fin.Value != "reply to a, reply to b" {
		t.Errorf("%v %v", fin, err)
	}
}

func TestWrongPrograms(t *testing.T) {
	store := interrupted(t, asks("a"), 2)
	engine, ctx := with(newWorld(), store, nil), t.Context()
	other, renamed := asks("a"), asks("a")
	other.Name = "other"
	renamed.Agents[0].Name = "renamed"
	if _, err := engine.Resume(ctx, other, "r1", core.ResumeOptions{}); !isCoded(err, "WrongProgramError", `program "desk", not of "other"`) {
		t.Errorf("%v", err)
	}
	if _, err := engine.Resume(ctx, renamed, "r1", core.ResumeOptions{}); !isCoded(err, "WrongProgramError", `of agent "desk"`) {
		t.Errorf("%v", err)
	}
	if err := engine.Cancel(ctx, other, "r1", ""); !isCoded(err, "WrongProgramError", "") {
		t.Errorf("%v", err)
	}
	if _, err := engine.Resume(ctx, asks("a"), "r2", core.ResumeOptions{}); !errors.Is(err, journal.ErrUnknownRun) {
		t.Errorf("%v", err)
	}
	none := with(newWorld(), nil, nil)
	if _, err := none.Resume(ctx, asks("a"), "r1", core.ResumeOptions{}); !errors.Is(err, core.ErrNoStore) {
		t.Errorf("%v", err)
	}
	if _, err := engine.Resume(ctx, asks("a"), "r1", core.ResumeOptions{}); err != nil {
		t.Errorf("%v", err)
	}
	if _, err := engine.Run(ctx, asks("a"), "", ""); !errors.Is(err, journal.ErrRunExists) {
		t.Errorf("%v", err)
	}
}

// TestContextComesBack: a workflow that began with a context goes on with it.
func TestContextComesBack(t *testing.T) {
	p := asks("a")
	p.Agents[0].Context = &compiled.Context{
		Check: func(json.RawMessage) error { return nil },
		Run: func(fx runtime.Effects, _ string, context json.RawMessage) (runtime.Finish, error) {
			reply, err := fx.Model(model.Request{Agent: "desk", Input: string(context)})

			return runtime.Finish{Value: reply.Text}, err
		},
	}
	begun, err := p.WithContext("", json.RawMessage(`{"n":1}`))
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < 6; n++ {
		store := interrupted(t, begun, n)
		fin, err := with(newWorld(), store, nil).Resume(t.Context(), p, "r1", core.ResumeOptions{})
		if err != nil || fin.Value != `reply to {"n":1}` {
			t.Errorf("%d: %v %v", n, fin, err)
		}
	}
}

// TestScriptsGoOn: the script that a run began with serves those that resume it.
func TestScriptsGoOn(t *testing.T) {
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		var all []string
		for turn := range 2 {
			reply, err := fx.Model(model.Request{Agent: "desk", Turn: turn})
			if err != nil {
				return runtime.Finish{}, err
			}
			answer, err := fx.Ask(runtime.Question{ID: "q"})
			if err != nil {
				return runtime.Finish{}, err
			}
			tool, err := fx.Tool(runtime.ToolCall{Agent: "desk", Tool: &runtime.ToolSpec{Name: "t"}, Nth: turn, Args: json.RawMessage("{}")})
			if err != nil {
				return runtime.Finish{}, err
			}
			call, err := fx.Call(runtime.FuncCall{Name: "f", Args: json.RawMessage("{}")})
			if err != nil {
				return runtime.Finish{}, err
			}
			verdict, err := fx.Guard(runtime.GuardCall{Name: "g"})
			if err != nil {
				return runtime.Finish{}, err
			}
			all = append(all, reply.Text, answer.Value, tool.Text, string(call.Value), verdict.Reason)
		}

		return said(strings.Join(all, " "))
	})
	p.Agents[0].Questions, p.Guards, p.Funcs = []string{"q"}, []string{"g"}, []string{"f"}
	p.Tools = []*runtime.ToolSpec{{Name: "t"}}
	scripted := func(c *core.Config) {
		c.Model = nil
		c.Retry = model.Retry{}
		c.Script = `{"desk":[{"error":{"status":503}},{"say":"m1"},{"say":"m2"}],"ask":{"q":["a1","a2"]},"tools":{"t":[{"result":"t1"},{"result":"t2"}]},` +
			`"funcs":{"f":[{"result":"f1"},{"result":"f2"}]},"guards":{"g":[{"ok":false,"reason":"g1"},{"ok":false,"reason":"g2"}]}}`
	}
	store := journal.Memory()
	want, err := with(newWorld(), store, scripted).Run(t.Context(), p, "", "")
	if err != nil || want.Value != `m1 a1 t1 "f1" g1 m2 a2 t2 "f2" g2` {
		t.Fatalf("%v %v", want, err)
	}
	all := recordsOf(t, store)
	for n := 1; n < len(all); n++ {
		if len(begun(all[:n])) > 0 {
			continue // a script has no answer to what nobody knows
		}
		fin, err := with(newWorld(), cutAt(t, all, n), scripted).Resume(t.Context(), p, "r1", core.ResumeOptions{})
		if err != nil || fin != want {
			t.Errorf("%d: %v %v", n, fin, err)
		}
	}
}

// TestSleepGoesOn: what is left of a wait is waited for.
func TestSleepGoesOn(t *testing.T) {
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		before := fx.Now()
		if err := fx.Sleep(time.Hour); err != nil {
			return runtime.Finish{}, err
		}

		return said(before.UTC().Format(time.RFC3339) + " " + fx.Now().UTC().Format(time.RFC3339))
	})
	store := interrupted(t, p, 4) // begin, run, now, sleep
	begun := time.Unix(1e9, 0)
	for minutes, want := range map[int]string{50: "02:46:40Z", 10: "02:46:40Z", 90: "03:16:40Z"} {
		clock := clock.NewSkip(begun.Add(time.Duration(minutes) * time.Minute))
		fin, err := with(newWorld(), cutAt(t, recordsOf(t, store), 4), func(c *core.Config) { c.Clock = clock }).
			Resume(t.Context(), p, "r1", core.ResumeOptions{})
		if err != nil || fin.Value != "2001-09-09T01:46:40Z 2001-09-09T"+want {
			t.Errorf("%d: %v %v", minutes, fin, err)
		}
	}
}

// A result is not kept back until something else is recorded, which may take long to come: others
// work in a branch beside it.
func TestResultsOfBranchesThatHaveEndedAreKept(t *testing.T) {
	store := journal.Memory()
	kept := func() bool {
		j, err := journal.Read(t.Context(), store, "r1")
		if err != nil {
			t.Error(err)
			return true
		}
		last := j.Records[len(j.Records)-1]

		return last.Type == journal.Result && last.Address == "1.0.1"
	}
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		err := fx.Parallel(2, 1, func(i int, fx runtime.Effects) error {
			if i == 0 {
				_, err := fx.Model(model.Request{Agent: "desk"})

				return err
			}
			for !kept() { // works without an effect
				goruntime.Gosched()
			}

			return nil
		})
		if err != nil {
			return runtime.Finish{}, err
		}

		return said("")
	})
	if _, err := with(newWorld(), store, nil).Run(t.Context(), p, "", ""); err != nil {
		t.Fatal(err)
	}
}
