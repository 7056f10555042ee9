package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/runtime/stores/recording"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

// programOf is a program of one agent.
func programOf(run func(fx runtime.Effects, input string) (runtime.Finish, error)) *compiled.Program {
	return &compiled.Program{Name: "p", Entry: "a", Shape: "s", Text: "t", Agents: []compiled.Agent{{Name: "a", Run: run}}}
}

// greeter asks a model and then a person.
var greeter = programOf(func(fx runtime.Effects, input string) (runtime.Finish, error) {
	reply, err := fx.Model(model.Request{Agent: "a", Input: input})
	if err != nil {
		return runtime.Finish{}, err
	}
	answer, err := fx.Ask(runtime.Question{ID: "who", Prompt: "Whom?"})

	return runtime.Finish{Key: "done", Value: reply.Text + ", " + answer.Value}, err
})

// A run pauses where there is no answer, in a store from which any process resumes it.
func Example() {
	ctx, store := context.Background(), journal.Memory()
	says := model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) { return model.Reply{Text: "Hello"}, nil })
	eng := engine.New(engine.Options{Store: store, Model: says, RunID: func() string { return "r1" }})

	_, err := eng.Run(ctx, greeter, "", "greet")
	var paused *runtime.PausedError
	if errors.As(err, &paused) {
		fmt.Println("run", paused.Run, "asks:", paused.Question.Prompt)
	}

	if err := eng.Answer(ctx, greeter, "r1", "who", "Ada", "me"); err != nil {
		fmt.Println(err)
	}
	fin, err := eng.Resume(ctx, greeter, "r1")
	fmt.Println(fin.Key, fin.Value, err)
	// Output:
	// run r1 asks: Whom?
	// done Hello, Ada <nil>
}

type kinds []event.Kind

func (k *kinds) Observe(e event.Event) { *k = append(*k, e.Kind) }

type asker string

func (a asker) Ask(context.Context, runtime.Question) (runtime.Answer, error) {
	return runtime.Answer{Value: string(a)}, nil
}

func none(string) (string, bool) { return "", false }

// TestOptions: what each option changes.
func TestOptions(t *testing.T) {
	says := func(text string) model.Provider {
		return model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
			return model.Reply{Text: text, Usage: model.Usage{Input: 1_000_000}}, nil
		})
	}
	opener := func(text string) model.Opener {
		return func(model.Model, func(string) (string, bool)) (model.Provider, error) { return says(text), nil }
	}
	var first, second kinds
	greet := func(t *testing.T, want string, o engine.Options) {
		t.Helper()
		o.Asker = asker("Ada")
		fin, err := engine.New(o).Run(t.Context(), greeter, "", "greet")
		if err != nil || fin.Value != want {
			t.Errorf("%q, %v", fin.Value, err)
		}
	}
	greet(t, "Hi, Ada", engine.Options{Model: says("Hi")})
	greet(t, "Hi, Ada", engine.Options{Script: `{"a": [{"say": "Hi"}]}`, Observers: []event.Observer{&first, &second}})
	if len(first) == 0 || !slices.Equal(first, second) {
		t.Errorf("the observers were notified of %v and %v", first, second)
	}
	greet(t, "Hi, Ada", engine.Options{
		Env:       func(name string) (string, bool) { return "acme:m", name == "AGENTC_MODEL_DEFAULT_NAME" },
		Providers: map[string]model.Opener{"acme": opener("Hi"), "other": opener("no")},
	})

	_, err := engine.New(engine.Options{Env: none}).Run(t.Context(), greeter, "", "greet")
	if runtime.ErrorType(err) != "MissingModelError" {
		t.Errorf("without a model: %v", err)
	}
	start := time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)
	slept := programOf(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		err := fx.Sleep(time.Hour)
		return runtime.Finish{Key: "done", Value: fx.Now().Format(time.TimeOnly)}, err
	})
	if fin, err := engine.New(engine.Options{Clock: simulate.NewClock(start)}).Run(t.Context(), slept, "", ""); err != nil || fin.Value != "01:00:00" {
		t.Errorf("after an hour it is %s, %v", fin.Value, err)
	}
}

// TestLimitsAndPrices: what they say counts more than what the program does.
func TestLimitsAndPrices(t *testing.T) {
	spec := &runtime.ToolSpec{Name: "long"}
	p := programOf(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		result, err := fx.Tool(runtime.ToolCall{Agent: "a", Tool: spec, Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
			return runtime.ToolResult{Text: strings.Repeat("x", 100)}, nil
		}})
		return runtime.Finish{Key: "done", Value: fmt.Sprint(result.Shown)}, err
	})
	p.Limits.ToolResult = 50
	fin, err := engine.New(engine.Options{Limits: compiled.Limits{ToolResult: 20}}).Run(t.Context(), p, "", "")
	if err != nil || fin.Value != "20" || p.Limits.ToolResult != 50 {
		t.Errorf("%s bytes are shown, %v", fin.Value, err)
	}

	paid := programOf(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		reply, err := fx.Model(model.Request{Agent: "a", Model: &model.Choice{Name: "acme:m"}})
		return runtime.Finish{Key: "done", Value: fmt.Sprint(reply.Cost)}, err
	})
	paid.Budget = &runtime.Budget{USD: 9_000_000}
	says := model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
		return model.Reply{Text: "x", Usage: model.Usage{Input: 1_000_000}}, nil
	})
	var spent costs
	eng := engine.New(engine.Options{
		Model: says, Env: none, Prices: model.Prices{Models: []model.Price{{Name: "acme:*", Input: 3_000_000}}}, Observers: []event.Observer{&spent},
	})
	if _, err := eng.Run(t.Context(), paid, "", ""); err != nil || spent != 3_000_000 {
		t.Errorf("it costs %d, %v", spent, err)
	}
}

type costs int64

func (c *costs) Observe(e event.Event) { *c += costs(e.Cost) }

// TestConflicts: only one thing answers instead of models.
func TestConflicts(t *testing.T) {
	script, replay, says := `{"a": [{"say": "x"}]}`, &recording.Recording{}, model.ProviderFunc(nil)
	for name, options := range map[string]engine.Options{
		"Script, Replay": {Script: script, Replay: replay}, "Model, Replay": {Model: says, Replay: replay},
		"Model, Script": {Model: says, Script: script}, "Model, Script, Replay": {Model: says, Script: script, Replay: replay},
	} {
		_, err := engine.New(options).Run(t.Context(), greeter, "", "greet")
		if runtime.ErrorType(err) != "ConflictError" || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := engine.New(engine.Options{}).Resume(t.Context(), greeter, "r1")
	if err == nil || !strings.Contains(err.Error(), "this engine has no store") {
		t.Errorf("without a store: %v", err)
	}
}

// TestForceShape: a run of a program of another shape is resumed only if the options say so.
func TestForceShape(t *testing.T) {
	store := journal.Memory()
	failing := errors.New("down")
	program := func(shape string, err error) *compiled.Program {
		run := func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			fx.Now()
			return runtime.Finish{Key: "done", Value: shape}, err
		}
		return &compiled.Program{Name: "p", Entry: "a", Shape: shape, Text: "t", Agents: []compiled.Agent{{Name: "a", Run: run}}}
	}
	o := engine.Options{Store: store, RunID: func() string { return "r1" }}
	if _, err := engine.New(o).Run(t.Context(), program("s1", failing), "", ""); !errors.Is(err, failing) {
		t.Fatal(err)
	}
	if _, err := engine.New(o).Resume(t.Context(), program("s2", nil), "r1"); runtime.ErrorType(err) != "ShapeError" {
		t.Errorf("got %v", err)
	}
	o.ForceShape = true
	if fin, err := engine.New(o).Resume(t.Context(), program("s2", nil), "r1"); err != nil || fin.Value != "s2" {
		t.Errorf("got %+v, %v", fin, err)
	}
}
