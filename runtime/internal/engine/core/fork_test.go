package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// errand has an effect of each kind, in order; what it came to is what they said.
func errand(w *world) *compiled.Program {
	return desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		var said []string
		reply, err := fx.Model(model.Request{Agent: "desk"})
		if err != nil {
			return runtime.Finish{}, err
		}
		said = append(said, reply.Text)
		for _, call := range reply.Calls {
			said = append(said, call.Name+call.Args)
		}
		paid, err := fx.Tool(once(w, "pay", "ask"))
		if err != nil {
			return runtime.Finish{}, err
		}
		call, err := fx.Call(runtime.FuncCall{Name: "f", Args: json.RawMessage("1"), Run: func(
			ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			w.didIn(ctx)

			return args, nil
		}})
		if err != nil {
			return runtime.Finish{}, err
		}
		verdict, err := fx.Guard(runtime.GuardCall{Name: "g", Run: func(context.Context) (runtime.Verdict, error) { return runtime.Yes(), nil }})
		if err != nil {
			return runtime.Finish{}, err
		}
		answer, err := fx.Ask(runtime.Question{ID: "q", Choices: []string{"yes", "no"}})
		if err != nil {
			return runtime.Finish{}, err
		}
		said = append(said, paid.Text, string(call.Value), verdict.Reason, answer.Value)
		err = fx.Parallel(2, 0, func(i int, fx runtime.Effects) error {
			_, err := fx.Tool(once(w, "side", "ask"))

			return err
		})

		return runtime.Finish{Value: strings.Join(said, "|")}, err
	})
}

func TestForks(t *testing.T) {
	w, store := newWorld(), journal.Memory()
	ids := []string{"r1"}
	yes := func(c *core.Config) {
		c.Asker = yesMan{}
		c.RunID = func() string {
			id := ids[0]
			ids = ids[1:]

			return id
		}
	}
	ctx, p := t.Context(), errand(w)
	engine := with(w, store, yes)
	before, err := engine.Run(ctx, p, "", "")
	if err != nil || before.Value != `reply to |finish{"a":1}|paid|1||yes` {
		t.Fatalf("%v %v", before, err)
	}
	for _, c := range []struct {
		at, reply, want string
		redone          string // the effects that are carried out again
	}{
		{"1", "", `reply to |finish{"a":1}|paid|1||yes`, "2 3 6.0.1 6.1.1"},
		{"1", "other", `other|paid|1||yes`, "2 3 6.0.1 6.1.1"},
		{"1", `{"calls":[{"name":"start","args":{"b": 2}}]}`, `|start{"b": 2}|paid|1||yes`, "2 3 6.0.1 6.1.1"},
		{"2", "not paid\n", `reply to |finish{"a":1}|not paid|1||yes`, "3 6.0.1 6.1.1"},
		{"3", `{"x":1}`, `reply to |finish{"a":1}|paid|{"x":1}||yes`, "6.0.1 6.1.1"},
		{"4", `{"ok":false,"reason":"no"}`, `reply to |finish{"a":1}|paid|1|no|yes`, "6.0.1 6.1.1"},
		{"5", "N", `reply to |finish{"a":1}|paid|1||no`, "6.0.1 6.1.1"},
		{"6", "", `reply to |finish{"a":1}|paid|1||yes`, "6.0.1 6.1.1"},
	} {
		ids = []string{"fork"}
		var reply []byte
		if c.reply != "" {
			reply = []byte(c.reply)
		}
		run, err := engine.Fork(ctx, p, "r1", c.at, core.ForkOptions{Reply: reply})
		if err != nil || run != "fork" {
			t.Errorf("%s: %v", c.at, err)

			continue
		}
		w.done = map[string]int{}
		fin, err := engine.Resume(ctx, p, run, core.ResumeOptions{})
		if err != nil || fin.Value != c.want {
			t.Errorf("%s: %v %v\nwant %s", c.at, fin.Value, err, c.want)
		}
		for address, times := range w.done {
			if times != 1 || !strings.Contains(" "+c.redone+" ", " "+address+" ") {
				t.Errorf("%s: %s was done %d times", c.at, address, times)
			}
		}
		if len(w.done) != len(strings.Fields(c.redone)) {
			t.Errorf("%s: done %v", c.at, w.done)
		}
		j, err := journal.Read(ctx, store, run)
		if err != nil {
			t.Fatal(err)
		}
		if from, _ := j.Records[0].Get("forked_from"); from != "r1" {
			t.Errorf("%+v", j.Records[0])
		}
		told(t, j.Records)
		if err := store.Remove(ctx, run); err != nil {
			t.Fatal(err)
		}
	}
	if fin, err := engine.Resume(ctx, p, "r1", core.ResumeOptions{}); err != nil || fin != before {
		t.Errorf("the run itself: %v %v", fin, err)
	}
	ids = []string{"fork"}
	for at, reply := range map[string]string{"9": "", "6": "x", "3": "{", "4": "yes", "6.0": ""} {
		if _, err := engine.Fork(ctx, p, "r1", at, core.ForkOptions{Reply: []byte(reply)}); !isCoded(err, "UnknownAddressError", "effect "+at+":") {
			t.Errorf("%s: %v", at, err)
		}
	}
	var refused *runtime.AnswerError
	if _, err := engine.Fork(ctx, p, "r1", "5", core.ForkOptions{Reply: []byte("perhaps")}); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
}

type yesMan struct{}

func (yesMan) Ask(context.Context, runtime.Question) (runtime.Answer, error) {
	return runtime.Answer{Value: "yes"}, nil
}

// TestForksOfFailures: what a run has failed with can have gone otherwise.
func TestForksOfFailures(t *testing.T) {
	store := journal.Memory()
	w := newWorld()
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		reply, err := fx.Model(model.Request{Agent: "flaky"})

		return runtime.Finish{Value: reply.Text}, err
	})
	ids := "r1"
	engine := with(w, store, func(c *core.Config) { c.RunID = func() string { return ids } })
	if _, err := engine.Run(t.Context(), p, "", ""); err == nil {
		t.Fatal("it did not fail")
	}
	for range 2 { // the second time it was tried twice
		if _, err := engine.Resume(t.Context(), p, "r1", core.ResumeOptions{}); err == nil {
			t.Fatal("it did not fail")
		}
	}
	ids = "r2"
	if _, err := engine.Fork(t.Context(), p, "r1", "1", core.ForkOptions{Reply: []byte("well")}); err != nil {
		t.Fatal(err)
	}
	if fin, err := engine.Resume(t.Context(), p, "r2", core.ResumeOptions{}); err != nil || fin.Value != "well" {
		t.Errorf("%v %v", fin, err)
	}
}

// A run whose journal is damaged in the middle is forked at every effect that is before the damage,
// and at none behind it.
func TestForksBeforeDamage(t *testing.T) {
	w, dir := newWorld(), t.TempDir()
	id := "r1"
	engine := with(w, journal.Files(dir), func(c *core.Config) {
		c.Asker = yesMan{}
		c.RunID = func() string { return id }
	})
	ctx, p := t.Context(), errand(w)
	want, err := engine.Run(ctx, p, "", "")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := journal.Read(ctx, journal.Files(dir), "r1")
	if err != nil {
		t.Fatal(err)
	}
	behind := "" // the branch that begins last has the last effect
	for i := range whole.Records {
		if whole.Records[i].Type == journal.Intent {
			behind = whole.Records[i].Address
		}
	}
	path := filepath.Join(dir, "r1.journal")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)*3/4] ^= 1
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}

	damaged := (*journal.DamagedError)(nil)
	if _, err := engine.Resume(ctx, p, "r1", core.ResumeOptions{}); !errors.As(err, &damaged) {
		t.Errorf("it was resumed: %v", err)
	}
	read, err := journal.Read(ctx, journal.Files(dir), "r1")
	if read == nil || !errors.As(err, &damaged) {
		t.Fatalf("%v %v", read, err)
	}
	forks := 0
	for i := range read.Records {
		if read.Records[i].Type != journal.Intent {
			continue
		}
		forks++
		id = fmt.Sprint("fork", forks)
		run, err := engine.Fork(ctx, p, "r1", read.Records[i].Address, core.ForkOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if fin, err := engine.Resume(ctx, p, run, core.ResumeOptions{}); err != nil || fin.Value != want.Value {
			t.Errorf("at %s: %v %v", read.Records[i].Address, fin, err)
		}
	}
	if forks < 2 {
		t.Errorf("%d effects are before the damage", forks)
	}
	if _, err := engine.Fork(ctx, p, "r1", behind, core.ForkOptions{}); !errors.As(err, &damaged) {
		t.Errorf("forked at %s, behind the damage: %v", behind, err)
	}
}
