package schemadoc

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// besideRef are the keywords that may stand beside $ref: they describe this use of the schema.
var besideRef = map[string]bool{
	"title": true, "description": true, "default": true, "examples": true, "deprecated": true, "$comment": true,
	"$defs": true, "definitions": true, "$schema": true, "$id": true, "readOnly": true, "writeOnly": true,
}

// reference lowers a schema with $ref as if what it refers to stood there.
func (l *lowerer) reference(n *yamldoc.Node, depth int) *ir.Schema {
	ref := n.Get("$ref")
	target := l.resolve(ref.Value)
	if target == nil {
		return nil
	}
	for _, f := range n.Fields {
		if f != ref && !besideRef[f.Key.Text] && !strings.HasPrefix(f.Key.Text, "x-") {
			l.report(diag.SchemaUnsupported, f.Key.Span,
				"%q beside $ref cannot become Go: only descriptions and a default may stand there", f.Key.Text)
		}
	}

	l.refs = append(l.refs, ref.Value.Text)
	s := l.schema(overlaid(target, n), depth+1)
	l.refs = l.refs[:len(l.refs)-1]

	return s
}

// resolve returns the schema that a reference names; nil after a report.
func (l *lowerer) resolve(ref *yamldoc.Node) *yamldoc.Node {
	if ref.Kind != yamldoc.String {
		l.report(diag.WrongType, ref.Span, "%q must be text, found %s", "$ref", ref.Kind)
		return nil
	}
	if !strings.HasPrefix(ref.Text, "#/$defs/") && !strings.HasPrefix(ref.Text, "#/definitions/") {
		l.report(diag.SchemaUnsupported, ref.Span,
			"a reference outside of $defs cannot become Go: expected %q, found %q", "#/$defs/NAME", ref.Text)
		return nil
	}
	for _, open := range l.refs {
		if open == ref.Text {
			l.report(diag.SchemaUnsupported, ref.Span, "a schema that contains itself cannot become Go")
			return nil
		}
	}
	_, target, ok := l.root.Find(strings.TrimPrefix(ref.Text, "#"))
	if !ok {
		d := l.report(diag.BadValue, ref.Span, "%q refers to nothing", ref.Text)
		d.Suggest(ref.Text, l.definitions())
		return nil
	}
	l.used[ref.Text] = true

	return target
}

// overlaid returns target with what stands beside a reference to it.
func overlaid(target, n *yamldoc.Node) *yamldoc.Node {
	if target.Kind != yamldoc.Map {
		return target
	}
	merged := *target
	merged.Fields = nil
	for _, f := range target.Fields {
		if n.Get(f.Key.Text) == nil || f.Key.Text == "$ref" {
			merged.Fields = append(merged.Fields, f)
		}
	}
	for _, f := range n.Fields {
		switch f.Key.Text {
		case "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly":
			merged.Fields = append(merged.Fields, f)
		}
	}

	return &merged
}

// definitions returns the references that could be written.
func (l *lowerer) definitions() []string {
	var all []string
	for _, place := range []string{"$defs", "definitions"} {
		defs := l.root.Value(place)
		if defs == nil {
			continue
		}
		for _, f := range defs.Fields {
			all = append(all, "#/"+place+"/"+f.Key.Text)
		}
	}

	return all
}

// unusedDefinitions lowers what nothing refers to, for its findings alone.
func (l *lowerer) unusedDefinitions() {
	for _, place := range []string{"$defs", "definitions"} {
		f := l.root.Get(place)
		if f == nil {
			continue
		}
		if f.Value.Kind != yamldoc.Map {
			l.report(diag.WrongType, f.Value.Span, "%q must be a mapping from names to schemas, found %s", place, f.Value.Kind)
			continue
		}
		for _, def := range f.Value.Fields {
			ref := "#/" + place + "/" + def.Key.Text
			if !l.used[ref] {
				l.refs = append(l.refs, ref)
				l.schema(def.Value, 1)
				l.refs = l.refs[:len(l.refs)-1]
			}
		}
	}
}
