package schemadoc

import (
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

func (w *work) object() {
	if f := w.node.Field("properties"); f != nil {
		w.properties(f)
	}
	w.required()
	if f := w.node.Field("additionalProperties"); f != nil {
		w.additional(f)
	}
	if w.openObjects && w.node.Field("properties") == nil && w.node.Field("additionalProperties") == nil {
		w.schema.Additional = anyValue(w.node.Span)
	}
	if w.lenient {
		w.loosen()
	}
}

// loosen lets an object of others take what its schema says nothing about, and all where two properties would have one Go name.
func (w *work) loosen() {
	s := w.schema
	if len(names.SchemaCollisions(s)) > 0 {
		s.Properties, s.Additional = nil, nil
	}
	isOpen := w.node.Field("additionalProperties") == nil || w.node.Field("patternProperties") != nil
	if s.Additional == nil && (isOpen || len(s.Properties) < len(w.node.Value("properties").Members())) {
		s.Additional = anyValue(s.Span)
	}
}

func (w *work) properties(f *yamldoc.Field) {
	if f.Value.Kind != yamldoc.Map {
		w.report(diag.WrongType, f.Value.Span, "%q must be a mapping from names to schemas, found %s", "properties", f.Value.Kind)
		return
	}

	var shown []string
	for _, p := range f.Value.Fields {
		if why := unusableName(p.Key.Text); why != "" {
			w.report(diag.InvalidName, p.Key.Span, "%q cannot be the name of a property: %s", p.Key.Text, why)
			if w.lenient {
				continue
			}
		}
		s := w.lowerer.schema(p.Value, w.depth+1)
		if s == nil { // which has been reported: what reads the property makes no mistake
			s = anyValue(p.Value.Span)
		}
		name := ir.Text{Value: p.Key.Text, Span: p.Key.Span}
		w.schema.Properties = append(w.schema.Properties, &ir.Property{Name: name, Schema: s})
		shown = append(shown, words.Quote(p.Key.Text)+":"+s.JSON)
	}
	w.shown[f] = "{" + strings.Join(shown, ",") + "}"
}

// unusableName says why a name cannot be in the tag of a struct field; "" if it can. The characters are those that
// encoding/json takes there.
func unusableName(name string) string {
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

func (w *work) required() {
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
		case p == nil: // its schema was reported
		case p.Required:
			w.report(diag.BadValue, n.Span, "%q is required twice", name)
		default:
			p.Required = true
		}
	}
}

func (w *work) additional(f *yamldoc.Field) {
	if f.Value.Kind == yamldoc.Bool && strings.EqualFold(f.Value.Text, "false") {
		return
	}
	w.schema.Additional = w.lowerer.schema(f.Value, w.depth+1)
	if w.lenient && w.schema.Additional == nil {
		w.schema.Additional = anyValue(f.Value.Span)
	}
	if s := w.schema.Additional; s != nil && f.Value.Kind == yamldoc.Map {
		w.shown[f] = s.JSON
	}
}
