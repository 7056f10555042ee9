package stats_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/stats"
)

// The statistics of each project in testdata are those of its file want. The texts of the projects
// say how they come about.
func TestProjects(t *testing.T) {
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		c.Want(t, "want", stats.FormatText(stats.CountEntries(load(t, c.Project("want")))))
	})
}

// load compiles a project, in which nothing may be wrong.
func load(t *testing.T, project fstest.MapFS) *ir.Program {
	t.Helper()
	list := &diag.List{}
	p, err := loader.Load(project, list)
	if err != nil {
		t.Fatal(err)
	}
	check.Run(p, list)
	for _, d := range list.Sorted() {
		t.Errorf("%s: %s", d.Span.File.Path, d.Message)
	}

	return p
}

// The bound of a chain of machines, each of which runs the one below it max_steps times, does not
// overflow; a machine may be deep and its limits large without taking longer than anybody would
// wait.
func TestLargeLimits(t *testing.T) {
	const depth = 10_000
	p := &ir.Program{}
	below := &ir.Agent{Name: ir.Text{Value: "leaf"}, Node: &ir.React{MaxIter: 1 << 40}}
	p.Agents = append(p.Agents, below)
	for i := range depth {
		s := &ir.State{Name: below.Name, Agent: below}
		again := &ir.Guard{Func: &ir.GuardFunc{Name: ir.Text{Value: "again"}}}
		s.Rows = []*ir.Row{{Key: ir.Text{Value: "done"}, To: ir.Ref{State: s}, When: again}, {Key: ir.Text{Value: "done"}, End: true}}
		m := &ir.Machine{Initial: ir.Ref{State: s}, States: []*ir.State{s}, MaxSteps: 1 << 40}
		below = &ir.Agent{Name: ir.Text{Value: fmt.Sprint("machine-", i)}, Node: m}
		p.Agents = append(p.Agents, below)
	}
	p.Entry = below
	entries := stats.CountEntries(p)
	want := stats.Entry{Name: below.Name.Value, Agents: depth + 1, States: depth, Rows: 2 * depth, Guarded: depth, Cycles: depth, Calls: cost.Unbounded}
	if len(entries) != 1 || entries[0] != want {
		t.Fatalf("got %+v", entries)
	}
	text, err := json.Marshal(entries)
	if err != nil {
		t.Fatal(err)
	}
	const wantJSON = `[{"entry_point":"machine-9999","agents":10001,"states":10000,"rows":20000,"guarded_rows":10000,"cycles":10000,"model_calls_at_most":9007199254740991}]`
	if string(text) != wantJSON {
		t.Errorf("got %s", text)
	}
}

func TestNumbers(t *testing.T) {
	for calls, want := range map[cost.Amount]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567", cost.Unbounded: "9,007,199,254,740,991+",
	} {
		if calls.String() != want {
			t.Errorf("%d is written %s, want %s", uint64(calls), calls, want)
		}
	}
}
