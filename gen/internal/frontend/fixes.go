package frontend

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// maxFixRounds bounds how often a tree is fixed: what is below a misspelled field may have misspelled fields itself.
const maxFixRounds = 4

// Validated returns what does not fit the schema, and makes the tree what was most likely meant, whose own mistakes are reported too.
func Validated(kind validate.Kind, root *yamldoc.Node, f *source.File) []*diag.Diagnostic {
	var findings []*diag.Diagnostic
	for range maxFixRounds {
		unfit := slices.DeleteFunc(validate.Document(kind, root, f), func(d *diag.Diagnostic) bool {
			return slices.ContainsFunc(findings, func(known *diag.Diagnostic) bool { return known.Span == d.Span })
		})
		if len(unfit) == 0 {
			break
		}
		findings = append(findings, unfit...)
		applyFixes(root, unfit)
	}

	return findings
}

// applyFixes changes the tree as if the first fix of each error had been applied, where it replaces one key or word by
// another, so that a misspelling has no consequences: the machine below `staes` is read, and its own mistakes are found
// in the same run. Places stay those of the file. A key that its mapping has already is left alone.
func applyFixes(root *yamldoc.Node, findings []*diag.Diagnostic) {
	meant := map[source.Span]string{}
	for _, d := range findings {
		if d.Severity != diag.Error || len(d.Fixes) == 0 || len(d.Fixes[0].Edits) != 1 {
			continue
		}
		if edit := d.Fixes[0].Edits[0]; edit.New != "" {
			meant[edit.Span] = edit.New
		}
	}
	if len(meant) > 0 {
		replaceTexts(root, meant)
	}
}

func replaceTexts(n *yamldoc.Node, meant map[source.Span]string) {
	if text, ok := meant[diag.Unquoted(n.Span)]; ok && n.Kind == yamldoc.String {
		n.Text = text
	}
	for _, item := range n.Items {
		replaceTexts(item, meant)
	}
	for _, f := range n.Fields {
		if text, ok := meant[diag.Unquoted(f.Key.Span)]; ok && n.Get(text) == nil {
			f.Key.Text = text
		}
		replaceTexts(f.Value, meant)
	}
}
