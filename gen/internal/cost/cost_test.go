package cost_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

// The bounds of each project in testdata are those of its file want. The texts of the projects say how they are computed.
func TestProjects(t *testing.T) {
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		entries := cost.BoundEntries(load(t, c.Project("want", "markdown")), cost.Options{})
		text := cost.FormatText(entries)
		for _, line := range strings.Split(text, "\n") {
			if len([]rune(line)) > 80 {
				t.Errorf("%d columns: %s", len([]rune(line)), line)
			}
		}
		c.Want(t, "want", text)
		markdown := cost.FormatMarkdown(entries)
		c.Want(t, "markdown", markdown)
	})
}

// load compiles a project, in which nothing may be wrong.
func load(t testing.TB, project fstest.MapFS) *ir.Program {
	t.Helper()
	list := &diag.List{}
	p, err := loader.Load(project, list)
	if err != nil {
		t.Fatal(err)
	}
	check.Run(p, list)
	for _, d := range list.Sorted() {
		if d.Severity == diag.Error {
			t.Errorf("%s: %s", d.Span.File.Path, d.Message)
		}
	}

	return p
}

// TestExpect: the median and the 95th percentile are those of runs, each number for itself.
func TestExpect(t *testing.T) {
	var runs []cost.Spend
	for i := range cost.Amount(20) {
		runs = append(runs, cost.Spend{Calls: 20 - i, Micro: i})
	}
	got := cost.NewExpected(runs)
	want := cost.Expected{Runs: 20, Median: cost.Spend{Calls: 10, Micro: 9}, P95: cost.Spend{Calls: 19, Micro: 18}}
	if *got != want {
		t.Errorf("got %+v", *got)
	}
	if cost.NewExpected(nil) != nil {
		t.Error("nothing is expected without runs")
	}
}

// TestHundredAgents: the bounds of a hundred agents are found in a moment.
func TestHundredAgents(t *testing.T) {
	p := randomProgram(7, 100)
	p.Entry = p.Agents[len(p.Agents)-1]
	for _, a := range p.Agents {
		a.Scripted = false
	}
	begun := time.Now()
	entries := cost.BoundEntries(p, cost.Options{})
	took := time.Since(begun)
	t.Logf("%d agents, %d entry points: %v", len(p.Agents), len(entries), took)
	if took > 2*time.Second { // 50 ms is the goal; a machine under load is slower
		t.Errorf("it took %v", took)
	}
	if _, err := json.Marshal(entries); err != nil {
		t.Error(err)
	}
}
