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
