package cost_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/internal/cost"
)

// BenchmarkBoundEntries bounds machines whose states lead back and forth, as those of the section analysis of the
// benchmarks.
func BenchmarkBoundEntries(b *testing.B) {
	const machines, workers = 100, 10
	project := fstest.MapFS{}
	add := func(name, description, pattern, fields, body string) {
		text := fmt.Sprintf("---\nname: %s\ndescription: %s\nversion: \"1.0\"\npattern: %s\n%s---\n%s", name, description, pattern, fields, body)
		project["agents/"+name+"/AGENT.md"] = &fstest.MapFile{Data: []byte(text)}
	}
	for i := range workers {
		add(fmt.Sprint("worker-", i), "Does a part of the work.", "react", fmt.Sprintf("keys: [next-%d, back-%d]\n", i, i), "Call finish.\n")
	}
	for i := range machines {
		var rows strings.Builder
		for j := range workers {
			next := fmt.Sprint("worker-", j+1)
			if j == workers-1 {
				next = "finished"
			}
			fmt.Fprintf(&rows, "  worker-%d:\n    - next-%d: %s\n    - back-%d: worker-%d\n", j, j, next, j, (j*7+i)%workers)
		}
		add(fmt.Sprint("table-", i), "Routes the work.", "fsm", "initial: worker-0\nstates:\n"+rows.String()+"  finished: ~\n", "")
	}
	p := load(b, project)
	b.ReportAllocs()
	for b.Loop() {
		cost.BoundEntries(p, cost.Options{})
	}
}
