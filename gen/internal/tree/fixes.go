package tree

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// ApplyFixes changes the tree as if the first fix of each error had been applied, where it replaces one key or word by
// another, so that a misspelling has no consequences: the machine below `staes` is read, and its own mistakes are found
// in the same run. Places stay those of the file. A key that its mapping has already is left alone.
func ApplyFixes(root *yamldoc.Node, findings []*diag.Diagnostic) {
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
