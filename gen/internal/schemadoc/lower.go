package schemadoc

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// The limits of one schema with its references, which may grow when they are expanded.
const (
	maxSchemas = 10_000
	maxDepth   = 64
)

// Lower lowers the node of a JSON Schema. The diagnostics are sorted by position. The schema is nil
// for a nil node, and if no part of it is usable. After errors it is as complete as possible.
func Lower(n *yamldoc.Node) (*ir.Schema, []*diag.Diagnostic) { return lowerWith(n, false) }

// LowerOpen is Lower for schemas in which {type: object} means any mapping, and not an empty one.
func LowerOpen(n *yamldoc.Node) (*ir.Schema, []*diag.Diagnostic) { return lowerWith(n, true) }

// LowerContext is [LowerOpen] for the context of a workflow, whose fields may have a keyword merge.
func LowerContext(n *yamldoc.Node) (*ir.Schema, []*diag.Diagnostic) {
	if n == nil {
		return nil, nil
	}
	l := newLowerer(n)
	l.openObjects, l.fields, l.ruled = true, map[*yamldoc.Node]bool{}, map[*yamldoc.Node]*yamldoc.Node{}
	l.findFields(n, nil)

	return l.lowerWhole()
}

func lowerWith(n *yamldoc.Node, open bool) (*ir.Schema, []*diag.Diagnostic) {
	if n == nil {
		return nil, nil
	}
	l := newLowerer(n)
	l.openObjects = open

	return l.lowerWhole()
}

// lowerWhole lowers the complete schema, and checks it.
func (l *lowerer) lowerWhole() (*ir.Schema, []*diag.Diagnostic) {
	s := l.lowerRoot()
	if !l.tooLarge {
		l.checkUnusedDefinitions()
	}
	if s == nil {
		return nil, l.list.Sorted()
	}
	if !l.lenient {
		l.list.Add(findCollisions(s)...)
	}

	return s, l.list.Sorted()
}

// findCollisions reports names of a schema that become one Go name, each pair at the later one.
func findCollisions(s *ir.Schema) []*diag.Diagnostic {
	return ir.Map(names.SchemaCollisions(s), func(c names.SchemaCollision) *diag.Diagnostic {
		d := diag.New(diag.DuplicateName, c.Second.Span, "%s", c.Problem())
		if c.First.Span.IsValid() {
			d.Note(c.First.Span, "the first is here")
		}
		return d
	})
}

// CheckNames reports names of a schema that Go cannot have as fields of structs. It is for a schema
// that is inferred from values: one of the source is checked where it is lowered.
func CheckNames(s *ir.Schema) []*diag.Diagnostic {
	found := findCollisions(s)
	for _, part := range names.SchemaParts("", s) {
		for _, p := range part.Properties {
			if d := checkPropertyName(p.Name.Value, p.Name.Span); d != nil {
				found = append(found, d)
			}
		}
	}

	return found
}

// LowerInput is Lower for the arguments of a tool, which must be an object.
func LowerInput(n *yamldoc.Node) (*ir.Schema, []*diag.Diagnostic) {
	s, found := Lower(n)
	if s == nil || s.Kind == ir.SchemaObject && !s.Nullable {
		return s, found
	}
	at := n.Span
	if v := n.Value("type"); v != nil {
		at = v.Span
	}

	return nil, append(found, diag.New(diag.WrongType, at, "the arguments of a tool must be of type object"))
}

type lowerer struct {
	root *yamldoc.Node
	list diag.List
	// lenient is true for a foreign schema: nothing is reported, and unsupported parts are dropped.
	lenient bool
	// openObjects is true if an object without keywords allows any properties.
	openObjects bool
	// fields are the schemas of the fields of a context, which may have a keyword merge.
	fields map[*yamldoc.Node]bool
	// ruled are the schemas of fields inside of one with a rule, each with that rule.
	ruled map[*yamldoc.Node]*yamldoc.Node
	count int
	// tooLarge is true after a limit was exceeded, which has been reported.
	tooLarge bool
	// used are the references that were followed. open are those that are being lowered, and
	// joining those of the objects that are being merged.
	used          map[string]bool
	open, joining []string
	// recursive caches which references lead to themselves. definitions are the recursive schemas
	// by reference, in the order of their first use.
	recursive   map[string]bool
	definitions map[string]*definition
	order       []*ir.Property
	// later are the checks of defaults, which need complete schemas.
	later []func()
}

func newLowerer(n *yamldoc.Node) *lowerer {
	return &lowerer{root: n, used: map[string]bool{}, recursive: map[string]bool{}, definitions: map[string]*definition{}}
}

// lowerRoot lowers the complete schema.
func (l *lowerer) lowerRoot() *ir.Schema {
	s := &ir.Schema{Kind: ir.SchemaAny, Span: l.root.Span, JSON: "{}"}
	d := &definition{schema: s, shown: "#"}
	l.definitions["#"] = d
	n := l.root
	for n != nil && n.Field("$ref") != nil { // the referenced schema is the complete one
		ref := n.Value("$ref")
		if l.definitions[ref.Text] != nil {
			l.report(diag.SchemaUnsupported, ref.Span, "a schema that is nothing but itself cannot become Go")
			return nil
		}
		l.definitions[ref.Text] = d
		n = l.target(n)
	}
	if n == nil {
		return nil
	}
	d.nullable = l.allowsNull(n)
	lowered := l.lowerSchema(n, 0)
	if lowered == nil {
		return nil
	}
	*s = *lowered
	s.Definitions = l.order
	for _, check := range l.later {
		check()
	}
	if l.reportEndless(s) && l.lenient {
		return nil
	}
	if len(s.Definitions) > 0 {
		s.JSON = withDefinitions(s)
	}

	return s
}

// withDefinitions returns the JSON of a complete schema with its definitions.
func withDefinitions(s *ir.Schema) string {
	shown := ir.Map(s.Definitions, func(d *ir.Property) string { return words.Quote(d.Name.Value) + ":" + d.Schema.JSON })
	all := `"$defs":{` + strings.Join(shown, ",") + "}}"
	if s.JSON == "{}" {
		return "{" + all
	}

	return strings.TrimSuffix(s.JSON, "}") + "," + all
}

// report reports a mistake, except in a foreign schema.
func (l *lowerer) report(check *diag.Check, at source.Span, format string, args ...any) *diag.Diagnostic {
	d := diag.New(check, at, format, args...)
	if !l.lenient {
		l.list.Add(d)
	}

	return d
}

// lowerSchema lowers one schema, or returns nil.
func (l *lowerer) lowerSchema(n *yamldoc.Node, depth int) *ir.Schema {
	l.count++
	if l.count > maxSchemas || depth > maxDepth {
		if !l.tooLarge {
			l.report(diag.SchemaUnsupported, n.Span, "the schema is too large: at most %d schemas in it, nested at most %d deep",
				maxSchemas, maxDepth)
		}
		l.tooLarge = true
		return nil
	}
	switch {
	case n.Kind == yamldoc.Bool && strings.EqualFold(n.Text, "true"):
		return anyValue(n.Span)
	case n.Kind == yamldoc.Bool:
		l.report(diag.SchemaUnsupported, n.Span, "the schema false, which nothing fits, cannot become Go")
		return nil
	case n.Kind != yamldoc.Map:
		d := l.report(diag.WrongType, n.Span, "expected a JSON Schema, which is a mapping, found %s", n.Kind)
		suggestSchema(d, n)
		return nil
	case n.Field("$ref") != nil:
		return l.lowerRef(n, depth)
	}
	if s, ok := l.lowerCombination(n, depth); ok {
		return s
	}

	w := &schemaBuilder{lowerer: l, node: n, depth: depth, shown: map[*yamldoc.Field]string{}}
	w.schema = &ir.Schema{Span: n.Span}
	if !l.lenient {
		w.checkKeywords()
	}
	if !w.lowerType() {
		return nil
	}
	w.lowerConstraints()
	w.lowerEnum()
	w.lowerMerge(w.node, w.schema)
	w.finish()

	return w.schema
}

// schemaBuilder is the state of lowering one schema.
type schemaBuilder struct {
	*lowerer
	node   *yamldoc.Node
	depth  int
	schema *ir.Schema
	// shown are the JSON texts of fields that contain schemas, with explicit defaults of JSON
	// Schema.
	shown map[*yamldoc.Field]string
	// head is JSON for facts without a field, such as an inferred type.
	head string
}

func (w *schemaBuilder) lowerConstraints() {
	switch w.schema.Kind {
	case ir.SchemaObject:
		w.lowerObject()
	case ir.SchemaArray:
		w.lowerArray()
	case ir.SchemaString:
		w.lowerText()
	case ir.SchemaNumber, ir.SchemaInteger:
		w.lowerNumber()
	}
}

// finish lowers the annotations and the default.
func (w *schemaBuilder) finish() {
	w.schema.Title, w.schema.Description = w.textOf("title"), w.textOf("description")
	for _, f := range w.node.Fields {
		if k, _ := lookupKeyword(f.Key.Text); k.kind != 0 && f.Value.Kind != k.kind {
			w.report(diag.WrongType, f.Value.Span, "%q must be %s, found %s", k.name, k.kind, f.Value.Kind)
		}
	}
	if !w.lenient {
		w.later = append(w.later, w.checkDefault)
	}
	w.schema.JSON = w.formatJSON()
}

// formatJSON returns the schema as models see it.
func (w *schemaBuilder) formatJSON() string {
	var parts []string
	if w.head != "" {
		parts = append(parts, w.head)
	}
	for _, f := range w.node.Fields {
		if isHidden(f.Key.Text) {
			continue
		}
		text, ok := w.shown[f]
		if !ok {
			text = f.Value.CompactJSON()
		}
		parts = append(parts, words.Quote(f.Key.Text)+":"+text)
	}
	if w.schema.Kind == ir.SchemaObject && w.node.Field("additionalProperties") == nil {
		parts = append(parts, `"additionalProperties":`+strconv.FormatBool(w.schema.Additional != nil))
	}

	return "{" + strings.Join(parts, ",") + "}"
}

// textOf returns the text of a keyword, or "".
func (w *schemaBuilder) textOf(key string) string {
	if v := w.node.Value(key); v != nil && v.Kind == yamldoc.String {
		return v.Text
	}

	return ""
}

// Foreign lowers a JSON Schema of another party, which cannot be changed here, as far as possible.
// It drops unsupported keywords, and an unsupported schema becomes any value, so that all values
// that fit the schema fit the result. The JSON of the result is the original schema. An object
// without additionalProperties allows others, as in JSON Schema. All spans are at. The result is
// nil if text is not JSON.
func Foreign(text json.RawMessage, at source.Span) *ir.Schema {
	n, _ := yamldoc.ParseJSON(source.NewFile("schema.json", text))
	if n == nil {
		return nil
	}
	setSpan(n, at)
	l := newLowerer(n)
	l.lenient = true
	s := l.lowerRoot()
	if s == nil || slices.ContainsFunc(s.Definitions, func(d *ir.Property) bool { return !names.HasSchemaReader(d.Schema) }) {
		s = anyValue(at)
	}
	s.JSON = string(text)

	return s
}

// ForeignInput is Foreign for the arguments of a tool. If the schema is not for an object, any
// object fits.
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
