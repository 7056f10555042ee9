package ir_test

import (
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// keyed is an agent with declared keys.
func keyed(name string, keys ...string) *ir.Agent {
	texts := ir.Map(keys, func(key string) ir.Text { return ir.Text{Value: key} })

	return &ir.Agent{Name: ir.Text{Value: name}, Node: &ir.React{Keys: texts}}
}

// TestFinalKeys: which keys have constants, and that there are none where a model chooses the text.
func TestFinalKeys(t *testing.T) {
	pass := keyed("grade", "pass", "fail")
	free := &ir.Agent{Name: ir.Text{Value: "free"}, Node: &ir.React{}}
	oneshot := &ir.Agent{Name: ir.Text{Value: "oneshot"}, Node: &ir.Oneshot{}}
	machine := func(states ...*ir.State) *ir.Agent { return &ir.Agent{Node: &ir.Machine{States: states}} }
	row := func(key string, end bool) *ir.Row { return &ir.Row{Key: ir.Text{Value: key}, End: end} }
	end := func(a *ir.Agent) *ir.State { return &ir.State{Agent: a} }
	itself := machine()
	itself.Node.(*ir.Machine).States = []*ir.State{end(itself)}
	external := machine(end(pass))
	external.Node.(*ir.Machine).External = true

	for _, c := range []struct {
		name  string
		agent *ir.Agent
		want  []string
	}{
		{"declared", pass, []string{"pass", "fail"}},
		{"one declared", keyed("one", "answered"), []string{"answered"}},
		{"free", free, nil},
		{"no choice", oneshot, nil},
		{"a row that ends", machine(&ir.State{Agent: pass, Rows: []*ir.Row{row("pass", true), row("fail", false)}}, end(oneshot)), []string{"pass", "done"}},
		{"the same key folded", machine(&ir.State{Agent: pass, Rows: []*ir.Row{row(" DONE", true), row("x", true)}}, end(oneshot)), []string{" DONE", "x"}},
		{"every other key", machine(&ir.State{Agent: pass, Rows: []*ir.Row{row("pass", false), row("*", true)}}, end(oneshot)), []string{"fail", "done"}},
		{"a free agent at the end", machine(end(pass), end(free)), nil},
		{"a machine in itself", itself, nil},
		{"driven by other code", external, nil},
		{"a faulty agent", &ir.Agent{}, nil},
	} {
		if got := ir.Values(ir.FinalKeysOf(c.agent).TypedKeys(c.agent)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestFinalKeysOfSharedAgents: an agent that others contain on many paths is looked at once, and its keys are the same for all.
func TestFinalKeysOfSharedAgents(t *testing.T) {
	inner := keyed("grade", "pass", "fail")
	agents := []*ir.Agent{inner}
	for range 200 {
		outer := &ir.Agent{Node: &ir.Machine{States: []*ir.State{{Agent: inner}, {Agent: inner}}}}
		agents = append(agents, outer)
		inner = outer
	}
	final := ir.FinalKeysOf(inner)
	for i, a := range agents {
		if got := ir.Values(final.TypedKeys(a)); !slices.Equal(got, []string{"pass", "fail"}) {
			t.Fatalf("the agent at depth %d has the keys %q", i, got)
		}
	}
}

// TestFinalKeysOfACircle: agents that contain each other have no known keys, in whatever order they are looked at.
func TestFinalKeysOfACircle(t *testing.T) {
	pass := keyed("grade", "pass", "fail")
	first, second := &ir.Machine{}, &ir.Machine{}
	a, b := &ir.Agent{Node: first}, &ir.Agent{Node: second}
	first.States = []*ir.State{{Agent: pass}, {Agent: b}}
	second.States = []*ir.State{{Agent: a}, {Agent: pass}}
	for _, order := range [][]*ir.Agent{{a, b, pass}, {b, a, pass}, {pass, b, a}} {
		final := ir.FinalKeysOf(order...)
		_, isKnownOfA := final.Of(a)
		_, isKnownOfB := final.Of(b)
		_, isKnownOfPass := final.Of(pass)
		if isKnownOfA || isKnownOfB || !isKnownOfPass {
			t.Errorf("known: %v, %v, %v", isKnownOfA, isKnownOfB, isKnownOfPass)
		}
	}
}
