package statemachine

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// namings are the diagnostics about a name that nothing in the file has.
var namings = []*diag.Check{
	diag.DanglingNextState, diag.UndefinedAgent, diag.UndefinedImport,
	diag.UndefinedStepOutput, diag.UndefinedVariable,
}

// languageNames are names that no file declares.
var languageNames = []string{
	"context", "previous_step", "steps", "output", "resume_input", "this", "event", "last_output", "last_step",
	ir.NextState, ir.CurrentState,
}

// sure takes the fix from a diagnostic about a name where the mistake may be the other one: a workflow declares its names
// itself, so that of two names that differ by a letter either can be the wrong one. It is the one that is in the
// file once, if the other is there more often.
func (d *document) sure(f *diag.Diagnostic) {
	if d.file == nil || !slices.Contains(namings, f.Check) || len(f.Fixes) != 1 || len(f.Fixes[0].Edits) != 1 {
		return
	}
	edit := f.Fixes[0].Edits[0]
	if slices.Contains(languageNames, edit.New) {
		return
	}
	if d.count(edit.Span.Text()) != 1 || d.count(edit.New) < 2 {
		f.Fixes = nil
	}
}

// count returns how often the last word of a name, such as writer of agents.writer, is in the file.
func (d *document) count(name string) int {
	word := name[strings.LastIndexAny(name, ".:")+1:]
	whole := regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(word) + `($|[^\w-])`)

	return len(whole.FindAllIndex(d.file.Bytes, -1))
}
