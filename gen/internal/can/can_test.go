package can_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/can"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/flow"
)

// What runs of each project in testdata can do, and by which paths, is in its files can and paths, in lines of 80 columns.
func TestProjects(t *testing.T) {
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		p := load(t, c.Project("can", "paths"))
		facts := flow.Analyze(p, flow.Guess{})
		var paths strings.Builder
		text := can.FormatText(can.FindEntries(p, facts, p.EntryPoints()))
		c.Want(t, "can", text)
		for _, from := range can.Sources {
			paths.WriteString("from " + from + ":\n")
			wanted := can.Flow{From: []string{from}, To: []string{can.Any}}
			var names []string
			for _, a := range p.EntryPoints() {
				names = append(names, a.Name.Value)
			}
			paths.WriteString(can.FormatPaths(names, can.FindFlows(facts, p.EntryPoints(), wanted)))
		}
		c.Want(t, "paths", paths.String())
		for _, line := range strings.Split(text+paths.String(), "\n") {
			if len([]rune(line)) > 80 {
				t.Errorf("%d columns: %s", len([]rune(line)), line)
			}
		}
	})
}
