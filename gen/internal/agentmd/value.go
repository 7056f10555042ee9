package agentmd

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// giveOutput says that the value of each of the steps can be the flow's: the schema of AGENT.md is theirs where they have
// none of their own.
func (b *flowBuilder) giveOutput(steps ...*ir.Step) {
	schema := b.loader.schema(b.field("output"))
	for _, s := range steps {
		if output := outputOf(s); *output == nil {
			*output = schema
		}
	}
}

// outputOf returns where a step keeps the schema of its value.
func outputOf(s *ir.Step) **ir.Schema {
	if react, ok := s.Node.(*ir.React); ok {
		return &react.Output
	}

	return &s.Node.(*ir.Oneshot).Output
}

// defaultMaxItems bounds a list that a model writes.
const defaultMaxItems = 1000

// givesList says that the step's value is a list if it comes with the key; with every key if that is empty, so that there
// is no value for which a schema could count.
func (b *flowBuilder) givesList(s *ir.Step, kind ir.ListKind, key string) *ir.Step {
	if output := outputOf(s); key == "" && *output != nil {
		b.loader.List.Add(diag.New(diag.UnusedField, (*output).Span,
			"the schema of the value is not used: this step writes a list").
			WithHint("leave output out"))
		*output = nil
	}
	rule := &ir.ListRule{Kind: kind, Key: key, Max: b.limit("max_items", defaultMaxItems)}
	switch n := s.Node.(type) {
	case *ir.React:
		n.List = rule
	case *ir.Oneshot:
		n.List = rule
	}

	return s
}
