package statemachine

import (
	"path"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/parallel"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// maxDepth is how deep imports may be nested.
const maxDepth = 32

// read reads workflow files and all that they import.
func (s *Set) read(paths []string) {
	for depth := 0; len(paths) > 0; depth++ {
		level := s.readLevel(paths, depth > 0)
		paths = ir.Flat(level, func(d *document) []string { return s.findImports(d, depth) })
	}
}

// readLevel reads files that are equally deep in the imports. They are parsed and validated side by side.
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
			findings[i] = append(findings[i], frontend.Validated(validate.Workflow, root, level[i].file)...)
		}
	})
	for i, d := range level {
		s.project.List.Add(findings[i]...)
		d.faulty = d.faulty || slices.ContainsFunc(findings[i], (*diag.Diagnostic).IsError)
		d.agent = s.agent(d)
		s.documents = append(s.documents, d)
	}

	return level
}

// agent makes the workflow known by name.
func (s *Set) agent(d *document) *ir.Agent {
	name := s.nameOf(d)

	return &ir.Agent{
		Name:        ir.Text{Value: name, Span: frontend.WholeFile(d.file)},
		File:        d.file,
		Folder:      name,
		Description: frontend.Text(d.root.Value("description")),
		Version:     frontend.Text(d.root.Value("version")).Value,
	}
}

// findImports points the aliases of a workflow to the files that they name, and reports those that name none. It returns the files
// that are not read yet.
func (s *Set) findImports(d *document, depth int) []string {
	d.imports = map[string]*document{}
	var files []string
	for _, f := range d.root.Value("imports").Members() {
		d.imports[f.Key.Text] = nil
		text := textIn(f.Value)
		if text.Value == "" {
			continue
		}
		file, finding := s.namedFile(d, diag.UndefinedImport, "import", text)
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

// namedFile returns the file that a workflow names, or why there is none.
func (s *Set) namedFile(d *document, check *diag.Check, what string, text ir.Text) (string, *diag.Diagnostic) {
	file, finding := s.insideProject(d, what, text)
	if finding == nil && !s.project.HasFile(file) {
		finding = s.absent(check, what, text, file)
	}

	return file, finding
}

// insideProject returns the path of a file that a workflow names, or why it is none in the project.
func (s *Set) insideProject(d *document, what string, text ir.Text) (string, *diag.Diagnostic) {
	file, ok := source.Inside(path.Dir(d.path), text.Value)
	if !ok || file == "." {
		return "", diag.New(diag.BadValue, text.Span, "%s %q is not a file inside the project", what, text.Value).
			WithHint("write its path relative to this file, with forward slashes")
	}
	if link := source.Link(s.project.FS, file); link != "" {
		return "", diag.New(diag.BadValue, text.Span, "%s %q: %q is a symbolic link, and the file has to be in the project itself",
			what, text.Value, link)
	}

	return file, nil
}

// absent reports a file that is not there, with the one that was most likely meant.
func (s *Set) absent(check *diag.Check, what string, text ir.Text, file string) *diag.Diagnostic {
	d := diag.New(check, text.Span, "%s %q: there is no file %q", what, text.Value, file)
	folder := path.Dir(file)
	names, _ := source.Names(s.project.FS, folder) // else what is there is of no help
	var candidates []string
	for _, name := range names {
		if other := path.Join(folder, name); path.Ext(name) == path.Ext(file) && source.IsFile(s.project.FS, other) {
			candidates = append(candidates, text.Value[:len(text.Value)-len(path.Base(text.Value))]+name)
		}
	}

	return d.Suggest(text.Value, candidates)
}
