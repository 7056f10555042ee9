package otel_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	allpatterns "github.com/agentc-dev/agentc/examples/all-patterns/agents"
	orchestrate "github.com/agentc-dev/agentc/examples/orchestrate/agents"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/testing/golden"
	"github.com/agentc-dev/agentc/runtime/otel"
)

// observed is a program that carries the part.
func observed(p *compiled.Program) *compiled.Program {
	with := *p
	with.Parts = append(with.Parts[:len(with.Parts):len(with.Parts)], otel.Part{})

	return &with
}

// compare compares a text with a file of testdata.
func compare(t *testing.T, file, got string) {
	t.Helper()
	golden.Compare(t, filepath.Join("testdata", file), got)
}

// TestPatterns: agents of every pattern lie within who runs them, branches and steps too, though no event says that one begins.
func TestPatterns(t *testing.T) {
	r := newReceiver(t)
	export(t, r)
	p := observed(allpatterns.New().Program())
	if _, err := core.New(core.Config{}).Run(context.Background(), p, "", "All patterns compile."); err != nil {
		t.Fatal(err)
	}
	if told := closed(); told != "" {
		t.Error(told)
	}
	compare(t, "patterns.txt", r.tree())
}

// TestWorkflow: the same for a workflow, with inner workflows, steps and questions.
func TestWorkflow(t *testing.T) {
	r := newReceiver(t)
	export(t, r)
	script, err := os.ReadFile("../../examples/orchestrate/scripts/again.json")
	if err != nil {
		t.Fatal(err)
	}
	p := observed(orchestrate.New().Program())
	if _, err := core.New(core.Config{Script: string(script)}).Run(context.Background(), p, "", "Since when?"); err != nil {
		t.Fatal(err)
	}
	if told := closed(); told != "" {
		t.Error(told)
	}
	compare(t, "workflow.txt", r.tree())
}
