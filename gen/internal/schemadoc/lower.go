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

// Bounds of one schema after its references are inlined, against schemas that grow when they are unfolded.
const (
	maxSchemas = 10_000
	maxDepth   = 64
)

// Lower turns the node of a JSON Schema into what becomes Go. The diagnostics are sorted by place. The schema is nil if
// nothing of it could be used, and for a nil node; with diagnostics of severity error it is as complete as it could be made.
func Lower(n *yamldoc.Node) (*ir.Schema, []*diag.Diagnostic) { return lowerWith(n, false) }

// LowerOpen is Lower for schemas in which {type: object} means a mapping of anything, and not an empty one.
func LowerOpen(n *yamldoc.Node) (*ir.Schema, []*diag.Diagnostic) { return lowerWith(n, true) }

func lowerWith(n *yamldoc.Node, open bool) (*ir.Schema, []*diag.Diagnostic) {
	if n == nil {
		return nil, nil
	}
	l := newLowerer(n)
	l.openObjects = open
	s := l.whole()
	if !l.tooLarge {
		l.unusedDefinitions()
	}
	if s == nil {
		return nil, l.list.Sorted()
	}
	for _, c := range names.SchemaCollisions(s) { // at the later place
		d := l.report(diag.DuplicateName, c.Second.Span, "%s", c.Problem())
		if c.First.Span.IsValid() {
			d.Note(c.First.Span, "the first is here")
		}
	}

	return s, l.list.Sorted()
}

// LowerInput is Lower for the arguments of a tool, which are an object.
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
	// lenient says that others wrote the schema: nothing is reported, and what cannot become Go is left out.
	lenient bool
	// openObjects says that an object of which nothing is said takes any properties.
	openObjects bool
	count       int
	// tooLarge says that a bound was reached, which has been reported.
	tooLarge bool
	// used are the references that were followed, open those that are being lowered, joining those to the parts of the objects that
	// are being joined.
	used          map[string]bool
	open, joining []string
	// recursive says of references whether what they lead to contains them; definitions are those that do, by their references, and
	// order is that of their first use.
	recursive   map[string]bool
	definitions map[string]*definition
	order       []*ir.Property
	// later are the checks of defaults, which need whole schemas.
	later []func()
}

func newLowerer(n *yamldoc.Node) *lowerer {
	return &lowerer{root: n, used: map[string]bool{}, recursive: map[string]bool{}, definitions: map[string]*definition{}}
}

// whole lowers the whole schema.
func (l *lowerer) whole() *ir.Schema {
	s := &ir.Schema{Kind: ir.SchemaAny, Span: l.root.Span, JSON: "{}"}
	d := &definition{schema: s, shown: "#"}
	l.definitions["#"] = d
	n := l.root
	for n != nil && n.Field("$ref") != nil { // what it refers to is the whole schema
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
	d.nullable = l.takesNull(n)
	lowered := l.schema(n, 0)
	if lowered == nil {
		return nil
	}
	*s = *lowered
	s.Definitions = l.order
	for _, check := range l.later {
		check()
	}
	if l.endless(s) && l.lenient {
		return nil
	}
	if len(s.Definitions) > 0 {
		s.JSON = withDefinitions(s)
	}

	return s
}

// withDefinitions is the JSON of a whole schema with its definitions.
func withDefinitions(s *ir.Schema) string {
	shown := ir.Map(s.Definitions, func(d *ir.Property) string { return words.Quote(d.Name.Value) + ":" + d.Schema.JSON })
	all := `"$defs":{` + strings.Join(shown, ",") + "}}"
	if s.JSON == "{}" {
		return "{" + all
	}

	return strings.TrimSuffix(s.JSON, "}") + "," + all
}

// report reports a mistake, unless others made it.
func (l *lowerer) report(check *diag.Check, at source.Span, format string, args ...any) *diag.Diagnostic {
	d := diag.New(check, at, format, args...)
	if !l.lenient {
		l.list.Add(d)
	}

	return d
}

// schema lowers one schema; nil if it is not a usable schema.
func (l *lowerer) schema(n *yamldoc.Node, depth int) *ir.Schema {
	if l.count++; l.count > maxSchemas || depth > maxDepth {
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
		return l.reference(n, depth)
	}
	if s, ok := l.combination(n, depth); ok {
		return s
	}

	w := &work{lowerer: l, node: n, depth: depth, shown: map[*yamldoc.Field]string{}}
	w.schema = &ir.Schema{Span: n.Span}
	if !l.lenient {
		w.keywords()
	}
	if !w.kind() {
		return nil
	}
	w.constraints()
	w.enumeration()
	w.finish()

	return w.schema
}

// work is the lowering of one schema.
type work struct {
	*lowerer
	node   *yamldoc.Node
	depth  int
	schema *ir.Schema
	// shown are the JSON texts of fields that contain schemas, where defaults of JSON Schema are made explicit.
	shown map[*yamldoc.Field]string
	// head is the JSON of what the fields do not say, such as the type that the schema does not name; "" if they say all.
	head string
}

func (w *work) constraints() {
	switch w.schema.Kind {
	case ir.SchemaObject:
		w.object()
	case ir.SchemaArray:
		w.array()
	case ir.SchemaString:
		w.text()
	case ir.SchemaNumber, ir.SchemaInteger:
		w.number()
	}
}

// finish reads what describes the values, and their default.
func (w *work) finish() {
	w.schema.Title, w.schema.Description = w.textOf("title"), w.textOf("description")
	for _, f := range w.node.Fields {
		if k, _ := lookup(f.Key.Text); k.kind != 0 && f.Value.Kind != k.kind {
			w.report(diag.WrongType, f.Value.Span, "%q must be %s, found %s", k.name, k.kind, f.Value.Kind)
		}
	}
	if !w.lenient {
		w.later = append(w.later, w.defaultValue)
	}
	w.schema.JSON = w.show()
}

// show returns the schema as a model is shown it.
func (w *work) show() string {
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

// textOf returns the text under key; "" without one.
func (w *work) textOf(key string) string {
	if v := w.node.Value(key); v != nil && v.Kind == yamldoc.String {
		return v.Text
	}

	return ""
}

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
