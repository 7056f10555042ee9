package core_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// dies is a store of which every process loses its journal when it writes an effect's result: what
// a run that ends its process leaves.
type dies struct{ journal.Store }

func (s dies) Open(ctx context.Context, run string) (journal.File, error) {
	file, err := s.Store.Open(ctx, run)

	return &lost{file, 1}, err
}

func (s dies) Create(ctx context.Context, run string) (journal.File, error) {
	file, err := s.Store.Create(ctx, run)

	return &lost{file, 1}, err
}

// lost takes so many blocks.
type lost struct {
	journal.File
	blocks int
}

var errLost = errors.New("the process is dead")

func (f *lost) Append(p []byte) error {
	if f.blocks == 0 {
		return errLost
	}
	f.blocks--

	return f.File.Append(p)
}

// A run that its process does not survive is recovered so often, then left as quarantined; a
// requested resume is always allowed, and begins a new count.
func TestQuarantine(t *testing.T) {
	const most = 3
	store := journal.Memory()
	w := &world{}
	p := desk(func(fx runtime.Effects, input string) (runtime.Finish, error) {
		reply, err := fx.Model(model.Request{Agent: "desk", Input: input})
		if err != nil {
			return runtime.Finish{}, err
		}
		return said(reply.Text)
	})
	dying := with(w, dies{store}, nil)
	wanted := true
	recovery := core.ResumeOptions{Recovery: &core.Recovery{Max: most, Wanted: func(*journal.Journal) bool { return wanted }}}
	read := func() (*journal.Journal, *trace.Trace) {
		t.Helper()
		j, err := journal.Read(t.Context(), store, "r1")
		if err != nil {
			t.Fatal(err)
		}
		return j, trace.Of(j.Records)
	}
	if _, err := dying.Run(t.Context(), p, "", "x"); err == nil {
		t.Fatal("the process survives")
	}
	for round := range 2 {
		for i := range most {
			if j, _ := read(); len(j.Recoveries) != i {
				t.Fatalf("round %d: before recovery %d there were %d", round, i, len(j.Recoveries))
			}
			if _, err := dying.Resume(t.Context(), p, "r1", recovery); !errors.Is(err, errLost) {
				t.Fatalf("round %d, recovery %d: %v", round, i, err)
			}
		}
		if _, err := with(w, store, nil).Resume(t.Context(), p, "r1", recovery); !isCoded(err, "QuarantinedError", fmt.Sprintf("recovered %d times", most)) || strings.Count(err.Error(), "Z") != most {
			t.Fatalf("after %d recoveries: %v", most, err)
		}
		j, is := read()
		if is.Status != trace.Quarantined || is.Type != "QuarantinedError" || len(is.Recoveries) != most || j.Recoveries != nil {
			t.Errorf("it is %s, %s (%s), recovered at %v", is.Status, is.Type, is.Problem, is.Recoveries)
		}
		if round == 0 { // it is requested: a new allowance
			if _, err := dying.Resume(t.Context(), p, "r1", core.ResumeOptions{}); !errors.Is(err, errLost) {
				t.Fatal(err)
			}
		}
	}

	wanted = false
	if _, err := with(w, store, nil).Resume(t.Context(), p, "r1", recovery); !isCoded(err, "RunEndedError", trace.Quarantined) {
		t.Errorf("a run that is not wanted: %v", err)
	}
	if fin, err := with(w, store, nil).Resume(t.Context(), p, "r1", core.ResumeOptions{}); err != nil || fin.Key != "done" {
		t.Errorf("by hand it comes to %v, %v", fin, err)
	}
	if _, is := read(); is.Status != trace.Done || is.Recoveries != nil {
		t.Errorf("it is %s, recovered at %v", is.Status, is.Recoveries)
	}
}

// A run that is quarantined can be cancelled.
func TestCancelQuarantined(t *testing.T) {
	store := journal.Memory()
	p := desk(func(runtime.Effects, string) (runtime.Finish, error) { return said("x") })
	w, err := journal.Create(t.Context(), store, "r1", journal.Record{Name: "r1", Fields: []journal.Field{{Name: "program", Value: "desk"}}})
	if err != nil {
		t.Fatal(err)
	}
	w.Append(journal.Record{Type: journal.End, Name: trace.Quarantined})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := with(&world{}, store, nil).Cancel(t.Context(), p, "r1", ""); err != nil {
		t.Error(err)
	}
}

// CheckAll finds what is missing for agents that no other reaches, each once and by its type.
func TestCheckAll(t *testing.T) {
	run := func(runtime.Effects, string) (runtime.Finish, error) { return said("x") }
	p := &compiled.Program{Name: "desk", Entry: "a", Agents: []compiled.Agent{
		{Name: "a", Run: run, Model: &model.Choice{Name: "nobody:x"}},
		{Name: "b", Run: run, Model: &model.Choice{Name: "nobody:x"}},
		{Name: "c", Run: run, Model: &model.Choice{Name: "other:x"}, Env: []string{"TOKEN_OF_C"}},
		{Name: "driven", Model: &model.Choice{Name: "third:x"}},
	}}
	env := func(string) (string, bool) { return "", false }
	problems := core.Problems(core.New(core.Config{Env: env}).CheckAll(t.Context(), p))
	var types []string
	for _, err := range problems {
		types = append(types, runtime.ErrorType(err))
	}
	if len(problems) != 3 || types[0] != "MissingProviderError" || types[1] != "MissingProviderError" || types[2] != "MissingEnvError" {
		t.Errorf("%v: %v", types, problems)
	}
	if err := core.New(core.Config{Env: env, Script: `{"a": [{"say": "x"}]}`}).CheckAll(t.Context(), p); err != nil {
		t.Errorf("under a script: %v", err)
	}
}
