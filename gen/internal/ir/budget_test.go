package ir_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// TestPriced: a step that limits money limits it for all steps inside of it, but not for its fallback.
func TestPriced(t *testing.T) {
	named := func(name string) ir.Text { return ir.Text{Value: name} }
	runs := func(step string) *ir.Task {
		return &ir.Task{Do: &ir.Run{Step: &ir.Step{Name: named(step)}}}
	}
	other := &ir.Agent{Name: named("other")}
	group := &ir.Task{USD: 1, Fallback: runs("instead"), Do: &ir.Parallel{Branches: []*ir.Arm{
		{Body: &ir.Pipeline{Tasks: []*ir.Task{runs("left")}}},
		{Body: &ir.Pipeline{Tasks: []*ir.Task{{Do: &ir.Import{Agent: &ir.AgentRef{Agent: other}}}}}},
	}}}
	dear := runs("dear")
	dear.USD = 1
	w := &ir.Flow{Kind: ir.Workflow, Body: &ir.Pipeline{Tasks: []*ir.Task{runs("free"), group, dear}}}
	a := &ir.Agent{Name: named("w"), Node: w}

	if got := strings.Join(a.Priced(), " "); got != "w/left other w/dear" {
		t.Errorf("limited are %s", got)
	}
	if got := (&ir.Agent{Node: &ir.React{}}).Priced(); got != nil {
		t.Errorf("an agent without steps limits %v", got)
	}
}
