package agentmd

import (
	"path"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// isStep reports whether a file of the folder can be read as the step that its name says. If there is none, or something
// else bears its name, that is reported.
func (b *flowBuilder) isStep(name string) (bool, error) {
	if !b.document.has(name + ".md") {
		b.undefinedStep(name)
		return false, nil
	}
	file := b.document.path(name + ".md")
	instead, err := frontend.NotFile(b.loader.FS, file)
	if err != nil || instead == "" {
		return err == nil, err
	}
	b.report(diag.New(diag.UndefinedStep, b.document.agent.PatternAt.Span,
		"step file %q, which pattern %q needs, is %s", file, b.document.pattern, instead).
		WithHint("put a file there, with the prompt of this step"))

	return false, nil
}

// undefinedStep reports a step file that the pattern needs and that does not exist. What a misspelled pattern needs is reported
// when the pattern is right: it is only a guess, and one that is not written without asking, as the file is missing.
func (b *flowBuilder) undefinedStep(name string) {
	if b.guessedPattern() {
		b.loader.dropFixes(b.document.agent.PatternAt.Span)
		return
	}
	file, at := b.document.path(name+".md"), b.document.agent.PatternAt.Span
	d := diag.New(diag.UndefinedStep, at, "step file %q, which pattern %q needs, does not exist", file, b.document.pattern)
	near, ok := b.misnamedStep(name)
	if !ok {
		b.report(d.WithHint("add it, with the prompt of this step"))
		return
	}
	d.Span = frontend.WholeFile(source.NewFile(b.document.path(near), nil)) // which nothing reads
	b.report(d.WithHint("if %q is meant, rename it to %q", near, path.Base(file)).
		Note(at, "pattern %q is asked for here", b.document.pattern))
}

// guessedPattern reports whether the pattern is what a misspelled word was taken for, which is a finding of its own.
func (b *flowBuilder) guessedPattern() bool {
	a := b.document.agent
	_, written := diag.Literally(a.PatternAt.Span, b.document.pattern)
	alias := strings.HasPrefix(a.PatternAt.Span.Text(), "*")

	return b.loader.IsFaulty(a.File) && !written && !alias
}

// dropFixes leaves the fix of what was found at a place to a person.
func (l *loader) dropFixes(at source.Span) {
	for _, d := range l.List.Sorted() {
		if d.Span == at {
			d.Fixes = nil
		}
	}
}

// misnamedStep returns the file of the folder that was most likely meant to be the step's.
func (b *flowBuilder) misnamedStep(name string) (near string, ok bool) {
	var folded []string
	written := map[string]string{}
	for _, file := range b.document.folder.files {
		if fold, prose := asMarkdown(strings.ToLower(file)); prose && file != AgentFile {
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

// asMarkdown returns the name that a file of text has if it ends in .md.
func asMarkdown(file string) (name string, prose bool) {
	ext := path.Ext(file)
	switch ext {
	case ".md", ".markdown", ".mdx", ".txt":
		return strings.TrimSuffix(file, ext) + ".md", true
	}

	return "", false
}
