package core_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/runtime/testing/enginetest"
)

// moody is a model of a world that answers each request otherwise: with its number in its branch,
// after failures.
type moody struct {
	*world
	mu    sync.Mutex
	asked map[string]int
}

func (m *moody) Chat(ctx context.Context, r model.Request) (model.Reply, error) {
	call, _ := runtime.CallFromContext(ctx)
	m.mu.Lock()
	if m.asked == nil {
		m.asked = map[string]int{}
	}
	m.asked[call.Address]++
	try := m.asked[call.Address]
	m.mu.Unlock()
	if try == 1 && len(call.Address)%2 == 1 {
		return model.Reply{}, &model.Error{Class: model.Overloaded, Status: 529, Message: "not at " + call.Address}
	}
	reply, err := m.world.Chat(ctx, r)
	reply.Text = fmt.Sprintf("reply at %s", call.Address)
	reply.Calls = nil

	return reply, err
}

// alike is a door through which all requests are equal, so that only the branch and the order tell
// them apart.
type alike struct{ runtime.Effects }

func (a alike) Model(r model.Request) (model.Reply, error) {
	r.Messages = []model.Message{{Role: model.RoleUser, Text: "the same"}}

	return a.Effects.Model(r)
}

func (a alike) Parallel(n, limit int, branch func(int, runtime.Effects) error) error {
	return a.Effects.Parallel(n, limit, func(i int, fx runtime.Effects) error { return branch(i, alike{fx}) })
}

// alikePlan is a program that does what a plan says, and asks everybody the same.
func alikePlan(w *world, ops []op) *compiled.Program {
	return planned(w, ops).Through(func(fx runtime.Effects) runtime.Effects { return alike{fx} })
}

// playPlan runs a plan on an engine whose branches run in the order of a seed, and returns its
// result and what its observer was told, but for the time.
func playPlan(t *testing.T, config core.Config, w *world, ops []op, seed int64) (runtime.Finish, string) {
	t.Helper()
	seen := &watcher{}
	config.Asker, config.Observer, config.Clock = w, seen, clock.NewSkip(time.Unix(1e9, 0))
	config.RunID = func() string { return "r1" }
	fin, err := enginetest.Permute(core.New(config), seed).Run(t.Context(), alikePlan(w, ops), "", "x")
	if err != nil {
		t.Fatal(err)
	}
	var told []event.Event
	for _, e := range seen.events {
		if e.Kind == event.Delta {
			continue
		}
		e.Wait = 0 // by chance where models are asked
		told = append(told, e)
	}

	return fin, enginetest.Trace(told)
}

func recordPlan(t *testing.T, path string, ops []op, seed int64) (runtime.Finish, string) {
	t.Helper()
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld()
	fin, told := playPlan(t, core.Config{Model: &moody{world: w}, Record: r}, w, ops, seed)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}

	return fin, told
}

// TestRecordedPlansArePlayed: whatever a program does, and in whatever order its branches run, a
// recording of it gives the same result and the same events, and the same run makes the same file.
// So does the export of its journal, but for calls that were repeated.
func TestRecordedPlansArePlayed(t *testing.T) {
	plans := 60
	if testing.Short() {
		plans = 10
	}
	replies := 0
	for seed := range plans {
		ops := plan(rand.New(rand.NewPCG(uint64(seed), 21)), 2)
		dir := t.TempDir()
		first, second := filepath.Join(dir, "1.jsonl"), filepath.Join(dir, "2.jsonl")
		want, wantTold := recordPlan(t, first, ops, int64(seed))
		if again, _ := recordPlan(t, second, ops, int64(seed)+1000); again != want {
			t.Fatalf("seed %d: the order of branches matters", seed)
		}
		if !strings.Contains(wantTold, `"event":"model"`) {
			continue // and there is no file
		}
		if a, b := fileText(t, first), fileText(t, second); a != b {
			t.Fatalf("seed %d: the same run makes two files:\n%s\n%s", seed, a, b)
		}
		played := readRecording(t, first)
		replies += played.Len()
		for order := range int64(3) {
			got, told := playPlan(t, core.Config{Replay: played}, newWorld(), ops, order)
			if got != want || told != wantTold {
				t.Fatalf("seed %d, order %d: got\n%+v\n%s\nwant\n%+v\n%s", seed, order, got, told, want, wantTold)
			}
		}
	}
	if replies < plans {
		t.Errorf("only %d replies", replies)
	}
}

func fileText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	return string(text)
}

func readRecording(t *testing.T, path string) *recording.Recording {
	t.Helper()
	r, err := recording.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	return r
}

// expectSameExport holds the export of a run's journal against what was recorded while it ran.
func expectSameExport(t *testing.T, store journal.Store, p *compiled.Program, recorded string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "export.jsonl")
	to, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	engine := core.New(core.Config{Store: store, Env: without})
	if err := errors.Join(engine.Export(t.Context(), p, "r1", to), to.Close()); err != nil {
		t.Fatal(err)
	}
	if got, want := fileText(t, path), fileText(t, recorded); got != want {
		t.Errorf("exported\n%s\nrecorded\n%s", got, want)
	}
}

// costly is a model whose attempts fail and cost something all the same, until the third answers.
func costly(asked *int) model.Provider {
	return model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
		*asked++
		reply := model.Reply{Usage: model.Usage{Input: *asked}, Cost: 7}
		switch *asked {
		case 1:
			return reply, &model.Error{Class: model.RateLimit, Status: 429, Message: "slow down", RetryAfter: time.Second}
		case 2:
			return model.Reply{}, &model.Error{Class: model.Server, Status: 500, Message: "oh"}
		case 3:
			reply.Text = "well"
			return reply, nil
		}

		return reply, &model.Error{Class: model.Auth, Status: 401, Message: "who is this?"}
	})
}

// TestExportHasAttempts: the export of a run has the attempts that failed, whether there was a
// reply after them or not.
func TestExportHasAttempts(t *testing.T) {
	agent := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		var said [2]string
		for i := range said {
			reply, err := fx.Model(model.Request{
				Agent: "main", Input: input, Messages: []model.Message{{Role: model.RoleUser, Text: input}},
			})
			if said[i] = reply.Text; err != nil {
				said[i] = runtime.ErrorType(err)
			}
		}

		return runtime.Finish{Value: said[0] + " " + said[1]}, nil
	}
	twice := &compiled.Program{Name: "p", Entry: "main", Agents: []compiled.Agent{{Name: "main", Run: agent}}}
	path, asked := filepath.Join(t.TempDir(), "r.jsonl"), 0
	to, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	config := core.Config{
		Model: costly(&asked), Record: to, Store: journal.Memory(), RunID: func() string { return "r1" }, Env: without,
		Clock: clock.NewSkip(time.Unix(1e9, 0)),
	}
	fin, err := core.New(config).Run(t.Context(), twice, "", "x")
	if err := errors.Join(err, to.Close()); err != nil || fin.Value != "well ModelError" {
		t.Fatal(fin, err)
	}
	if text := fileText(t, path); strings.Count(text, `"error"`) != 3 || strings.Count(text, `"cost":7`) != 3 {
		t.Error(text)
	}
	expectSameExport(t, config.Store, twice, path)
}

// TestExportedPlansArePlayed: a recording that is made of a journal, which was interrupted and gone
// on with, gives the run's result.
func TestExportedPlansArePlayed(t *testing.T) {
	for seed := range 20 {
		ops := plan(rand.New(rand.NewPCG(uint64(seed), 33)), 2)
		store := journal.Memory()
		w := newWorld()
		engine := core.New(core.Config{
			Model: &moody{world: w}, Asker: w, Store: store, RunID: func() string { return "r1" }, Clock: clock.NewSkip(time.Unix(1e9, 0)),
		})
		want, err := engine.Run(t.Context(), alikePlan(w, ops), "", "x")
		if err != nil {
			t.Fatal(err)
		}
		all := recordsOf(t, store)
		cut := cutAt(t, all, 1+len(all)/2)
		if _, err := journalling(w, cut).Resume(t.Context(), alikePlan(w, ops), "r1", core.ResumeOptions{}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "r.jsonl")
		to, err := recording.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := engine.Export(t.Context(), alikePlan(w, ops), "r1", to); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err != nil {
			continue // it asks no model
		}
		if got, _ := playPlan(t, core.Config{Replay: readRecording(t, path)}, newWorld(), ops, 5); got != want {
			t.Fatalf("seed %d: got\n%+v\nwant\n%+v", seed, got, want)
		}
	}
}

// TestPlayedRunsAreResumed: a run that a recording answers goes on in it where it was interrupted,
// wherever that was; and what is recorded of a run that goes on is what it does then.
func TestPlayedRunsAreResumed(t *testing.T) {
	prefixes := 0
	for seed := range 14 {
		ops := plan(rand.New(rand.NewPCG(uint64(seed), 55)), 2)
		path := filepath.Join(t.TempDir(), "r.jsonl")
		want, told := recordPlan(t, path, ops, 1)
		if !strings.Contains(told, `"event":"model"`) {
			continue
		}
		played, w, store := readRecording(t, path), newWorld(), journal.Memory()
		config := core.Config{
			Replay: played, Asker: w, Store: store, RunID: func() string { return "r1" }, Clock: clock.NewSkip(time.Unix(1e9, 0)),
		}
		if got, err := core.New(config).Run(t.Context(), alikePlan(w, ops), "", "x"); err != nil || got != want {
			t.Fatalf("seed %d: %v %v", seed, got, err)
		}
		all := recordsOf(t, store)
		for n := 1; n <= len(all); n++ {
			config.Store = cutAt(t, all, n)
			config.Record = nil
			rest := filepath.Join(t.TempDir(), "rest.jsonl")
			r, err := recording.Open(rest)
			if err != nil {
				t.Fatal(err)
			}
			config.Record = r
			got, err := core.New(config).Resume(t.Context(), alikePlan(w, ops), "r1", core.ResumeOptions{})
			if err != nil || got != want {
				t.Fatalf("seed %d, %d of %d: %v\ngot\n%+v\nwant\n%+v", seed, n, len(all), err, got, want)
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			live := 0
			if text, err := os.ReadFile(rest); err == nil {
				live = bytes.Count(text, []byte(`"request":`))
			}
			if done := attemptsIn(all[:n]); live+done != played.Len() {
				t.Fatalf("seed %d, %d of %d: %d of %d calls were made before, and %d are recorded", seed, n, len(all), done, played.Len(), live)
			}
			prefixes++
		}
	}
	if prefixes < 100 {
		t.Errorf("only %d prefixes", prefixes)
	}
}

// attemptsIn counts the calls of models that have a result among the records.
func attemptsIn(records []journal.Record) (calls int) {
	for _, r := range records {
		if r.Type == journal.Result && r.Name == "model" {
			n := 1
			if attempts, ok := r.Get("attempts"); ok {
				_, _ = fmt.Sscan(attempts, &n)
			}
			calls += n
		}
	}

	return calls
}

// TestMissEndsTheRun: a request that the recording does not have ends the run, whatever a group
// would make up for, and is no result: with the right recording the run goes on.
func TestMissEndsTheRun(t *testing.T) {
	together := func(input string) *compiled.Program {
		return desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			branch := func(input string) rt.Branch {
				return rt.Branch{Name: input, Run: func(fx runtime.Effects, _ string, _ ...rt.Place) (runtime.Finish, error) {
					reply, err := fx.Model(model.Request{Agent: input, Messages: []model.Message{{Role: model.RoleUser, Text: input}}})

					return runtime.Finish{Value: reply.Text}, err
				}}
			}
			results, err := rt.Flow("group").Together(fx, 0, "", branch("one"), branch(input))
			if err != nil {
				return runtime.Finish{}, err
			}

			return said(results.Document().Value)
		})
	}
	record := func(inputs ...string) *recording.Recording {
		path := filepath.Join(t.TempDir(), "r.jsonl")
		for _, input := range inputs {
			r, err := recording.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := core.New(core.Config{Model: newWorld(), Record: r}).Run(t.Context(), together(input), "", ""); err != nil {
				t.Fatal(err)
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
		}

		return readRecording(t, path)
	}
	store := journal.Memory()
	config := core.Config{Store: store, Replay: record("two"), RunID: func() string { return "r1" }}
	_, err := core.New(config).Run(t.Context(), together("three"), "", "")
	var miss *recording.MissError
	if !errors.As(err, &miss) || miss.Agent != "three" || !strings.Contains(miss.Diff, "+three") || runtime.ErrorType(err) != "MissError" {
		t.Fatal(err)
	}
	config.Replay = record("two", "three")
	if fin, err := core.New(config).Resume(t.Context(), together("three"), "r1", core.ResumeOptions{}); err != nil || !strings.Contains(fin.Value, "reply to") {
		t.Errorf("%+v %v", fin, err)
	}
}

// TestOneThingAnswers: a recording and something else are not set together.
func TestOneThingAnswers(t *testing.T) {
	none, err := recording.Read(strings.NewReader(`{"format":"agentc-recording","version":1}`), "")
	if err != nil {
		t.Fatal(err)
	}
	for want, config := range map[string]core.Config{
		"Script, Replay": {Script: `{}`, Replay: none}, "Model, Replay": {Model: newWorld(), Replay: none},
	} {
		_, err := core.New(config).Run(t.Context(), asks("a"), "", "")
		if !isCoded(err, "ConflictError", "are set: "+want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
