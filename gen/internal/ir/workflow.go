package ir

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// ContextPath is a path in the context, outermost name first, without `context`, `scratchpad` and
// `import_artifacts`, which are all the context itself. Text is the path as written.
type ContextPath struct {
	Text
	Path []Text
}

// Access returns an access to the value at the path, whose type is known, in a context with a
// schema. A nil schema means that the context is not declared.
func (p *ContextPath) Access(of Type, context *Schema) *Access {
	access := &Access{Span: p.Span, Written: p.Value, Root: RootContext, Type: of}
	for _, name := range p.Path {
		context = context.Resolved()
		property := context.Property(name.Value)
		isThere := property != nil && !context.Nullable && (property.Required || property.Schema.Default != "")
		access.MayBeNone = access.MayBeNone || !isThere
		access.Path = append(access.Path, Field{Name: name, Property: property})
		context = nil
		if property != nil {
			context = property.Schema
		}
	}

	return access
}

// ContextAliases are members of an object that is merged into the context whose own members belong
// there.
var ContextAliases = []string{"scratchpad", "import_artifacts"}

// Routing names of the context. They belong to the machine that runs and not to the context's
// schema.
const (
	NextState    = "next_state"
	CurrentState = "current_state"
)

// IsContextRouting reports whether a member of an object that is merged into the context is none of
// the context's fields.
func IsContextRouting(name string) bool {
	return name == NextState || name == CurrentState || slices.Contains(ContextAliases, name)
}

// IsRouting reports whether the path is next_state or current_state.
func (p *ContextPath) IsRouting() bool {
	return len(p.Path) == 1 && (p.Path[0].Value == NextState || p.Path[0].Value == CurrentState)
}

// Datum is a literal value of the source: JSON with templates in its texts.
type Datum struct {
	Span source.Span
	// Exactly one of the following is used: Text for a text; Value for a text in a list or a
	// mapping that is a single placeholder and keeps the type of its value; JSON for any other
	// scalar, including null; List, of items or of two operands; Fields.
	Text   *Template
	Value  Expression
	JSON   string
	List   []*Datum
	Fields []DatumField
	// Kind selects the field.
	Kind DatumKind
}

// DatumKind is the kind of a datum.
type DatumKind uint8

// The kinds of data.
const (
	DatumText DatumKind = iota + 1
	DatumValue
	DatumJSON
	DatumList
	DatumFields
	// DatumAppend is a list with another item at its end, and DatumMerge is an object over which
	// another one is put, deep. List has the two.
	DatumAppend
	DatumMerge
)

// DatumField is a field of a mapping.
type DatumField struct {
	Name  Text
	Value *Datum
	// Optional leaves the field out if its value is missing. [Datum.ForReceiver] sets it.
	Optional bool `shape:"-"`
}

// WithFields returns a mapping with only those of its fields that have one of the names; any other
// datum itself.
func (d *Datum) WithFields(names []string) *Datum {
	if d.Kind != DatumFields {
		return d
	}
	some := *d
	some.Fields = Where(d.Fields, func(f DatumField) bool { return slices.Contains(names, f.Name.Value) })

	return &some
}
