package flow_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

var (
	agent  = &ir.Agent{Node: &ir.React{}}
	marker = &ir.State{Name: ir.Text{Value: "marker"}}
	works  = &ir.State{Name: ir.Text{Value: "works"}, Agent: agent}
)

func row(key string, to *ir.State) *ir.Row {
	return &ir.Row{Key: ir.Text{Value: key}, To: ir.Ref{State: to}, End: to == nil}
}

// whole is a program with a reviewer in four places: closed, open, free, and behind a catch-all that leaves.
//
//	desk:    read (bad: desk2, good: ~), desk2
//	desk2:   inner (good: ~, bad: ~, never: ~), read (ok: ~, *: inner)
//	inner:   read (again: read, *: ~)
func whole() (*ir.Program, map[string]*ir.Agent) {
	agents := map[string]*ir.Agent{"read": named("read", &ir.React{})}
	stand := func(name string, rows ...*ir.Row) *ir.State {
		return &ir.State{Name: ir.Text{Value: name}, Agent: agents[name], Rows: rows}
	}

	read := stand("read")
	read.Rows = []*ir.Row{row("again", read), row("*", nil)}
	agents["inner"] = named("inner", &ir.Machine{States: []*ir.State{read}})

	inner := stand("inner", row("good", nil), row("bad", nil), row("never", nil))
	agents["desk2"] = named("desk2", &ir.Machine{States: []*ir.State{inner, stand("read", row("ok", nil), row("*", inner))}})

	desk2 := stand("desk2")
	agents["desk"] = named("desk", &ir.Machine{States: []*ir.State{stand("read", row("bad", desk2), row("good", nil)), desk2}})

	p := &ir.Program{Entry: agents["desk"]}
	for _, name := range []string{"desk", "desk2", "inner", "read"} {
		p.Agents = append(p.Agents, agents[name])
	}

	return p, agents
}

func named(name string, node ir.Node) *ir.Agent {
	return &ir.Agent{Name: ir.Text{Value: name}, Node: node}
}

func TestStanding(t *testing.T) {
	program, agents := whole()
	p := flow.Analyze(program, flow.Guess{})
	for name, want := range map[string][]string{
		"desk":  {"free"},
		"desk2": {"free"},
		"inner": {"closed [good bad never]"},
		"read":  {"closed [bad good]", "open [ok]", "closed [again good bad never]"},
	} {
		var got []string
		for _, site := range p.UsesOf(agents[name]).Sites {
			legal := site.LegalPlace()
			text := []string{ir.PlaceFree: "free", ir.PlaceOpen: "open", ir.PlaceClosed: "closed"}[legal.Kind]
			if len(legal.Keys) > 0 {
				text += fmt.Sprint(" ", legal.Keys)
			}
			got = append(got, text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s stands at %q, want %q", name, got, want)
		}
	}

	inner := p.UsesOf(agents["inner"])
	if inner.AnyKey || !allows(inner, " Never ") || allows(inner, "again") || allows(inner, "nothing") {
		t.Errorf("inner: anything %v, legal %q", inner.AnyKey, inner.LegalKeys())
	}
	if read := p.UsesOf(agents["read"]); !read.AnyKey || !allows(read, "nothing") {
		t.Error("read stands at an open place, and something is not legal")
	}
}

func TestStandingOfSteps(t *testing.T) {
	mapping, reduce := &ir.Step{Node: &ir.React{}}, &ir.Step{Node: &ir.React{}}
	reduced := ir.NewOutput("reduced")
	scatter := named("scatter", &ir.Flow{Body: ir.NewPipeline(
		&ir.Task{Do: &ir.Run{Step: mapping, At: ir.Place{Kind: ir.PlaceOr, State: "map", Keys: []string{"parallel"}}}},
		&ir.Task{Do: &ir.Run{Step: reduce, At: ir.Place{Kind: ir.PlaceOuter}}, Output: reduced},
		&ir.Task{Do: &ir.Return{Key: ir.KeyOwn}, Input: ir.ExpressionDatum(ir.OutputAccess(reduced))},
	)})
	machine := named("machine", &ir.Machine{States: []*ir.State{
		{Name: ir.Text{Value: "scatter"}, Agent: scatter, Rows: []*ir.Row{row("good", nil), row("bad", nil)}},
	}})
	p := flow.Analyze(&ir.Program{Agents: []*ir.Agent{machine, scatter}}, flow.Guess{})
	for _, c := range []struct {
		step *ir.Step
		want []string
	}{
		{mapping, []string{"good", "bad", "parallel"}},
		{reduce, []string{"good", "bad"}},
	} {
		got := p.UsesOfStep(scatter, c.step)
		if !slices.Equal(got.LegalKeys(), c.want) || got.AnyKey || len(got.Sites) != 1 {
			t.Errorf("a step stands at %q, %d sites, want %q", got.LegalKeys(), len(got.Sites), c.want)
		}
	}
}

func TestOutcomes(t *testing.T) {
	returns := func(key ir.ReturnKey) *ir.Task { return &ir.Task{Do: &ir.Return{Key: key}} }
	reflexion := named("reflexion", &ir.Flow{Body: ir.NewPipeline(returns(ir.KeyDone), returns(ir.KeyExhausted))})
	critic := named("critic", &ir.Flow{Body: ir.NewPipeline(returns(ir.KeyDone))})
	react, oneshot := named("react", &ir.React{}), named("oneshot", &ir.Oneshot{})
	declared := named("declared", &ir.React{Keys: []ir.Text{{Value: "Good"}, {Value: "bad"}}})
	state := func(a *ir.Agent, rows ...*ir.Row) *ir.State { return &ir.State{Agent: a, Rows: rows} }
	machine := func(states ...*ir.State) *ir.Agent { return named("machine", &ir.Machine{States: states}) }

	cases := []struct {
		name  string
		agent *ir.Agent
		known []string
		can   []string
		not   []string
	}{
		{"a react loop that adapts", react, nil, []string{"anything"}, nil},
		{"one that declares keys", declared, []string{"Good", "bad"}, []string{" good", "BAD"}, []string{"anything"}},
		{"a oneshot", oneshot, []string{"done"}, []string{"Done"}, []string{"result"}},
		{"a critic", critic, []string{"done"}, nil, []string{"exhausted"}},
		{"a reflexion", reflexion, []string{"done"}, []string{"exhausted"}, []string{"retry"}},
		{"what could not be read", named("unread", nil), nil, nil, []string{"done"}},
		{"a terminal", machine(state(reflexion)), []string{"done"}, []string{"exhausted"}, []string{"retry"}},
		{"rows that leave", machine(state(declared, row("good", nil), row("bad", works))), []string{"Good"}, nil, []string{"bad"}},
		{"what a row keeps inside", machine(state(react, row("again", works), row("*", nil))), nil,
			[]string{"anything"}, []string{"again"}},
		{"what is kept inside of one way out of two", machine(state(react, row("again", works), row("*", nil)), state(react)), nil,
			[]string{"anything", "again"}, nil},
		{"a limit that is routed inside", machine(state(reflexion, row("exhausted", works), row("*", nil))), []string{"done"},
			nil, []string{"exhausted"}},
	}
	for _, c := range cases {
		p := flow.Analyze(&ir.Program{Agents: []*ir.Agent{reflexion, critic, react, oneshot, declared, works.Agent, c.agent}},
			flow.Guess{})
		out := p.Outcomes(c.agent)
		if got := out.Keys(); !slices.Equal(got, c.known) || out.HasNoKeys() != (len(c.known) == 0) {
			t.Errorf("%s: comes out with %q, want %q", c.name, got, c.known)
		}
		for _, key := range c.can {
			if !out.CanFinishWith(key) {
				t.Errorf("%s: cannot finish with %q", c.name, key)
			}
		}
		for _, key := range c.not {
			if out.CanFinishWith(key) {
				t.Errorf("%s: can finish with %q", c.name, key)
			}
		}
	}
}

// What a machine has to itself does not reach further than where its key goes.
func TestPassOn(t *testing.T) {
	program, agents := whole()
	p := flow.Analyze(program, flow.Guess{})
	for from, want := range map[string]string{
		"read":  "inner read",
		"inner": "inner",
		"desk2": "desk desk2",
	} {
		var got string
		passed := p.AgentsPassingOn(func(a *ir.Agent) bool { return a == agents[from] })
		for _, a := range program.Agents {
			if passed[a] {
				got += " " + a.Name.Value
			}
		}
		if got != " "+want {
			t.Errorf("the key of %s is that of%s, want %s", from, got, want)
		}
	}
}

// allows reports whether a key is legal in one of all the places.
func allows(uses *flow.Uses, key string) bool {
	return uses.AnyKey || slices.ContainsFunc(uses.LegalKeys(), func(legal string) bool { return ir.FoldKey(legal) == ir.FoldKey(key) })
}
