package gen_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
)

// verdictFile is the file of a case with what check and simulate say.
const verdictFile = "want"

// endingChecks are the checks that say why a workflow does not end.
var endingChecks = []*diag.Check{diag.NoExit, diag.BeyondBounds, diag.UnroutedKey, diag.ConstantGuard, diag.GuardType, diag.UnreadBeforeWritten}

// TestVerdicts compiles and simulates testdata/verdicts/*.txtar: workflows that do not end, or only if a step fails. Both report it:
// the check with its position, and the reason of simulate with the names in it, are compared. With -v they are printed side by side.
func TestVerdicts(t *testing.T) {
	var table strings.Builder
	casetest.Run(t, "testdata/verdicts/*.txtar", func(t *testing.T, c *casetest.Case) {
		result := compileFS(t, c.Project(verdictFile))
		check, severity := verdictOfCheck(result)
		check = strings.TrimSpace(check)
		simulated, ends := verdictOfSimulate(t, result)
		c.Want(t, verdictFile, "check: "+check+"\nsimulate: "+simulated+"\n")
		fmt.Fprintf(&table, "%-24s | %-95s | %s\n", c.Name, check, simulated)

		switch {
		case severity == 0:
			t.Errorf("check says nothing of a workflow that does not end")
		case severity == diag.Warning && !endsByFailure(result):
			t.Errorf("check only warns of a workflow that never ends")
		case severity == diag.Error && ends:
			t.Errorf("check has an error, and a run ends")
		}
	})
	t.Logf("check and simulate of each case:\n%s", table.String())
}

// verdictOfCheck returns the first diagnostic that says why a workflow does not end; errors come first.
func verdictOfCheck(result *gen.Result) (verdict string, severity diag.Severity) {
	found := ir.Where(result.Diagnostics, func(d *diag.Diagnostic) bool { return slices.Contains(endingChecks, d.Check) })
	for _, severity := range []diag.Severity{diag.Error, diag.Warning} {
		for _, d := range found {
			if d.Severity == severity {
				return casetest.Codes([]*diag.Diagnostic{d}), severity
			}
		}
	}

	return "nothing", 0
}

// verdictOfSimulate reports whether simulate finds a run that ends with the entry points that are workflows.
func verdictOfSimulate(t *testing.T, result *gen.Result) (verdict string, ends bool) {
	t.Helper()
	var roots []*ir.Agent
	for _, a := range result.Program.Agents {
		w, isWorkflow := ir.WorkflowOf(a.Node)
		if isWorkflow && w.Partial {
			return "a workflow with such an error is not simulated", false
		}
		if isWorkflow && a.Name.Value == "w" {
			roots = append(roots, a)
		}
	}
	if len(roots) != 1 {
		t.Fatalf("%d workflows are called w", len(roots))
	}
	found := simulate.FindRuns(result.Program, simulate.Options{Roots: roots})
	for _, endless := range found.Endless {
		names := strings.Join(quotedNames.FindAllString(endless.Why.Text, -1), ", ")
		return fmt.Sprintf("no run ends, %s: %s", endless.Why.Reason, names), false
	}
	if endsByFailure(result) {
		return "a run ends in which a step fails", true
	}

	return "a run ends", true
}

// endsByFailure reports whether the workflow w ends only where a step fails.
func endsByFailure(result *gen.Result) bool {
	w := ir.First(result.Program.Agents, func(a *ir.Agent) bool { return a.Name.Value == "w" })

	return flow.Analyze(result.Program, flow.Guess{}).EndingOf(w) == flow.EndsByFailure
}

// quotedNames are the names that a sentence quotes.
var quotedNames = regexp.MustCompile(`"[^"]*"`)
