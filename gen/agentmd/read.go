package agentmd

import (
	"io/fs"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/source"
	"github.com/agentc-dev/agentc/gen/validate"
	"github.com/agentc-dev/agentc/gen/yamldoc"
)

// readFile reads a file of the project. That it is UTF-8 is the parsers' business.
func (l *loader) readFile(path string) (*source.File, error) {
	content, err := fs.ReadFile(l.fsys, path)
	if err != nil {
		return nil, err
	}
	f := source.NewFile(path, content)
	l.program.Files = append(l.program.Files, f)

	return f, nil
}

// readMarkdown reads a file with a head, and validates the head if it could be parsed. The frontmatter is not nil unless
// there is an error. A step file needs no head.
func (l *loader) readMarkdown(path string, kind validate.Kind) (*source.File, *yamldoc.Frontmatter, error) {
	f, err := l.readFile(path)
	if err != nil {
		return nil, nil, err
	}

	doc, findings := yamldoc.ParseFrontmatter(f)
	l.found(f, findings)
	if !doc.Found && kind != validate.Step && kind != validate.Resume && len(findings) == 0 {
		l.list.Add(diag.New(diag.Syntax, firstLine(f), "the file has no frontmatter").
			WithHint("it starts with a line ---, then YAML, then a line ---"))
	}
	if doc.Head != nil {
		l.validate(kind, doc.Head, f)
	}

	return f, doc, nil
}

// validate reports what does not fit the schema, and makes the tree what was most likely meant.
func (l *loader) validate(kind validate.Kind, root *yamldoc.Node, f *source.File) {
	findings := validate.Document(kind, root, f)
	l.found(f, findings)
	assumeMeant(root, findings)
}

// found adds the findings about a file's head, and remembers whether it can be relied on.
func (l *loader) found(f *source.File, findings []*diag.Diagnostic) {
	l.list.Add(findings...)
	for _, d := range findings {
		l.faulty[f] = l.faulty[f] || d.Severity == diag.Error
	}
}
