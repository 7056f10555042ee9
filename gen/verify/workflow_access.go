package verify

import (
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// access is a value that has a name, or is reached from one.
func (s *scope) access(x *ir.Access) term {
	switch {
	case s.machine != nil:
		return s.machine.read(x)
	case x.Root == ir.RootStepOK && len(x.Path) == 0:
		return boolean("r.StepOK()")
	case x.Root == ir.RootThis && len(x.Path) == 0 && s.thisText:
		return term{text: s.item(), kind: ir.SchemaString}
	}
	f := s.field(x)
	t := term{text: s.path(x), field: f}
	if x.Default != nil {
		t.field = goField{}
	}
	scalar := f.path
	switch {
	case f.form == scalarField && (f.guarded || !x.Maybe):
		t.needs = f.needs
	case f.form == pointerField && x.Default != nil:
		if scalar = s.orDefault(x, f); scalar == "" {
			return t
		}
		t.needs = f.needs
	case f.form == pointerField:
		scalar, t.needs = "*"+f.path, f.pointers()
	default:
		return t
	}
	if t.whole = t.text; f.form == pointerField && x.Default == nil && len(f.needs) == 0 {
		t.whole = "workflow." + makers[x.Type.Schema.Kind] + "OrNone(" + f.path + ")"
	}
	if t.kind, t.text = x.Type.Schema.Kind, scalar; names.IsSchemaType(x.Type.Schema) {
		t.text = "string(" + scalar + ")"
	}

	return t
}

// orDefault is what a field points to or else a literal of its kind; "" where that is not what the default means.
func (s *scope) orDefault(x *ir.Access, f goField) string {
	literal, isLiteral := x.Default.(*ir.Literal)
	if !isLiteral || x.Type.Schema.Nullable || x.Root == ir.RootStep && !f.guarded {
		return ""
	}
	fallback := literalTerm(literal)
	if kind := x.Type.Schema.Kind; fallback.kind != kind && (fallback.kind != ir.SchemaInteger || kind != ir.SchemaNumber) {
		return ""
	}

	return "workflow.ValueOr(" + f.path + ", " + fallback.text + ")"
}

// path is the value that an access leads to.
func (s *scope) path(x *ir.Access) string {
	var path []string
	for _, step := range x.Path {
		path = append(path, step.Name.Value)
	}
	if last := len(path) - 1; x.Default != nil && last >= 0 {
		return s.reach(x, path[:last]) + ".GetOr(" + quoted(path[last]) + ", " + s.term(x.Default).value() + ")"
	}

	return s.reach(x, path)
}
