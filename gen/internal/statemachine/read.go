package statemachine

import (
	"path"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/parallel"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// maxDepth is the maximum depth of nested imports.
const maxDepth = 32

// readWorkflows reads workflow files and all their imports.
func (s *Set) readWorkflows(paths []string) {
	for depth := 0; len(paths) > 0; depth++ {
		level := s.readLevel(paths, depth > 0)
		paths = ir.FlatMap(level, func(d *document) []string { return s.findImports(d, depth) })
	}
}

// readLevel reads files at the same depth of imports. It parses and validates them in parallel.
func (s *Set) readLevel(paths []string, imported bool) []*document {
	level := make([]*document, len(paths))
	findings := make([][]*diag.Diagnostic, len(paths))
	for i, path := range paths {
		if s.byPath[path] == nil {
			s.byPath[path] = &document{path: path}
		}
		level[i] = s.byPath[path]
		level[i].file, level[i].imported = s.project.ReadFile(path), imported
	}
	parallel.Do(len(level), func(i int) {
		level[i].root, findings[i] = yamldoc.Parse(level[i].file)
		if root := level[i].root; root != nil {
			findings[i] = append(findings[i], frontend.ValidateAndFix(validate.Workflow, root, level[i].file)...)
		}
	})
	for i, d := range level {
		s.project.List.Add(findings[i]...)
		d.faulty = d.faulty || slices.ContainsFunc(findings[i], (*diag.Diagnostic).IsError)
		d.agent = s.newAgent(d)
		s.documents = append(s.documents, d)
	}

	return level
}

// newAgent returns the agent of a workflow, without its node.
func (s *Set) newAgent(d *document) *ir.Agent {
	name := s.nameOf(d)

	return &ir.Agent{
		Name:        ir.Text{Value: name, Span: frontend.WholeFile(d.file)},
		File:        d.file,
		Folder:      name,
		Description: frontend.Text(d.root.Value("description")),
		Version:     frontend.Text(d.root.Value("version")).Value,
	}
}

// findImports resolves the imports of a workflow and reports missing files. It returns the files
// that have not been read yet.
func (s *Set) findImports(d *document, depth int) []string {
	d.imports = map[string]*document{}
	var files []string
	for _, f := range d.root.Value("imports").Members() {
		d.imports[f.Key.Text] = nil
		text := textOf(f.Value)
		if text.Value == "" {
			continue
		}
		file, finding := s.resolveFile(d, diag.UndefinedImport, "import", text)
		if ext := path.Ext(text.Value); ext != ".yaml" && ext != ".yml" {
			finding = diag.New(diag.BadValue, text.Span, "import %q is not a workflow: its name does not end in .yaml", text.Value)
		}
		if finding == nil && depth >= maxDepth {
			finding = diag.New(diag.BadValue, text.Span, "import %q is nested more than %d deep", text.Value, maxDepth)
		}
		if finding != nil {
			s.report(d, finding)
			continue
		}
		child := s.byPath[file]
		if child == nil {
			child = &document{path: file}
			s.byPath[file] = child
			files = append(files, file)
		}
		d.imports[f.Key.Text], child.runInside = child, true
	}

	return files
}

// resolveFile returns the file that a workflow names, or the diagnostic of a missing one.
func (s *Set) resolveFile(d *document, check *diag.Check, what string, text ir.Text) (string, *diag.Diagnostic) {
	isAlike := func(name string) bool { return path.Ext(name) == path.Ext(text.Value) }

	return s.project.ResolveNamedFile(check, what, text, frontend.Named{Folder: path.Dir(d.path), From: "this file", IsAlike: isAlike})
}
