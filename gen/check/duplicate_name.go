package check

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
)

// sharedFile is the name, without _gen.go, of the generated file that belongs to no agent.
const sharedFile = "agentc"

// duplicateName finds names that would become the same generated file or the same Go identifier. No numeric suffix makes
// them different: it would change with the order of the sources.
var duplicateName = Pass{Name: "duplicate-name", run: func(u *unit) {
	u.duplicateFiles()
}}

// duplicateFiles finds agents whose output would be written to the same file.
func (u *unit) duplicateFiles() {
	first := map[string]*ir.Agent{}
	for _, a := range u.program.Agents {
		file := strings.TrimPrefix(a.Name.Value, "_")
		switch other := first[file]; {
		case file == sharedFile:
			u.report(diag.New(diag.DuplicateName, a.Name.Span,
				"agent %q would be generated into %s_gen.go, which is the file of what all agents share", a.Name.Value, file))
		case other != nil:
			u.report(diag.New(diag.DuplicateName, a.Name.Span, "agents %q and %q would both be generated into %s_gen.go",
				other.Name.Value, a.Name.Value, file).
				WithHint("a leading _ does not count in file names").
				Note(other.Name.Span, "the other agent"))
		default:
			first[file] = a
		}
	}
}
