package core_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// counter answers for every model and counts by system prompt.
type counter struct {
	mu     sync.Mutex
	asked  []string
	broken bool
}

func (c *counter) Chat(_ context.Context, r model.Request) (model.Reply, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, r.System)
	if c.broken {
		return model.Reply{}, &model.Error{Status: 400, Class: model.BadRequest, Message: "no"}
	}

	return model.Reply{Text: strings.ToUpper(r.System), StopReason: "stop"}, nil
}

// since returns what was asked since the last call, sorted.
func (c *counter) since() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	asked := c.asked
	c.asked = nil
	slices.Sort(asked)

	return strings.Join(asked, " ")
}

// line asks one model after another; prompts in brackets, as in [a b], are branches that run side
// by side.
func line(prompts string) *compiled.Program {
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		var said []string
		ask := func(fx runtime.Effects, prompt string) (string, error) {
			reply, err := fx.Model(model.Request{Agent: "desk", Turn: 1, System: prompt, Messages: []model.Message{{Role: model.RoleUser, Text: "go"}}})
			fx.Note(event.Event{Kind: event.Step, Agent: "desk", Name: prompt, Value: reply.Text})

			return reply.Text, err
		}
		for prompt, rest := "", prompts; rest != ""; {
			if group, after, isGroup := strings.Cut(rest, "] "); isGroup && rest[0] == '[' {
				branches := strings.Fields(group[1:])
				replies := make([]string, len(branches))
				err := fx.Parallel(len(branches), 0, func(i int, fx runtime.Effects) error {
					var err error
					for _, prompt := range strings.Split(branches[i], "-") {
						var reply string
						reply, err = ask(fx, prompt)
						replies[i] += reply
					}

					return err
				})
				if err != nil {
					return runtime.Finish{}, err
				}
				said, rest = append(said, replies...), after

				continue
			}
			prompt, rest, _ = strings.Cut(rest, " ")
			reply, err := ask(fx, prompt)
			if err != nil {
				return runtime.Finish{}, err
			}
			said = append(said, reply)
		}

		return runtime.Finish{Key: "done", Value: strings.Join(said, " ")}, nil
	})
	p.Text = prompts

	return p
}

// TestForksChanged: an edited program asks again what the edit changes, and what comes after it in
// the same branch.
func TestForksChanged(t *testing.T) {
	const before = "a b c-0 [d-e f-g] h"
	for after, want := range map[string]struct{ at, asked string }{
		before:                  {"", ""},
		"a b c-0 [d-e f-g] H":   {"5", "H"},
		"a b c-0 [d-e f-G] h":   {"4.1.2", "G h"},
		"a b c-0 [D-e f-G] h":   {"4.0.1 4.1.2", "D G e h"},
		"a b C-0 [d-e f-g] h":   {"3", "C-0 d e f g h"},
		"A b c-0 [d-e f-g] h":   {"1", "A b c-0 d e f g h"},
		"a b x c-0 [d-e f-g] h": {"3", "c-0 d e f g h x"},
		"a b c-0 [d-e] h":       {"4", "d e h"},
		"a b c-0 [d-e f] h":     {"4.1.2", "h"},
		"a b c-0 [d-e f-g] h i": {"", "i"},
		"a b c-0 ":              {"4", ""},
	} {
		models, store, ids := &counter{}, journal.Memory(), 0
		engine := core.New(core.Config{Model: models, Store: store, Retry: model.Retry{Attempts: 1}, RunID: func() string {
			ids++

			return fmt.Sprint("r", ids)
		}})
		if _, err := engine.Run(t.Context(), line(before), "", "in"); err != nil {
			t.Fatal(err)
		}
		models.since()
		for round, want := range []struct{ at, asked string }{want, {}} { // the second time nothing has changed
			run, at, err := engine.ForkChanged(t.Context(), line(after), fmt.Sprint("r", round+1), core.ForkOptions{})
			if err != nil {
				t.Fatalf("%s: %v", after, err)
			}
			fin, err := engine.Resume(t.Context(), line(after), run, core.ResumeOptions{})
			if err != nil {
				t.Fatalf("%s: %v", after, err)
			}
			if asked := models.since(); asked != want.asked || strings.Join(at, " ") != want.at {
				t.Errorf("%s: changed at %q, asked %q", after, at, asked)
			}
			wanted := strings.NewReplacer("[", "", "] ", " ", "-", "").Replace(strings.ToUpper(after))
			if got := strings.ReplaceAll(fin.Value, "-", ""); got != strings.TrimSpace(wanted) {
				t.Errorf("%s: %q", after, got)
			}
			steps(t, store, run, after)
		}
	}
}

// steps fails unless the journal of a run has one event of each prompt.
func steps(t *testing.T, store journal.Store, run, prompts string) {
	t.Helper()
	j, err := journal.Read(t.Context(), store, run)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range j.Records {
		if name, _ := r.Get("name"); r.Type == journal.Event && r.Name == string(event.Step) {
			got = append(got, name)
		}
	}
	want := strings.FieldsFunc(prompts, func(c rune) bool { return strings.ContainsRune("[] -", c) })
	for i, name := range got {
		got[i] = strings.TrimSuffix(name, "-0")
	}
	want = slices.DeleteFunc(want, func(name string) bool { return name == "0" })
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s: the journal has the steps %q", prompts, got)
	}
}

// TestForksChangedAfterFailure: what a run has failed with is tried again, and a run of another
// program is refused.
func TestForksChangedAfterFailure(t *testing.T) {
	models, ids := &counter{broken: true}, 0
	engine := core.New(core.Config{Model: models, Store: journal.Memory(), Retry: model.Retry{Attempts: 1}, RunID: func() string {
		ids++

		return fmt.Sprint("r", ids)
	}})
	if _, err := engine.Run(t.Context(), line("a b"), "", "in"); err == nil {
		t.Fatal("it did not fail")
	}
	models.broken = false
	models.since()
	run, at, err := engine.ForkChanged(t.Context(), line("a b c"), "r1", core.ForkOptions{})
	if err != nil || len(at) != 0 {
		t.Fatal(at, err)
	}
	if _, err := engine.Resume(t.Context(), line("a b c"), run, core.ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	if asked := models.since(); asked != "a b c" {
		t.Errorf("asked %q", asked)
	}

	other := line("a")
	other.Name = "other"
	if _, _, err := engine.ForkChanged(t.Context(), other, "r1", core.ForkOptions{}); !isCoded(err, "WrongProgramError", "") {
		t.Errorf("%v", err)
	}
	if _, _, err := engine.ForkChanged(t.Context(), line("a"), "r9", core.ForkOptions{}); !errors.Is(err, journal.ErrUnknownRun) {
		t.Errorf("%v", err)
	}
	if _, _, err := core.New(core.Config{}).ForkChanged(t.Context(), line("a"), "r1", core.ForkOptions{}); !errors.Is(err, core.ErrNoStore) {
		t.Errorf("%v", err)
	}
}
