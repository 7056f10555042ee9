package ir

import "github.com/agentc-dev/agentc/gen/internal/source"

// ContextPath is a place in the context: names from the outside to the inside, without `context`, `scratchpad` and
// `import_artifacts`, which all are the context itself. Text is the path as it is written.
type ContextPath struct {
	Text
	Path []Text
}

// Access returns the value at the place, whose type is known, in a context with a schema; nil for one
// that is not declared.
func (p *ContextPath) Access(of Type, context *Schema) *Access {
	access := &Access{Span: p.Span, Written: p.Value, Root: RootContext, Type: of}
	for _, name := range p.Path {
		context = context.Followed()
		property := context.Property(name.Value)
		isThere := property != nil && !context.Nullable && (property.Required || property.Schema.Default != "")
		access.Maybe = access.Maybe || !isThere
		access.Path = append(access.Path, Field{Name: name, Property: property})
		context = nil
		if property != nil {
			context = property.Schema
		}
	}

	return access
}

// Routing names of the context. They belong to the machine that runs and not to the context's schema.
const (
	NextState    = "next_state"
	CurrentState = "current_state"
)

// Routes reports whether the path is next_state or current_state.
func (p *ContextPath) Routes() bool {
	return len(p.Path) == 1 && (p.Path[0].Value == NextState || p.Path[0].Value == CurrentState)
}

// Datum is a value that is written in the source: JSON with templates in its texts.
type Datum struct {
	Span source.Span
	// Exactly one of the following is used: Text for a text, Value for a text inside of a list or a mapping that is one
	// placeholder and keeps the type of its value, JSON for any other scalar (null too), List, Fields.
	Text   *Template
	Value  Expression
	JSON   string
	List   []*Datum
	Fields []DatumField
	// Kind says which.
	Kind DatumKind
}

// DatumKind says what a datum is.
type DatumKind uint8

// The kinds of data.
const (
	DatumText DatumKind = iota + 1
	DatumValue
	DatumJSON
	DatumList
	DatumFields
)

// DatumField is a field of a mapping.
type DatumField struct {
	Name  Text
	Value *Datum
}
