package flow_test

import (
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// workMachine is a machine of a workflow: a leads to done, or to nowhere where the guard does not hold, and nothing to lost.
func workMachine(guarded bool) *ir.Machine {
	state := func(name string, end bool) *ir.State {
		return &ir.State{Name: ir.Text{Value: name}, End: end, Body: &ir.Pipeline{Tasks: []*ir.Task{{Do: &ir.UseFunc{}}}}}
	}
	a, done, failed, lost := state("a", false), state("Over", true), state("failed", true), state("lost", true)
	to := func(s *ir.State) ir.Ref { return ir.Ref{Text: s.Name, State: s} }
	m := &ir.Machine{
		Initial: to(a), States: []*ir.State{a, done, failed, lost},
	}
	leaves := &ir.Row{From: to(a), Key: ir.Text{Value: ir.OnSuccess}, To: to(done)}
	if guarded {
		leaves.When = &ir.Guard{Formula: &ir.Formula{}}
	}
	m.AddRow(leaves)
	m.AddRow(&ir.Row{From: ir.Ref{Text: ir.Text{Value: ir.CatchAll}}, Key: ir.Text{Value: ir.OnFailure}, To: to(failed)})

	return m
}

func TestOutcomesOfWorkflows(t *testing.T) {
	ends := &ir.Task{Do: workMachine(false)}
	stalls := &ir.Task{Do: workMachine(true)}
	other := &ir.Task{Do: &ir.PassOn{}}
	partial := workMachine(false)
	partial.Partial = true
	cases := []struct {
		name     string
		workflow *ir.Flow
		want     []string
	}{
		{"no steps", &ir.Flow{Kind: ir.Workflow, Body: &ir.Pipeline{}}, []string{"done"}},
		{"steps", &ir.Flow{Kind: ir.Workflow, Body: &ir.Pipeline{Tasks: []*ir.Task{ends, other}}}, []string{"done"}},
		{"a machine that always reaches an end state",
			&ir.Flow{Kind: ir.Workflow, Body: &ir.Pipeline{Tasks: []*ir.Task{other, ends}}}, []string{"Over", "failed"}},
		{"a machine that can stall",
			&ir.Flow{Kind: ir.Workflow, Body: &ir.Pipeline{Tasks: []*ir.Task{stalls}}}, []string{"Over", "failed"}},
		{"a machine with a fallback",
			&ir.Flow{Kind: ir.Workflow, Body: &ir.Pipeline{Tasks: []*ir.Task{{Do: ends.Do, Fallback: other}}}}, []string{"done", "Over", "failed"}},
		{"a machine that is known in part", &ir.Flow{Kind: ir.Workflow, Body: &ir.Pipeline{Tasks: []*ir.Task{{Do: partial}}}}, nil},
		{"a last step that is not known", &ir.Flow{Kind: ir.Workflow, Body: &ir.Pipeline{Tasks: []*ir.Task{{}}}}, nil},
		{"a workflow that is known in part", &ir.Flow{Kind: ir.Workflow, Partial: true, Body: &ir.Pipeline{}}, nil},
	}
	for _, c := range cases {
		agent := named("flow", c.workflow)
		p := flow.Analyze(&ir.Program{Agents: []*ir.Agent{agent}}, flow.Guess{})
		if got := p.Outcomes(agent); !slices.Equal(got.Keys(), c.want) || got.Adapts() || got.Exhausts {
			t.Errorf("%s: %q, want %q", c.name, got.Keys(), c.want)
		}
	}
}

// The key with which an agent of a workflow finishes is not read, wherever the workflow is used.
func TestAgentsOfWorkflowsAreUsedAnywhere(t *testing.T) {
	helper := named("helper", &ir.React{})
	ref := &ir.AgentRef{Text: helper.Name, Agent: helper}
	work := named("flow", &ir.Flow{Kind: ir.Workflow, Body: &ir.Pipeline{Tasks: []*ir.Task{{Do: &ir.Run{Agent: ref}}}}})
	desk := named("desk", &ir.Machine{States: []*ir.State{{Name: work.Name, Agent: work, Rows: []*ir.Row{row("done", nil)}}}})
	p := flow.Analyze(&ir.Program{Entry: desk, Agents: []*ir.Agent{desk, work, helper}}, flow.Guess{})
	if got := p.UsesOf(helper); len(got.Sites) != 1 || got.Sites[0].LegalPlace().Kind != ir.PlaceFree {
		t.Errorf("helper is used at %+v", got.Sites)
	}
	if got := p.UsesOf(work).Sites; len(got) != 1 || !slices.Equal(got[0].LegalPlace().Keys, []string{"done"}) {
		t.Errorf("flow is used at %+v", got)
	}
}
