package statemachine

import (
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// enumTexts returns the texts of an enum, each with its place where that is known.
func (s *Set) enumTexts(schema *ir.Schema) []ir.Text {
	if known, asked := s.enums[schema]; asked {
		return known
	}
	var texts []ir.Text
	written := s.nodeAt(schema.Span)
	for _, value := range schema.Enum {
		text := ir.Text{Span: schema.Span}
		if json.Unmarshal([]byte(value), &text.Value) != nil || value == "null" {
			continue
		}
		for _, n := range append(itemsOf(written.Value("enum")), written.Value("const")) {
			if word, scalar := n.Scalar(); scalar && word == text.Value {
				text.Span = n.Span
			}
		}
		texts = append(texts, text)
	}
	s.enums[schema] = texts

	return texts
}

func itemsOf(n *yamldoc.Node) []*yamldoc.Node {
	if n == nil {
		return nil
	}

	return slices.Clone(n.Items)
}

// nodeAt returns the mapping under a span of a workflow file; nil if there is none.
func (s *Set) nodeAt(span source.Span) *yamldoc.Node {
	if span.File == nil {
		return nil
	}
	d := s.byPath[span.File.Path]
	if d == nil {
		return nil
	}

	return mappingAt(d.root, span)
}

func mappingAt(n *yamldoc.Node, span source.Span) *yamldoc.Node {
	if n == nil || n.Span == span && n.Kind == yamldoc.Map {
		return n
	}
	for _, item := range n.Items {
		if found := mappingAt(item, span); found != nil {
			return found
		}
	}
	for _, f := range n.Fields {
		if found := mappingAt(f.Value, span); found != nil {
			return found
		}
	}

	return nil
}
