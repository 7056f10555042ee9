package core_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// couple is a program of two agents with roles, the first of which needs a variable.
func couple(models ...compiled.Role) *compiled.Program {
	ask := func(name, role string) compiled.Agent {
		model := &model.Choice{Role: role}

		return compiled.Agent{Name: name, Model: model, Env: []string{"COUPLE_TOKEN"}, Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			return (&rt.OneshotSpec{Agent: name, Model: model, Prompt: "Say."}).Run(fx, input)
		}}
	}
	first, second := ask("first", "worker"), ask("second", "thinker")
	run := first.Run
	first.Contains = []string{"second"}
	first.Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
		fin, err := run(fx, input)
		if err != nil {
			return fin, err
		}

		return second.Run(fx, fin.Value)
	}

	return &compiled.Program{
		Name: "couple", Entry: "first", Shape: "s1", HasModels: true, Models: models, Agents: []compiled.Agent{first, second},
		Vars: []string{"COUPLE_TOKEN"},
	}
}

// echo is a provider that repeats what it is asked, with its model's name, and says it bit by bit.
type echo struct{ model model.Model }

func (e echo) Chat(_ context.Context, r model.Request) (model.Reply, error) {
	return model.Reply{
		Text: e.model.ID + "(" + r.Messages[0].Text + ")", Usage: model.Usage{Input: 10, Output: 5}, Model: e.model.Name,
	}, nil
}

func openEcho(m model.Model, _ func(string) (string, bool)) (model.Provider, error) {
	return echo{m}, nil
}

var coupleModels = []compiled.Role{{Role: "worker", Name: "acme:w"}, {Role: "thinker", Name: "acme:t"}}

const coupleToken = "tok-0123456789"

// recordPair records a run of the couple in the working directory.
func recordCouple(t *testing.T, file string) {
	t.Helper()
	t.Chdir(t.TempDir())
	r, err := recording.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	config := core.Config{
		Record: r, Providers: map[string]model.Opener{"acme": openEcho},
		Env: func(name string) (string, bool) { return coupleToken, name == "COUPLE_TOKEN" },
	}
	fin, err := core.New(config).Run(t.Context(), couple(coupleModels...), "", "x "+coupleToken)
	if err != nil || fin.Value != "t(w(x "+coupleToken+"))" {
		t.Fatal(fin, err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	text := fileText(t, file)
	if strings.Contains(text, coupleToken) || strings.Count(text, "${COUPLE_TOKEN}") != 4 || !strings.Contains(text, `"model":"acme:w","system"`) {
		t.Error(text)
	}
}

func without(string) (string, bool) { return "", false }

// TestReplayModels: a recording is a model, compiled in or in a file that the environment names; it
// needs neither key nor variable, and what it says comes at once to who watches.
func TestReplayModels(t *testing.T) {
	recordCouple(t, "r.jsonl")
	text := fileText(t, "r.jsonl")
	const input, want = "x ${COUPLE_TOKEN}", "t(w(x ${COUPLE_TOKEN}))"

	pair := couple(compiled.Role{Role: "worker", Name: "replay:runs/r.jsonl"}, compiled.Role{Role: "thinker", Name: "replay:runs/r.jsonl"})
	pair.Recordings = map[string]string{"runs/r.jsonl": text}
	seen := &watcher{}
	fin, err := core.New(core.Config{Env: without, Observer: seen}).Run(t.Context(), pair, "", input)
	if err != nil || fin.Value != want {
		t.Fatal(fin, err)
	}
	var told []string
	for _, e := range seen.events {
		if e.Kind == event.Delta || e.Kind == event.Model {
			told = append(told, fmt.Sprint(e.Kind, " ", e.Agent, " ", e.Address, " ", e.Name, e.Text, e.Usage.Input))
		}
	}
	if got := strings.Join(told, "\n"); got != "delta first 1 w(x ${COUPLE_TOKEN})0\nmodel first 1 acme:w10\ndelta second 2 t(w(x ${COUPLE_TOKEN}))0\nmodel second 2 acme:t10" {
		t.Error(got)
	}

	env := func(name string) (string, bool) {
		value, ok := map[string]string{"AGENTC_MODEL_WORKER_NAME": "replay:r.jsonl", "AGENTC_MODEL_THINKER": "replay:r.jsonl"}[name]

		return value, ok
	}
	if fin, err := core.New(core.Config{Env: env}).Run(t.Context(), couple(coupleModels...), "", input); err != nil || fin.Value != want {
		t.Error(fin, err)
	}
	var bad *runtime.BadSettingError
	if err := os.Remove("r.jsonl"); err != nil {
		t.Fatal(err)
	}
	_, err = core.New(core.Config{Env: env}).Run(t.Context(), couple(coupleModels...), "", input)
	if !errors.As(err, &bad) || bad.Value != "replay:r.jsonl" || !strings.Contains(err.Error(), "there is no such file") {
		t.Error(err)
	}
	pair.Recordings["runs/r.jsonl"] = "my thesis"
	var format *recording.FormatError
	if _, err := core.New(core.Config{Env: without}).Run(t.Context(), pair, "", input); !errors.As(err, &format) || format.Path != "runs/r.jsonl" {
		t.Error(err)
	}
}

// TestReplayNeedsNothing: with a recording for everybody neither models nor variables nor prices
// have to be there, and budgets of money count what it has cost.
func TestReplayNeedsNothing(t *testing.T) {
	recordCouple(t, "r.jsonl")
	played := readRecording(t, "r.jsonl")
	for name, p := range map[string]*compiled.Program{
		"as it was": couple(coupleModels...), "other providers": couple(
			compiled.Role{Role: "worker", Name: "nobody:w"}, compiled.Role{Role: "thinker", Name: "none:t"}),
	} {
		p.Budget = &runtime.Budget{USD: 1}
		if fin, err := core.New(core.Config{Replay: played, Env: without}).Run(t.Context(), p, "", "x ${COUPLE_TOKEN}"); err != nil || fin.Key != "done" {
			t.Errorf("%s: %v", name, err)
		}
	}
	renamed := couple(coupleModels[0], compiled.Role{Role: "thinker", Name: "acme:u"})
	var miss *recording.MissError
	if _, err := core.New(core.Config{Replay: played, Env: without}).Run(t.Context(), renamed, "", "x ${COUPLE_TOKEN}"); !errors.As(err, &miss) ||
		miss.Diff != "-model: t\n+model: u" {
		t.Error(err)
	}
}

// TestBudgetsArePlayed: what the engine tells a model of its budget is not part of the request, and
// what was spent counts as it was.
func TestBudgetsArePlayed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	budget := &runtime.Budget{USD: 0.05, Time: 300 * time.Second}
	model, clock := &numbered{}, clock.NewSkip(time.Unix(1e9, 0))
	var want watcher
	priced := func(string) (pricing.Price, bool) {
		return pricing.Price{Input: 200_000_000, Output: 200_000_000}, true
	}
	fin, err := core.New(core.Config{Model: model, Record: r, Clock: clock, Observer: &want, Price: priced}).Run(t.Context(), letters(budget, nil), "", "")
	if err != nil || len(model.told) != 1 {
		t.Fatal(err, model.told)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if text := fileText(t, path); strings.Contains(text, "budget") || strings.Count(text, `"cost":10000`) != 5 {
		t.Error(text)
	}
	var got watcher
	again, err := core.New(core.Config{Replay: readRecording(t, path), Observer: &got}).Run(t.Context(), letters(budget, nil), "", "")
	if err != nil || again != fin {
		t.Fatal(again, err)
	}
	budgets := func(w *watcher) (lines []string) {
		for _, e := range w.events {
			if e.Kind == event.Budget || e.Kind == event.Model {
				lines = append(lines, fmt.Sprint(e.Name, e.Text, e.Usage, e.Cost))
			}
		}

		return lines
	}
	if a, b := strings.Join(budgets(&want), "\n"), strings.Join(budgets(&got), "\n"); a != b || len(budgets(&want)) != 6 {
		t.Errorf("recorded\n%s\nplayed\n%s", a, b)
	}
}

// TestFallbacksArePlayed: models that have failed for good fail again, and those that stood in for
// them answer, also when the run is resumed in the middle, and when the recording is made of the
// journal.
func TestFallbacksArePlayed(t *testing.T) {
	t.Chdir(t.TempDir())
	down := func(m model.Model, _ func(string) (string, bool)) (model.Provider, error) {
		return model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
			return model.Reply{}, &model.Error{Class: model.Overloaded, Status: 529, Model: m.Name}
		}), nil
	}
	p := couple(compiled.Role{Role: "worker", Name: "down:w", Fallback: []string{"acme:w"}}, compiled.Role{Role: "thinker", Name: "acme:t"})
	for i := range p.Agents {
		p.Agents[i].Env = nil
	}
	r, err := recording.Open("r.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	config := core.Config{
		Record: r, Providers: map[string]model.Opener{"acme": openEcho, "down": down}, Env: without, Store: journal.Memory(),
		Clock: clock.NewSkip(time.Unix(1e9, 0)), Retry: model.Retry{Attempts: 3}, RunID: func() string { return "r1" },
	}
	if fin, err := core.New(config).Run(t.Context(), p, "", "x"); err != nil || fin.Value != "t(w(x))" {
		t.Fatal(fin, err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if text := fileText(t, "r.jsonl"); strings.Count(text, `"error"`) != 3 || strings.Count(text, `"model":"down:w"`) != 6 {
		t.Error(text)
	}
	expectSameExport(t, config.Store, p, "r.jsonl")
	config.Record, config.Providers, config.Store = nil, nil, journal.Memory()
	config.Replay = readRecording(t, "r.jsonl")
	if fin, err := core.New(config).Run(t.Context(), p, "", "x"); err != nil || fin.Value != "t(w(x))" {
		t.Fatal(fin, err)
	}
	all := recordsOf(t, config.Store)
	for n := 1; n <= len(all); n++ {
		config.Store = cutAt(t, all, n)
		if fin, err := core.New(config).Resume(t.Context(), p, "r1", core.ResumeOptions{}); err != nil || fin.Value != "t(w(x))" {
			t.Errorf("%d of %d: %v %v", n, len(all), fin, err)
		}
	}
}
