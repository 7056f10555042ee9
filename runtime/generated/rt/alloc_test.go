package rt_test

import (
	"context"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// chain runs n oneshot states, as generated code does.
func chain(n int) func(runtime.Effects, string) (runtime.Finish, error) {
	specs := make([]rt.OneshotSpec, n)
	names := make([]string, n)
	for i := range specs {
		names[i] = "state-" + string(rune('a'+i%26))
		specs[i] = rt.OneshotSpec{Agent: names[i], Prompt: "Say it.", Repair: 2, Model: &model.Choice{Role: "worker"}}
	}

	return func(fx runtime.Effects, input string) (runtime.Finish, error) {
		m := rt.Flow("chain").Machine(fx, n+1, input)
		for i := 0; i < n && m.Enter(names[i]); i++ {
			m.RecordOutput(specs[i].Run(fx, m.Value()))
			if m.Failed() {
				break
			}
			m.RecordTransition(m.Key(), rt.MatchUnconditional, "")
		}

		return m.End()
	}
}

func instant(context.Context, model.Request) (model.Reply, error) {
	return model.Reply{Text: "said"}, nil
}

// TestChainAllocatesOncePerStep: the one allocation of a step is its message.
func TestChainAllocatesOncePerStep(t *testing.T) {
	const steps = 1000
	run := chain(steps)
	for name, config := range map[string]core.Config{
		"one model":       {Model: model.ProviderFunc(instant)},
		"resolved models": {Providers: map[string]model.Opener{"instant": openInstant}, Env: instantEnv},
	} {
		engine := core.New(config)
		allocs := testing.AllocsPerRun(20, func() {
			fx, err := engine.Effects(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := run(fx, "task"); err != nil {
				t.Fatal(err)
			}
		})
		const perRun = 130 // the run itself, most of it the names of the variables of its model's settings
		if allocs > steps+perRun {
			t.Errorf("%s: %.0f allocations in %d steps", name, allocs, steps)
		}
	}
}

func openInstant(model.Model, func(string) (string, bool)) (model.Provider, error) {
	return model.ProviderFunc(instant), nil
}

func instantEnv(name string) (string, bool) {
	return "instant:model", name == "AGENTC_MODEL_DEFAULT_NAME"
}

func BenchmarkChain(b *testing.B) {
	run := chain(1000)
	engine := core.New(core.Config{Model: model.ProviderFunc(instant)})
	b.ReportAllocs()
	for b.Loop() {
		fx, err := engine.Effects(context.Background(), nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := run(fx, "task"); err != nil {
			b.Fatal(err)
		}
	}
}

// still is a door whose model answers at once and that nobody watches: what is measured is the
// orchestration alone.
type still struct{ runtime.Effects }

func (*still) Model(r model.Request) (model.Reply, error) {
	return model.Reply{Text: r.Messages[0].Text}, nil
}

func (*still) Watched() bool { return false }

func BenchmarkChainOrchestration(b *testing.B) {
	run := chain(1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := run(&still{}, "task"); err != nil {
			b.Fatal(err)
		}
	}
}

// finishing is a still door whose model finishes at once.
type finishing struct{ still }

var oneFinish = []model.ToolCall{{ID: "1", Name: "finish", Args: `{"key":"done","value":"said"}`}}

func (*finishing) Model(model.Request) (model.Reply, error) {
	return model.Reply{Calls: oneFinish}, nil
}

var finisher = rt.ReactSpec{Agent: "finisher", Prompt: "Finish at once.", MaxIter: 10, Repair: 2, Stuck: 4}

// TestReactAllocatesLittle: a conversation that ends at once allocates its loop and its parsed finish.
func TestReactAllocatesLittle(t *testing.T) {
	fx, at := &finishing{}, rt.Closed("machine", "state", "done", "again")
	allocs := testing.AllocsPerRun(100, func() {
		if _, err := finisher.Run(fx, nil, "task", at); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 2 {
		t.Errorf("%.0f allocations", allocs)
	}
}

// Parallel runs the branches one after another.
func (s *still) Parallel(n, _ int, branch func(int, runtime.Effects) error) error {
	for i := range n {
		if err := branch(i, s); err != nil {
			return err
		}
	}

	return nil
}

// TestFlowsAllocateLittle: what a flow adds to its conversations. A group has its results and two
// functions, marked up texts are written once into memory of the right size, and an end is free.
func TestFlowsAllocateLittle(t *testing.T) {
	fx, at := &still{}, []rt.Place{rt.Closed("machine", "state", "exhausted")}
	items := make([]string, 1000)
	results := make(rt.Results, 1000)
	for i := range items {
		items[i] = "item"
		results[i].Name, results[i].Finish.Value = "item", "a text of some length"
	}
	brief := rt.Brief{{"task", "do it"}, {"current step", ""}, {"draft", results.String()}}
	fin := runtime.Finish{Key: "done", Value: "value"}
	text, done := "", false
	for name, c := range map[string]struct {
		most float64
		run  func() error
	}{
		"ForEach": {4, func() error {
			_, err := rt.Flow("flow").ForEach(fx, 8, items, said)

			return err
		}},
		"Together": {4, func() error {
			_, err := rt.Flow("flow").Together(fx, 8, "task", rt.Branch{Name: "a", Run: said}, rt.Branch{Name: "b", Run: said})

			return err
		}},
		"Results.String": {1, func() error { text = results.String(); return nil }},
		"Brief.String":   {1, func() error { text = brief.String(); return nil }},
		"Done":           {0, func() error { _, err := rt.Flow("flow").Done(fx, fin); return err }},
		"Pass":           {0, func() error { _, err := rt.Flow("flow").Pass(fx, fin); return err }},
		"Exhausted":      {0, func() error { _, err := rt.Flow("flow").Exhausted(fx, at, fin); return err }},
		"SaysDone":       {0, func() error { done = rt.SaysDone("**Done**") && fin.Is("done"); return nil }},
	} {
		allocs := testing.AllocsPerRun(50, func() {
			if err := c.run(); err != nil {
				t.Fatal(err)
			}
		})
		if allocs > c.most {
			t.Errorf("%s: %.0f allocations, expected at most %.0f", name, allocs, c.most)
		}
	}
	_, _ = text, done
}

func said(_ runtime.Effects, input string, _ ...rt.Place) (runtime.Finish, error) {
	return runtime.Finish{Key: "done", Value: input}, nil
}

func BenchmarkReactOrchestration(b *testing.B) {
	fx, at := &finishing{}, rt.Closed("machine", "state", "done", "again")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := finisher.Run(fx, nil, "task", at); err != nil {
			b.Fatal(err)
		}
	}
}

// TestReactAllocations: a conversation that ends at once allocates its loop and what its finish
// parses to; its prompt and tools are those of the one before. Agents that take turns in two places
// get the tools of their own place.
func TestReactAllocations(t *testing.T) {
	spec := testAgent()
	places := []rt.Place{rt.Closed("m", "s", "good", "bad"), rt.Open("m", "t", "other")}
	var tools []model.Tool
	calls := []model.ToolCall{{ID: "1", Name: "finish", Args: `{"key":"good","value":"said"}`}}
	fx := modelOnly{ask: func(r model.Request) (model.Reply, error) {
		tools = r.Tools

		return model.Reply{Calls: calls}, nil
	}}
	run := func(at rt.Place) {
		if _, err := spec.Run(fx, nil, "task", at); err != nil {
			t.Fatal(err)
		}
	}
	if allocs := testing.AllocsPerRun(20, func() { run(places[0]) }); allocs > 5 {
		t.Errorf("%.0f allocations", allocs)
	}
	var schemas []string
	for i := range 4 {
		run(places[i%2])
		schemas = append(schemas, tools[1].Schema)
	}
	if schemas[0] == schemas[1] || schemas[0] != schemas[2] || schemas[1] != schemas[3] {
		t.Errorf("the schemas of finish are %q", schemas)
	}
}

// modelOnly answers as a model, and nothing else.
type modelOnly struct {
	base
	ask func(model.Request) (model.Reply, error)
}

func (modelOnly) Watched() bool { return false }

func (m modelOnly) Model(r model.Request) (model.Reply, error) { return m.ask(r) }
