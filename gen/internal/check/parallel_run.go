package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// parallelRunTool is the tool that starts workers in older prompts of tama.
const parallelRunTool = "parallel_run"

// parallelRun finds prompts that ask for the tool parallel_run. A scatter starts its workers when
// its model finishes with the key parallel. Only the first request of each prompt is reported.
var parallelRun = Pass{Name: diag.DeprecatedForm.Name, run: func(u *unit) {
	for _, tool := range u.program.AllTools() {
		if tool.Name.Value == parallelRunTool {
			return
		}
	}
	for _, p := range u.prompts {
		found := u.firstToolRequest(p.text, func(tool string) bool { return tool == parallelRunTool })
		if found.tool == "" {
			continue
		}
		d := diag.New(diag.DeprecatedForm, p.span(found.start, found.end), "there is no tool %q any more", parallelRunTool)
		if flow, ok := ir.PatternOf(p.agent.Node); ok && flow.Kind == "scatter" && p.step.Name.Value == "" {
			d.WithHint(`finish with key parallel: finish(key="parallel", value=<the list of tasks>)`)
		} else {
			d.WithHint(`give the agent pattern: scatter and a worker, and finish with key parallel: finish(key="parallel", value=<the list of tasks>)`)
		}
		u.report(d)
	}
}}
