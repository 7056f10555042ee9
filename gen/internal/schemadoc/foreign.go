package schemadoc

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Foreign turns a JSON Schema that others wrote, and that nobody here can mend, into what becomes Go: as much of it as can. What
// cannot, such as anyOf, is any value, so that all that fits the schema fits the result, whose JSON is the schema as it was given. An
// object without additionalProperties takes others, as JSON Schema has it. Its places are all at. nil is text that is no JSON.
func Foreign(text json.RawMessage, at source.Span) *ir.Schema {
	n, err := foreignNode(text, at)
	if err != nil {
		return nil
	}
	f := &foreign{root: n}
	s := f.lowered(f.schema(n, 0))
	s.JSON = string(text)

	return s
}

// ForeignInput is Foreign for the arguments of a tool: where the schema is not that of an object, any object fits.
func ForeignInput(text json.RawMessage, at source.Span) *ir.Schema {
	s := Foreign(text, at)
	if s == nil || s.Kind != ir.SchemaObject || s.Nullable {
		s = (&foreign{}).lowered(mapping(at, field("type", word(at, "object")), field("additionalProperties", yes(at))))
		s.JSON = string(text)
	}

	return s
}

// foreign rewrites a schema of others.
type foreign struct {
	root *yamldoc.Node
	// refs are the references that are being followed; count counts schemas.
	refs  []string
	count int
}

// Bounds of what is rewritten: beyond them any value fits.
const (
	maxForeign      = 3000
	maxForeignDepth = 24
)

// lowered lowers what was rewritten so that it can be.
func (f *foreign) lowered(n *yamldoc.Node) *ir.Schema {
	s, _ := Lower(n)
	if s == nil {
		s = &ir.Schema{Kind: ir.SchemaAny, Span: n.Span, JSON: "{}"}
	}

	return s
}

// fits reports whether a schema can become Go.
func fits(n *yamldoc.Node) bool {
	s, findings := Lower(n)
	for _, d := range findings {
		if d.Severity == diag.Error {
			return false
		}
	}

	return s != nil
}

// schema rewrites one schema. The result can be lowered.
func (f *foreign) schema(n *yamldoc.Node, depth int) *yamldoc.Node {
	if f.count++; f.count > maxForeign || depth > maxForeignDepth || n.Kind != yamldoc.Map {
		return anything(n.Span)
	}
	if ref := n.Value("$ref"); ref != nil {
		return f.reference(n, ref, depth)
	}
	if only, nullable := alternative(n); only != nil {
		return described(orNull(f.schema(only, depth+1), nullable), n)
	}
	if whole := join(n, f.target); whole != nil {
		return described(f.schema(whole, depth+1), n)
	}
	kind, nullable := foreignType(n)
	if kind == "" && n.Get("type") != nil {
		return described(anything(n.Span), n)
	}

	return described(f.ofType(n, kind, nullable, depth), n)
}

// reference follows a reference into the schema; one that leads elsewhere, or to itself, is any value.
func (f *foreign) reference(n, ref *yamldoc.Node, depth int) *yamldoc.Node {
	if ref.Kind != yamldoc.String || len(ref.Text) == 0 || ref.Text[0] != '#' {
		return described(anything(n.Span), n)
	}
	for _, open := range f.refs {
		if open == ref.Text {
			return described(anything(n.Span), n)
		}
	}
	_, target, ok := f.root.Find(ref.Text[1:])
	if !ok {
		return described(anything(n.Span), n)
	}
	f.refs = append(f.refs, ref.Text)
	defer func() { f.refs = f.refs[:len(f.refs)-1] }()

	return described(f.schema(target, depth+1), n)
}

// target is what a schema refers to, if it refers to another one; nil where that is nothing, or refers on.
func (f *foreign) target(n *yamldoc.Node) *yamldoc.Node {
	ref := n.Value("$ref")
	if ref == nil {
		return n
	}
	if ref.Kind != yamldoc.String || !strings.HasPrefix(ref.Text, "#") || slices.Contains(f.refs, ref.Text) {
		return nil
	}
	_, target, ok := f.root.Find(ref.Text[1:])
	if !ok || target.Get("$ref") != nil || target.Get("allOf") != nil {
		return nil
	}

	return target
}

// alternative returns the one schema of anyOf, oneOf or allOf that says anything, and whether null is another: that is how a value
// that may be absent is often written. nil if it is not as simple as that.
func alternative(n *yamldoc.Node) (only *yamldoc.Node, nullable bool) {
	if n.Get("type") != nil || n.Get("properties") != nil {
		return nil, false
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		list := n.Value(key)
		if list == nil {
			continue
		}
		for _, item := range list.Items {
			switch {
			case key != "allOf" && item.Value("type") != nil && item.Value("type").Text == "null":
				nullable = true
			case only != nil:
				return nil, false
			default:
				only = item
			}
		}
	}

	return only, nullable
}

// foreignType returns the one type of a schema besides null; "" without one, or with several.
func foreignType(n *yamldoc.Node) (kind string, nullable bool) {
	t := n.Value("type")
	if t == nil {
		if n.Get("properties") != nil {
			return "object", false
		}

		return "", false
	}
	if t.Kind == yamldoc.String && t.Text != "null" {
		return t.Text, false
	}
	for _, item := range t.Items {
		switch {
		case item.Text == "null":
			nullable = true
		case kind != "":
			return "", false
		default:
			kind = item.Text
		}
	}

	return kind, nullable
}
