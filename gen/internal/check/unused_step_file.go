package check

import (
	"fmt"
	"path"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// unusedStepFile finds Markdown files in the folders of agents that their patterns do not read.
// Each folder gets one diagnostic: usually the pattern is wrong.
var unusedStepFile = Pass{Name: "unused-step-file", run: func(u *unit) {
	for _, a := range u.program.Agents {
		if len(a.Unread) == 0 {
			continue
		}
		named := ir.Where(a.Conversations(), func(step *ir.Step) bool { return step.Name.Value != "" })
		read := ir.Map(named, func(step *ir.Step) string { return step.Name.Value + ".md" })
		steps := fmt.Sprintf("pattern %q has no step files", a.Node.Pattern())
		if len(read) > 0 {
			steps = fmt.Sprintf("the step %s of pattern %q %s", plural(len(read), "file", "files"), a.Node.Pattern(),
				plural(len(read), "is ", "are ")+diag.JoinNames(read))
		}
		u.report(diag.New(diag.UnusedStepFile, placeOf(a.PatternAt, a.Name), "%s in %q %s not read: %s",
			quoted(a.Unread), path.Dir(a.File.Path), plural(len(a.Unread), "is", "are"), steps).
			WithHint("correct the pattern, or move %s elsewhere", plural(len(a.Unread), "the file", "the files")))
	}
}}
