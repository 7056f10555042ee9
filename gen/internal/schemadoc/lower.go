package schemadoc

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Bounds of one schema after its references are inlined, against schemas that grow when they are unfolded.
const (
	maxSchemas = 10_000
	maxDepth   = 64
)

// Lower turns the node of a JSON Schema into what becomes Go. The findings are sorted by place. The schema is nil if
// nothing of it could be used, and for a nil node; with findings of severity error it is as complete as it could be made.
func Lower(n *yamldoc.Node) (*ir.Schema, []*diag.Diagnostic) {
	if n == nil {
		return nil, nil
	}
	l := &lowerer{root: n, used: map[string]bool{}}
	s := l.schema(n, 0)
	if !l.tooLarge {
		l.unusedDefinitions()
	}
	if s != nil {
		l.checkNames(s)
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
	root  *yamldoc.Node
	list  diag.List
	count int
	// tooLarge says that a bound was reached, which has been reported.
	tooLarge bool
	// refs are the references that are being inlined, outermost first; used are all that ever were.
	refs []string
	used map[string]bool
}

func (l *lowerer) report(check *diag.Check, at source.Span, format string, args ...any) *diag.Diagnostic {
	d := diag.New(check, at, format, args...)
	l.list.Add(d)

	return d
}

// schema lowers one schema; nil if it is no usable schema.
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
		return &ir.Schema{Kind: ir.SchemaAny, Span: n.Span, JSON: "{}"}
	case n.Kind == yamldoc.Bool:
		l.report(diag.SchemaUnsupported, n.Span, "the schema false, which nothing fits, cannot become Go")
		return nil
	case n.Kind != yamldoc.Map:
		d := l.report(diag.WrongType, n.Span, "expected a JSON Schema, which is a mapping, found %s", n.Kind)
		mendSchema(d, n)
		return nil
	case n.Get("$ref") != nil:
		return l.reference(n, depth)
	}
	if s, ok := l.combination(n, depth); ok {
		return s
	}

	w := &work{lowerer: l, node: n, depth: depth, shown: map[*yamldoc.Field]string{}}
	w.schema = &ir.Schema{Span: n.Span}
	w.keywords()
	if !w.kind() {
		return nil
	}
	w.annotations()
	w.constraints()
	w.enumeration()
	w.defaultValue()
	w.schema.JSON = w.show()

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
	// inferred is the JSON of the type that the schema does not name; "" if it does.
	inferred string
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

func (w *work) annotations() {
	w.schema.Title = w.textOf("title")
	w.schema.Description = w.textOf("description")
	for _, key := range []string{"format", "contentEncoding", "contentMediaType", "$comment", "$schema", "$id"} {
		w.textOf(key)
	}
	for _, key := range []string{"deprecated", "readOnly", "writeOnly"} {
		w.boolOf(key)
	}
	for _, example := range w.listOf("examples") {
		if problem := unwritable(example); problem != "" {
			w.report(diag.BadValue, example.Span, "%s", problem)
		}
	}
}

// show returns the schema as a model is shown it.
func (w *work) show() string {
	var parts []string
	if w.inferred != "" {
		parts = append(parts, `"type":`+w.inferred)
	}
	for _, f := range w.node.Fields {
		if isHidden(f.Key.Text) {
			continue
		}
		text, ok := w.shown[f]
		if !ok {
			text = toJSON(f.Value)
		}
		parts = append(parts, quote(f.Key.Text)+":"+text)
	}
	if w.schema.Kind == ir.SchemaObject && w.node.Get("additionalProperties") == nil {
		parts = append(parts, `"additionalProperties":false`)
	}

	return "{" + strings.Join(parts, ",") + "}"
}

// textOf returns the text under key; "" if it is absent or no text.
func (w *work) textOf(key string) string {
	v := w.node.Value(key)
	switch {
	case v == nil:
		return ""
	case v.Kind != yamldoc.String:
		w.report(diag.WrongType, v.Span, "%q must be text, found %s", key, v.Kind)
		return ""
	}

	return v.Text
}

func (w *work) boolOf(key string) bool {
	v := w.node.Value(key)
	switch {
	case v == nil:
		return false
	case v.Kind != yamldoc.Bool:
		w.report(diag.WrongType, v.Span, "%q must be true or false, found %s", key, v.Kind)
		return false
	}

	return strings.EqualFold(v.Text, "true")
}

func (w *work) listOf(key string) []*yamldoc.Node {
	v := w.node.Value(key)
	switch {
	case v == nil:
		return nil
	case v.Kind != yamldoc.Seq:
		w.report(diag.WrongType, v.Span, "%q must be a list, found %s", key, v.Kind)
		return nil
	}

	return v.Items
}

// describe names a JSON text in a message, cut if it is long.
func describe(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}

	return text
}
