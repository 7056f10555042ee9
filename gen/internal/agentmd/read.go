package agentmd

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/parallel"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// markdown is a file with a head, parsed and validated. The frontmatter is not nil.
type markdown struct {
	file     *source.File
	doc      *yamldoc.Frontmatter
	findings []*diag.Diagnostic
}

// readMarkdown reads a file with a head, and validates the head if it could be parsed. The frontmatter is not nil unless
// there is an error. A step file needs no head.
func (l *loader) readMarkdown(path string, kind validate.Kind) (*source.File, *yamldoc.Frontmatter, error) {
	all, err := l.readMarkdowns([]string{path}, kind)
	if err != nil {
		return nil, nil, err
	}

	return all[0].file, all[0].doc, nil
}

// readMarkdowns is readMarkdown for many files. They are parsed and validated side by side: that is most of the work of a
// check, and nothing in one file depends on another.
func (l *loader) readMarkdowns(paths []string, kind validate.Kind) ([]markdown, error) {
	all := make([]markdown, len(paths))
	for i, path := range paths {
		f, err := l.ReadFile(path)
		if err != nil {
			return nil, err
		}
		all[i].file = f
	}
	parallel.Do(len(all), func(i int) { all[i].parse(kind) })
	for _, m := range all {
		l.Report(m.file, m.findings)
	}

	return all, nil
}

// parse parses and validates the file, and makes the tree what was most likely meant where it does not fit the schema.
func (m *markdown) parse(kind validate.Kind) {
	m.doc, m.findings = yamldoc.ParseFrontmatter(m.file)
	if !m.doc.Found && kind != validate.Step && kind != validate.Resume && len(m.findings) == 0 {
		m.findings = append(m.findings, diag.New(diag.Syntax, frontend.FirstLine(m.file), "the file has no frontmatter").
			WithHint("it starts with a line ---, then YAML, then a line ---"))
	}
	if m.doc.Head != nil {
		m.findings = append(m.findings, frontend.Validated(kind, m.doc.Head, m.file)...)
	}
}
