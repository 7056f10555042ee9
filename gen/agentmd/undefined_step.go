package agentmd

import (
	"path"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
)

// undefinedStep reports a step file that the pattern needs and that does not exist.
func (b *flowBuilder) undefinedStep(name string) {
	file := b.document.path(name + ".md")
	d := diag.New(diag.UndefinedStep, b.document.agent.PatternAt.Span,
		"step file %q, which pattern %q needs, does not exist", file, b.document.pattern)
	if near, ok := b.misnamedStep(name); ok {
		b.report(d.WithHint("if %q is meant, rename it to %q", near, path.Base(file)))
		return
	}
	b.report(d.WithHint("add it, with the prompt of this step"))
}

// misnamedStep returns the file of the folder that was most likely meant to be the step's.
func (b *flowBuilder) misnamedStep(name string) (near string, ok bool) {
	var folded []string
	written := map[string]string{}
	for _, file := range b.document.folder.files {
		if fold := strings.ToLower(file); path.Ext(fold) == ".md" && file != agentFile {
			folded = append(folded, fold)
			written[fold] = file
		}
	}
	if file := written[name+".md"]; file != "" {
		return file, true
	}
	near, ok = diag.Nearest(name+".md", folded)

	return written[near], ok
}
