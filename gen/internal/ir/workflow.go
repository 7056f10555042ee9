package ir

import "github.com/agentc-dev/agentc/gen/internal/source"

// ContextPath is a place in the context: names from the outside to the inside, without `context`, `scratchpad` and
// `import_artifacts`, which all are the context itself. Text is the path as it is written.
type ContextPath struct {
	Text
	Path []Text
}

// Access returns the value at the place, of which so much is known.
func (p *ContextPath) Access(of Type) *Access {
	fields := Map(p.Path, func(name Text) Field { return Field{Name: name} })

	return &Access{Span: p.Span, Written: p.Value, Root: RootContext, Path: fields, Type: of, Maybe: true}
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
