package statemachine

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// pipeline lowers steps that run one after another, in any of the forms in which they can be written. name and what are
// those of [ir.Pipeline].
func (b *builder) pipeline(n *yamldoc.Node, f *frame, name []string, what string) *ir.Pipeline {
	p := &ir.Pipeline{Name: name, What: what, Span: spanOf(n)}
	f.pipeline = p
	for _, step := range stepsOf(n) {
		if step.Kind != yamldoc.Map {
			b.document.faulty = true // the schema has said so
			continue
		}
		p.Tasks = append(p.Tasks, b.task(step, spot{frame: f, index: len(p.Tasks)}))
	}

	return p
}

// stepsOf returns the steps of a list, of {steps: […]}, or the one step that a body is.
func stepsOf(n *yamldoc.Node) []*yamldoc.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == yamldoc.Seq:
		return n.Items
	case n.Kind == yamldoc.Map && n.Get("steps") != nil:
		return n.Value("steps").Items
	case n.Kind == yamldoc.Map:
		return []*yamldoc.Node{n}
	}

	return nil
}

func spanOf(n *yamldoc.Node) source.Span {
	if n == nil {
		return source.Span{}
	}

	return n.Span
}

// within names a pipeline that a step of another one runs.
func within(p *ir.Pipeline, words ...string) []string { return append(slices.Clone(p.Name), words...) }

// result is what is known of the output of a pipeline that is given a value of type input.
func result(p *ir.Pipeline, input ir.Type) ir.Type {
	if n := len(p.Tasks); n > 0 {
		return dynamic(givenBy(p.Tasks[n-1]))
	}

	return dynamic(input)
}

// givenBy is what is known of the output of a step, whichever of its tries and fallbacks gave it.
func givenBy(t *ir.Task) ir.Type {
	if mayGiveNone(t) {
		return unknown
	}
	types := []ir.Type{t.Type}
	for f := t.Fallback; f != nil; f = f.Fallback {
		types = append(types, f.Type)
	}

	return same(types...)
}
