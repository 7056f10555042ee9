package statemachine

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/parallel"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// maxDepth is how deep imports may be nested.
const maxDepth = 32

// read reads workflow files and all that they import. The error is that of a file that could not be read.
func (s *Set) read(paths []string) error {
	for depth := 0; len(paths) > 0; depth++ {
		level, err := s.readLevel(paths, depth > 0)
		if err != nil {
			return err
		}
		paths = nil
		for _, d := range level {
			files, err := s.findImports(d, depth)
			if err != nil {
				return err
			}
			paths = append(paths, files...)
		}
	}
	return nil
}

// readLevel reads files that are equally deep in the imports. They are parsed and validated side by side.
func (s *Set) readLevel(paths []string, imported bool) ([]*document, error) {
	level := make([]*document, len(paths))
	findings := make([][]*diag.Diagnostic, len(paths))
	for i, path := range paths {
		f, err := s.project.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if s.byPath[path] == nil {
			s.byPath[path] = &document{path: path}
		}
		level[i] = s.byPath[path]
		level[i].file, level[i].imported = f, imported
	}
	parallel.Do(len(level), func(i int) { findings[i] = level[i].parse() })
	for i, d := range level {
		s.project.List.Add(findings[i]...)
		d.agent = s.agent(d)
		s.documents = append(s.documents, d)
	}

	return level, nil
}

// parse parses and validates the file, and makes the tree what was most likely meant where it does not fit the schema.
func (d *document) parse() []*diag.Diagnostic {
	root, findings := yamldoc.Parse(d.file)
	if d.root = root; root != nil {
		findings = append(findings, frontend.Validated(validate.Workflow, root, d.file)...)
	}
	for _, f := range findings {
		d.faulty = d.faulty || f.Severity == diag.Error
	}

	return findings
}

// agent makes the workflow known by name.
func (s *Set) agent(d *document) *ir.Agent {
	name := s.nameOf(d)
	a := &ir.Agent{
		Name:        ir.Text{Value: name, Span: frontend.WholeFile(d.file)},
		File:        d.file,
		Folder:      name,
		Description: frontend.Text(d.root.Value("description")),
		Version:     frontend.Text(d.root.Value("version")).Value,
	}

	return a
}
