package core_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/model"
)

// isCoded reports whether an error has a code, and a text in its message.
func isCoded(err error, code, text string) bool {
	return errs.Has(err, code) && strings.Contains(err.Error(), text)
}

// variables is an environment.
type variables map[string]string

func (v variables) lookup(name string) (string, bool) {
	value, ok := v[name]

	return value, ok
}

// office is a program of three agents, of which b wants a variable and a provider, and of a flow of
// two steps.
func office() *compiled.Program {
	ask := func(name string, choice *model.Choice) func(runtime.Effects, string) (runtime.Finish, error) {
		spec := &rt.OneshotSpec{Agent: name, Prompt: "Say.", Model: choice}

		return func(fx runtime.Effects, input string) (runtime.Finish, error) {
			return spec.Run(fx, input)
		}
	}
	worker, thinker := &model.Choice{Role: "worker"}, &model.Choice{Role: "thinker"}
	blog := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		draft, err := ask("blog/draft", worker)(fx, input)
		if err != nil {
			return runtime.Finish{}, err
		}

		return ask("blog/refine", thinker)(fx, draft.Value)
	}
	scripted := &model.Choice{Name: "script:answers.yaml"}

	return &compiled.Program{
		Name: "office", Entry: "all",
		Models:  []compiled.Role{{Role: "default", Name: "acme:small"}, {Role: "thinker", Name: "acme:large"}},
		Scripts: map[string]string{"answers.yaml": `{"c":[{"say":"scripted"}]}`},
		Agents: []compiled.Agent{
			{Name: "a", Model: worker, Run: ask("a", worker)},
			{Name: "all", Contains: []string{"a", "b"}, Run: ask("a", worker)},
			{Name: "blog", Env: []string{"PEN"}, Steps: []compiled.Conversation{{Name: "blog/draft", Model: worker}, {Name: "blog/refine", Model: thinker}}, Run: blog},
			{Name: "both", Contains: []string{"blog", "c"}, Run: blog},
			{Name: "b", Model: thinker, Env: []string{"TOKEN", "SECRET"}, Contains: []string{"a", "all"}, Run: ask("b", thinker)},
			{Name: "c", Model: scripted, Env: []string{"TOKEN"}, Run: ask("c", scripted)},
			{Name: "driven"},
		},
	}
}

func acme(reply string) map[string]model.Opener {
	return map[string]model.Opener{"acme": func(m model.Model, _ func(string) (string, bool)) (model.Provider, error) {
		return model.ProviderFunc(func(_ context.Context, r model.Request) (model.Reply, error) {
			return model.Reply{Text: reply + " " + m.ID + " " + r.Model.Role, Usage: model.Usage{Input: 1, Output: 2}}, nil
		}), nil
	}}
}

// TestStart: what is missing is found before anything runs.
func TestStart(t *testing.T) {
	for _, c := range []struct {
		name   string
		agent  string
		config core.Config
		want   string // of the error
		value  string
	}{
		{
			name: "no provider", agent: "all",
			want: `provider "acme" is not part of this version (wanted by agents "a", "b"; there are "replay", "script"); ` +
				"run with --script FILE to answer instead of a model\n" +
				`environment variables are not set: SECRET (agent "b"), TOKEN (agent "b")`,
		},
		{
			name: "no variable", agent: "all", config: core.Config{Providers: acme("said"), Env: variables{"TOKEN": ""}.lookup},
			want: `environment variables are not set: SECRET (agent "b")`,
		},
		{name: "only what is reached", agent: "a", config: core.Config{Providers: acme("said")}, value: "said small worker"},
		{
			name: "all there", agent: "b", value: "said large thinker",
			config: core.Config{Providers: acme("said"), Env: variables{"TOKEN": "x", "SECRET": "y"}.lookup},
		},
		{name: "under a script nothing is required", agent: "b", config: core.Config{Script: `{"*":[{"say":"x"}]}`}, value: "x"},
		{name: "nor where every model is one", agent: "c", value: "scripted"},
		{
			name: "a key is missing", agent: "a", want: "no key",
			config: core.Config{Providers: map[string]model.Opener{"acme": func(model.Model, func(string) (string, bool)) (model.Provider, error) {
				return nil, errors.New("no key")
			}}},
		},
		{
			name: "the steps of a flow", agent: "both",
			want: `provider "acme" is not part of this version (wanted by agents "blog/draft", "blog/refine"; there are "replay", "script"); ` +
				"run with --script FILE to answer instead of a model\n" +
				`environment variables are not set: PEN (agent "blog"), TOKEN (agent "c")`,
		},
		{
			name: "steps that are all there", agent: "blog", value: "said large thinker",
			config: core.Config{Providers: acme("said"), Env: variables{"PEN": "x"}.lookup},
		},
		{
			name: "steps under a script", agent: "blog", value: "second",
			config: core.Config{Script: `{"blog/draft":[{"say":"first"}],"blog/refine":[{"say":"second"}]}`},
		},
		{
			name: "a step that is not there", agent: "blog", config: core.Config{Script: `{"blog/drat":[],"blog@1":[]}`},
			want: `script, "blog/drat": agent "blog" has no step "drat"; its turns are under blog/draft, blog/refine` + "\n" +
				`script, "blog@1": agent "blog" calls no model itself; its turns are under blog/draft, blog/refine`,
		},
		{
			name: "turns of one that only runs others", agent: "both", config: core.Config{Script: `{"both":[]}`},
			want: `script, "both": agent "both" calls no model itself`,
		},
		{name: "cannot be started", agent: "driven", want: `no agent "driven" can be started; there are "a", "all", "blog", "both", "b", "c"`},
		{name: "a script for nobody", agent: "a", config: core.Config{Script: `{"d":[]}`}, want: `script, "d": there is no agent "d"; there are a, all, blog, both, b, c, driven`},
		{name: "no script at all", agent: "a", config: core.Config{Script: `[]`}, want: `script: expected an object, found a list`},
		{
			name: "one model for everybody", agent: "a", value: "one",
			config: core.Config{Model: model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
				return model.Reply{Text: "one"}, nil
			})},
		},
	} {
		if c.config.Env == nil {
			c.config.Env = variables{}.lookup
		}
		fin, err := core.New(c.config).Run(context.Background(), office(), c.agent, "task")
		if got := text(err); got != c.want || fin.Value != c.value {
			t.Errorf("%s: got %q and %q", c.name, fin.Value, got)
		}
	}
}

func TestNoModel(t *testing.T) {
	p := office()
	p.Models = nil
	_, err := core.New(core.Config{Env: variables{"PEN": "x"}.lookup}).Run(context.Background(), p, "blog", "task")
	const want = `wanted by agent "blog/refine"`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	_, err = core.New(core.Config{Env: variables{}.lookup}).Run(context.Background(), p, "a", "task")
	var missing *core.MissingModelError
	if !errors.As(err, &missing) || missing.Role != "worker" || len(missing.Agents) != 1 {
		t.Fatalf("got %v", err)
	}
	if !strings.Contains(err.Error(), "AGENTC_MODEL_WORKER_NAME") || !strings.Contains(err.Error(), "--script") {
		t.Errorf("got %v", err)
	}
}

func TestFaultyCompiledInScript(t *testing.T) {
	p := office()
	p.Scripts["answers.yaml"] = `{"c":[{"sya":"x"}]}`
	_, err := core.New(core.Config{Env: variables{}.lookup}).Run(context.Background(), p, "c", "task")
	const want = `script:answers.yaml: script, "c", turn 1: unknown field "sya": there are say, call, finish, error, signal`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	p.Scripts = nil
	_, err = core.New(core.Config{Env: variables{}.lookup}).Run(context.Background(), p, "c", "task")
	if err == nil || err.Error() != `model: "script:answers.yaml" names a script that is not compiled in` {
		t.Errorf("got %v", err)
	}
}

// TestLeftOverOfACompiledInScript: a script that is the project's model is no test, so turns may be
// left over.
func TestLeftOverOfACompiledInScript(t *testing.T) {
	for _, script := range []string{
		`{"c":[{"say":"one"}],"a":[{"say":"two"}],"blog/draft":[{"say":"three"}],"ask":{"approve":["yes"]}}`,
		`{"c":[{"say":"one"},{"say":"two"}],"tools":{"bash":[{"result":""}]}}`,
		`{"c":[{"say":"one"}],"c@1":[{"say":"two"}],"a@1":[{"say":"three"}]}`,
	} {
		p := office()
		p.Scripts["answers.yaml"] = script
		p.Agents = append(p.Agents, compiled.Agent{Name: "approve", Pattern: "human"})
		fin, err := core.New(core.Config{}).Run(context.Background(), p, "c", "task")
		if err != nil || fin.Value != "one" {
			t.Errorf("%s: got %+v, %v", script, fin, err)
		}
	}
}

// TestLeftOverOfAGivenScript: --script is for the run at hand, so all of it counts.
func TestLeftOverOfAGivenScript(t *testing.T) {
	_, err := core.New(core.Config{Script: `{"a":[{"say":"x"}],"b":[{"say":"y"}]}`}).Run(context.Background(), office(), "a", "task")
	if text(err) != `script, "b", turn 1: left over: 1 turn of 1 (the agent never asked for one)` {
		t.Errorf("got %v", err)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}

	return err.Error()
}

// waits is a clock that stands still and keeps how long it was asked to wait.
type waits struct {
	mu  sync.Mutex
	all []time.Duration
}

func (w *waits) Now() time.Time { return time.Unix(0, 0) }

func (w *waits) Sleep(_ context.Context, d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, d)
}

// failing is a model that fails a number of times.
func failing(times int, failure *model.Error, calls *int) model.Provider {
	return model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
		if *calls++; *calls <= times {
			return model.Reply{}, failure
		}

		return model.Reply{Text: "at last"}, nil
	})
}

func TestRetries(t *testing.T) {
	for _, c := range []struct {
		name    string
		times   int
		failure *model.Error
		calls   int
		ok      bool
	}{
		{name: "too many requests", times: 2, failure: &model.Error{Status: 429}, calls: 3, ok: true},
		{name: "server", times: 4, failure: &model.Error{Class: model.Server}, calls: 5, ok: true},
		{name: "given up", times: 40, failure: &model.Error{Class: model.Network}, calls: 5},
		{name: "not worth it", times: 1, failure: &model.Error{Class: model.Auth, Status: 401}, calls: 1},
	} {
		clock, calls := &waits{}, 0
		engine := core.New(core.Config{Model: failing(c.times, c.failure, &calls), Clock: clock, Env: variables{}.lookup})
		fin, err := engine.Run(context.Background(), office(), "a", "task")
		if calls != c.calls || (err == nil) != c.ok || c.ok && fin.Value != "at last" {
			t.Errorf("%s: %d calls, %+v, %v", c.name, calls, fin, err)
		}
		if !c.ok && !errors.Is(err, c.failure) {
			t.Errorf("%s: got %v", c.name, err)
		}
		first := 500 * time.Millisecond
		for i, wait := range clock.all {
			if most := first << i; wait < most/2 || wait > most {
				t.Errorf("%s: wait %d is %v of %v", c.name, i, wait, most)
			}
		}
	}
}

func TestRetryAfterCounts(t *testing.T) {
	clock, calls := &waits{}, 0
	failure := &model.Error{Status: 429, RetryAfter: time.Minute}
	engine := core.New(core.Config{Model: failing(1, failure, &calls), Clock: clock, Env: variables{}.lookup})
	if _, err := engine.Run(context.Background(), office(), "a", "task"); err != nil {
		t.Fatal(err)
	}
	if len(clock.all) != 1 || clock.all[0] != time.Minute {
		t.Errorf("waited %v", clock.all)
	}
}

func TestModelPanics(t *testing.T) {
	engine := core.New(core.Config{Model: model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
		panic("bang")
	}), Env: variables{}.lookup})
	_, err := engine.Run(context.Background(), office(), "a", "task")
	var panicked *runtime.PanicError
	if !errors.As(err, &panicked) || err.Error() != "the model of agent a panicked: bang" {
		t.Errorf("got %v", err)
	}
}

func TestModelIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("enough")
	engine := core.New(core.Config{Model: model.ProviderFunc(func(ctx context.Context, _ model.Request) (model.Reply, error) {
		cancel(cause)
		<-ctx.Done()

		return model.Reply{}, &model.Error{Class: model.Network, Err: ctx.Err()}
	}), Env: variables{}.lookup})
	if _, err := engine.Run(ctx, office(), "a", "task"); err != cause {
		t.Errorf("got %v", err)
	}
}

// TestBranchLeavesItsGoroutine: a test's FailNow in a branch ends the branch, not the group.
func TestBranchLeavesItsGoroutine(t *testing.T) {
	fx, err := core.New(core.Config{}).Effects(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	ran := 0
	err = fx.Parallel(10, 2, func(i int, _ runtime.Effects) error {
		mu.Lock()
		ran++
		mu.Unlock()
		if i < 4 {
			(&testing.T{}).SkipNow()
		}

		return nil
	})
	var panicked *runtime.PanicError
	if ran != 10 || !errors.As(err, &panicked) || panicked.Where != "branch 0" {
		t.Errorf("%d branches ran, %v", ran, err)
	}
}

func TestOtherBuiltinsAreNotAvailable(t *testing.T) {
	fx, err := core.New(core.Config{}).Effects(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range rt.Builtins() {
		_, err := fx.Tool(runtime.ToolCall{Agent: "a", Tool: rt.Builtin(name), Args: []byte(`{"key":"k","value":1,"item":2}`)})
		if memory := strings.HasPrefix(name, "mem_"); memory == errors.Is(err, runtime.ErrNotAvailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestScriptedRunsDoNotWait: time leaps ahead where a program sleeps.
func TestScriptedRunsDoNotWait(t *testing.T) {
	fx, err := core.New(core.Config{Script: `{}`}).Effects(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	before, real := fx.Now(), time.Now()
	if err := fx.Sleep(1000 * time.Hour); err != nil {
		t.Fatal(err)
	}
	if leapt := fx.Now().Sub(before); leapt < 1000*time.Hour || before.Sub(real) > time.Hour {
		t.Errorf("from %v by %v", before, leapt)
	}
}
