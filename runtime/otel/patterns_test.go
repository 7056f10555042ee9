package otel_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	allpatterns "github.com/agentc-dev/agentc/examples/all-patterns/agents"
	orchestrate "github.com/agentc-dev/agentc/examples/orchestrate/agents"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/otel"
)

var update = flag.Bool("update", false, "write testdata anew")

// observed is a program that carries the part.
func observed(p *compiled.Program) *compiled.Program {
	with := *p
	with.Parts = append(with.Parts[:len(with.Parts):len(with.Parts)], otel.Part{})

	return &with
}

// compare holds a text against a file of testdata.
func compare(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
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
