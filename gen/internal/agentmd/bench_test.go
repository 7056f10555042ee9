package agentmd_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

// BenchmarkLoad loads projects of several sizes: a tenth of the agents are machines over the others, of 20 rows each.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("%d-agents", n), func(b *testing.B) {
			project := projectOfSize(n)
			b.ReportAllocs()
			for b.Loop() {
				list := &diag.List{}
				p, err := loader.Load(project, list)
				if err != nil || list.Len() > 0 || len(p.Agents) != n {
					b.Fatal(len(p.Agents), err, list.Len())
				}
			}
		})
	}
}

func projectOfSize(n int) fstest.MapFS {
	project := fstest.MapFS{}
	add := func(name, fields string) {
		text := "---\nname: " + name + "\ndescription: Does its part.\nversion: \"1.0.0\"\n" + fields + "---\n\nDo it.\n"
		project["agents/"+name+"/AGENT.md"] = &fstest.MapFile{Data: []byte(text)}
	}
	for i := range n {
		if i%10 > 0 {
			add(fmt.Sprintf("agent-%d", i), "pattern: react\nkeys: [done, again]\nmax_iter: 5\n")
			continue
		}
		var rows strings.Builder
		for j := 1; j < 10; j++ {
			fmt.Fprintf(&rows, "  agent-%d:\n    - done: end\n    - again: agent-%d\n", i+j, i+1+j%9)
		}
		add(fmt.Sprintf("agent-%d", i), fmt.Sprintf("pattern: fsm\ninitial: agent-%d\nstates:\n%s  end: ~\n", i+1, rows.String()))
	}

	return project
}
