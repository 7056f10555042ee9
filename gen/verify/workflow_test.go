package verify_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/verify"
)

// TestRandomWorkflows reads random workflows back: steps of every kind in each other, with every expression in each place.
func TestRandomWorkflows(t *testing.T) {
	for seed := range uint64(60) {
		p := workflows(seed)
		files, err := emit.Files(p, emit.Options{})
		if err != nil {
			t.Fatalf("%d: %v", seed, err)
		}
		if err := verify.Files(p, files); err != nil {
			t.Errorf("%d: %v", seed, err)
		}
	}
}

// TestExplicit: conditions that mean the same are written the same, whatever stands in parentheses; others are not.
func TestExplicit(t *testing.T) {
	for _, c := range []struct{ condition, want string }{
		{"a && b || c", "(a && b) || c"},
		{"(a && b) || (c)", "(a && b) || c"},
		{"a && (b || c)", "a && (b || c)"},
		{"a && (b && c) && d", "a && b && c && d"},
		{"p && (a || (b && c))", "p && (a || (b && c))"},
		{"((a || b)) || (c || d)", "a || b || c || d"},
		{"!(a == 1) && !b", "!(a == 1) && !b"},
		{"a == 1 && (b == 2) == c", "(a == 1) && ((b == 2) == c)"},
		{"f(a && (b)) != (\"x\" + \"y\")", "f(a && b) != \"x\" + \"y\""},
		{"(*T).run != nil", "(*T).run != nil"},
	} {
		file := "package p\n\nfunc (r *T) m() {\n\tif " + c.condition + " {\n\t}\n}\n\nfunc (r *U) m() {\n\tif " + c.condition + " {\n\t}\n}\n"
		got, err := verify.Explicit([]byte(file), "T")
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Replace(file, c.condition, c.want, 1); got != want {
			t.Errorf("%s becomes\n%s\nwant\n%s", c.condition, got, want)
		}
	}
}

// TestDeepCondition reads back a guard whose parts stand in each other, each of which Go writes in more than one way.
func TestDeepCondition(t *testing.T) {
	text := func(s string) ir.Text { return ir.Text{Value: s} }
	var x ir.Expression = &ir.Access{Root: ir.RootContext, Path: []ir.Field{{Name: text("a")}}}
	for range 200 {
		x = &ir.Compare{Op: ir.OpEqual, X: x, Y: &ir.Literal{Value: int64(1)}}
		x = &ir.Method{Name: "startswith", X: x, Arg: &ir.Literal{Value: "x"}}
		x = &ir.Contains{X: x, Y: &ir.Literal{Value: "x"}}
	}
	begin := &ir.State{Name: text("begin"), Body: &ir.Pipeline{}}
	end := &ir.State{Name: text("end"), End: true, Body: &ir.Pipeline{}}
	ref := func(s *ir.State) ir.Ref { return ir.Ref{Text: s.Name, State: s} }
	output := &ir.Output{Name: text("machine")}
	machine := &ir.Machine{
		Initial: ref(begin), States: []*ir.State{begin, end}, MaxSteps: 20,
	}
	machine.Add(&ir.Row{From: ref(begin), Key: text(ir.OnSuccess), To: ref(end), When: &ir.Guard{
		Text: text("deep"), Formula: &ir.Formula{Text: text("deep"), Root: x},
	}})
	p := &ir.Program{Package: "agents", Agents: []*ir.Agent{{Name: text("work"), Node: &ir.Workflow{
		Outputs: []*ir.Output{output},
		Body:    &ir.Pipeline{Tasks: []*ir.Task{{Name: output.Name, Output: output, Do: machine}}},
	}}}}
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := verify.Files(p, files); err != nil {
		t.Error(err)
	}
}
