package schemadoc

import (
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Foreign turns a JSON Schema that others wrote, and that cannot be changed here, into what becomes Go: as much of it as can. A keyword
// that cannot is left out, and a schema that cannot is any value, so that all that fits the schema fits the result, whose JSON is the
// schema as it was given. An object without additionalProperties takes others, as JSON Schema has it. Its places are all at. nil is
// text that is no JSON.
func Foreign(text json.RawMessage, at source.Span) *ir.Schema {
	n, _ := yamldoc.ParseJSON(source.NewFile("schema.json", text))
	if n == nil {
		return nil
	}
	move(n, at)
	l := newLowerer(n)
	l.lenient = true
	s := l.whole()
	if s == nil || slices.ContainsFunc(s.Definitions, func(d *ir.Property) bool { return !names.HasSchemaReader(d.Schema) }) {
		s = anyValue(at)
	}
	s.JSON = string(text)

	return s
}

// ForeignInput is Foreign for the arguments of a tool: where the schema is not that of an object, any object fits.
func ForeignInput(text json.RawMessage, at source.Span) *ir.Schema {
	s := Foreign(text, at)
	if s == nil || s.Kind != ir.SchemaObject || s.Nullable {
		s = &ir.Schema{Kind: ir.SchemaObject, Span: at, Additional: anyValue(at), JSON: string(text)}
	}

	return s
}

func anyValue(at source.Span) *ir.Schema {
	return &ir.Schema{Kind: ir.SchemaAny, Span: at, JSON: "{}"}
}
