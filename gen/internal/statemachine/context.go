package statemachine

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// place reads a place in the context of a workflow; nil if it is none, which is reported. typ is what is known of what
// is there.
func (b *builder) place(text ir.Text, of *document) (path *ir.ContextPath, typ ir.Type) {
	path, typ, findings := expr.Place(text, contextOf(of))
	b.report(findings...)

	return path, typ
}

// places reads a list of places in the context.
func (b *builder) places(texts []ir.Text) []*ir.ContextPath {
	var paths []*ir.ContextPath
	for _, text := range texts {
		if text.Value == "" {
			continue // the schema has said so
		}
		if path, _ := b.place(text, b.document); path != nil {
			paths = append(paths, path)
		}
	}

	return paths
}

// contextPath reads the path of a builtin. One with placeholders is known when it runs. What is merged may go into the
// context itself.
func (s *step) contextPath(do *ir.UseBuiltin, path ir.Text) {
	switch {
	case path.Value == "" || hasPlaceholder(path.Value):
	case do.Builtin == builtin.ContextMerge && isContext(path.Value):
		do.Path = &ir.ContextPath{Text: path}
	default:
		var typ ir.Type
		if do.Path, typ = s.place(path, s.document); do.Builtin == builtin.ContextGet {
			s.task.Type = dynamic(typ)
		}
	}
}

// isContext reports whether a path is that of the context itself.
func isContext(path string) bool {
	context := contextOf(&document{})
	names := append([]string{context.Name}, context.Same...)

	return !slices.ContainsFunc(strings.Split(path, "."), func(name string) bool { return !slices.Contains(names, name) })
}

// fields are fields of the context that steps write.
type fields struct {
	names map[string]bool
	// own are those that a step of their name writes: they are there when the step has run.
	own map[string]bool
	// open says that there may be others, which only the run shows.
	open bool
}

// writes takes which fields of the context the step writes.
func (s *step) writes() {
	s.written.open = s.written.open || s.task.Do == nil // what was meant is not known
	_, isImport := s.task.Do.(*ir.Import)
	for _, w := range s.task.Writes() {
		switch {
		case w.Path == nil:
			s.written.open = true
		case len(w.Path.Path) > 0:
			s.writesField(w.Path.Path[0].Value, !isImport || w.Path == s.task.SinkTo) // an import may lack what is copied
		case w.At == s.task.UpdatesAt:
			s.writesMembers(givenBy(s.task).Schema)
		default:
			s.writesMembers(w.Schema)
		}
	}
}

// writesMembers takes the fields of an object that is merged into the context. Anything but an object is not merged.
func (s *step) writesMembers(of *ir.Schema) {
	if of == nil || of.Kind == ir.SchemaAny {
		s.written.open = true
		return
	}
	s.written.open = s.written.open || of.Additional != nil
	for _, p := range of.Properties {
		s.writesField(p.Name.Value, p.Required)
	}
}

// writesField takes a field; always says that it is written whenever the step runs.
func (s *step) writesField(name string, always bool) {
	s.written.names[name] = true
	if always && name == s.task.Name.Value {
		s.written.own[name] = true
	}
}
