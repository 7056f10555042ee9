package schemadoc

import (
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

func (w *schemaBuilder) lowerObject() {
	if f := w.node.Field("properties"); f != nil {
		w.lowerProperties(f)
	}
	w.lowerRequired()
	if f := w.node.Field("additionalProperties"); f != nil {
		w.lowerAdditional(f)
	}
	if w.openObjects && w.node.Field("properties") == nil && w.node.Field("additionalProperties") == nil {
		w.schema.Additional = anyValue(w.node.Span)
	}
	if w.lenient {
		w.loosen()
	}
	w.lowerPropertyCounts()
}

// lowerPropertyCounts lowers how many properties an object has. Only an object that becomes a map can
// have bounds.
func (w *schemaBuilder) lowerPropertyCounts() {
	least, most := w.lowerCounts("minProperties", "maxProperties")
	isMap := len(w.schema.Properties) == 0 && w.schema.Additional != nil
	if isMap {
		w.schema.MinProperties, w.schema.MaxProperties = least, most
		return
	}
	for _, name := range []string{"minProperties", "maxProperties"} {
		if f := w.node.Field(name); f != nil && !w.lenient {
			w.report(diag.SchemaUnsupported, f.Key.Span, "%q of an object with a list of its properties cannot become Go: "+
				"write the names that it needs in required, or leave properties out and describe them all in additionalProperties", name)
		}
	}
}

// loosen allows an object of a foreign schema any properties that the schema does not describe. If
// two properties have the same Go name, it allows any object.
func (w *schemaBuilder) loosen() {
	s := w.schema
	if len(names.SchemaCollisions(s)) > 0 {
		s.Properties, s.Additional = nil, nil
	}
	isOpen := w.node.Field("additionalProperties") == nil || w.node.Field("patternProperties") != nil
	if s.Additional == nil && (isOpen || len(s.Properties) < len(w.node.Value("properties").Members())) {
		s.Additional = anyValue(s.Span)
	}
}

func (w *schemaBuilder) lowerProperties(f *yamldoc.Field) {
	if f.Value.Kind != yamldoc.Map {
		w.report(diag.WrongType, f.Value.Span, "%q must be a mapping from names to schemas, found %s", "properties", f.Value.Kind)
		return
	}

	var shown []string
	for _, p := range f.Value.Fields {
		d := checkPropertyName(p.Key.Text, p.Key.Span)
		if d != nil && w.lenient {
			continue
		}
		if d != nil {
			w.list.Add(d)
		}
		s := w.lowerer.lowerSchema(p.Value, w.depth+1)
		if s == nil { // it has been reported, and readers of the property are correct
			s = anyValue(p.Value.Span)
		}
		name := ir.Text{Value: p.Key.Text, Span: p.Key.Span}
		w.schema.Properties = append(w.schema.Properties, &ir.Property{Name: name, Schema: s})
		shown = append(shown, words.Quote(p.Key.Text)+":"+s.JSON)
	}
	w.shown[f] = "{" + strings.Join(shown, ",") + "}"
}

// checkPropertyName reports a name that cannot be that of a property; nil for any other.
func checkPropertyName(name string, at source.Span) *diag.Diagnostic {
	why := whyUnusable(name)
	if why == "" {
		return nil
	}

	return diag.New(diag.InvalidName, at, "%q cannot be the name of a property: %s", name, why)
}

// whyUnusable returns the reason why a name cannot be in the tag of a struct field, or "".
// encoding/json defines the allowed characters.
func whyUnusable(name string) string {
	if name == "" {
		return "it is empty"
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) {
			return "it holds " + words.Quote(string(r)) + ", which the tag of a Go field cannot hold"
		}
	}

	return ""
}

func (w *schemaBuilder) lowerRequired() {
	for _, n := range w.node.Value("required").Elements() {
		name, ok := n.Scalar()
		if !ok || n.Kind != yamldoc.String {
			w.report(diag.WrongType, n.Span, "%q lists names of properties, found %s", "required", n.Kind)
			continue
		}
		p := w.schema.Property(name)
		switch {
		case p == nil && w.lenient:
			p = &ir.Property{Name: ir.Text{Value: name, Span: n.Span}, Required: true, Schema: anyValue(n.Span)}
			w.schema.Properties = append(w.schema.Properties, p)
		case p == nil && w.node.Value("properties").Field(name) == nil:
			w.report(diag.BadValue, n.Span, "%q is required, but not among the properties", name).Guess(name, w.schema.PropertyNames())
		case p == nil: // its schema has been reported
		case p.Required:
			w.report(diag.BadValue, n.Span, "%q is required twice", name)
		default:
			p.Required = true
		}
	}
}

func (w *schemaBuilder) lowerAdditional(f *yamldoc.Field) {
	if f.Value.Kind == yamldoc.Bool && strings.EqualFold(f.Value.Text, "false") {
		return
	}
	w.schema.Additional = w.lowerer.lowerSchema(f.Value, w.depth+1)
	if w.lenient && w.schema.Additional == nil {
		w.schema.Additional = anyValue(f.Value.Span)
	}
	if s := w.schema.Additional; s != nil && f.Value.Kind == yamldoc.Map {
		w.shown[f] = s.JSON
	}
}
