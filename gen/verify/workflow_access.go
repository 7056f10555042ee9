package verify

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// access is a value that has a name, or is reached from one.
func (s *scope) access(x *ir.Access) term {
	if x.Root == ir.RootStepOK && len(x.Path) == 0 {
		return boolean("r.StepOK()")
	}
	field, form := s.field(x)
	switch {
	case form == scalarField && !x.Maybe && names.IsSchemaType(x.Type.Schema):
		return term{text: "string(" + field + ")", kind: x.Type.Schema.Kind}
	case form == scalarField && !x.Maybe:
		return term{text: field, kind: x.Type.Schema.Kind}
	case form == pointerField:
		kind := x.Type.Schema.Kind
		return term{text: "workflow." + makers[kind] + "OrNone(" + field + ")", pointer: field, pointed: kind}
	}
	t := dynamic(s.path(x))
	if form == textsField {
		t.texts = field
	}

	return t
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

// fieldForm is what the field of a Go struct is.
type fieldForm uint8

const (
	// otherField is one that expressions do not use as such.
	otherField fieldForm = iota
	// scalarField is a scalar, pointerField points to one or is nil, textsField is a list of texts.
	scalarField
	pointerField
	textsField
)

// field is the field of a Go struct that an access names, if its value needs nothing but that.
func (s *scope) field(x *ir.Access) (field string, form fieldForm) {
	var b strings.Builder
	owner := ir.OwnerContext
	switch context := s.w.ir.Context; {
	case len(x.Path) == 0 || x.Default != nil:
		return "", otherField
	case x.Root == ir.RootContext && context != nil && names.IsSchemaStruct(context):
		b.WriteString("r.context")
	case x.Root == ir.RootStep && x.Output.Type.IsStruct():
		owner = x.Output.Type.Owner
		b.WriteString(stepField(x.Output) + ".Data")
	default:
		return "", otherField
	}
	for i, step := range x.Path {
		p := step.Property
		if p == nil || i < len(x.Path)-1 && (mayMiss(p, owner) || p.Schema.Nullable || !names.IsSchemaStruct(p.Schema)) {
			return "", otherField
		}
		b.WriteString("." + names.Exported(step.Name.Value))
	}

	return b.String(), formOf(x.Path[len(x.Path)-1].Property, owner)
}

// formOf is what the field of a property is.
func formOf(p *ir.Property, owner ir.Owner) fieldForm {
	absent, null, items := mayMiss(p, owner), p.Schema.Nullable, p.Schema.Items
	switch {
	case p.Schema.Kind == ir.SchemaArray:
		isTexts := items != nil && items.Kind == ir.SchemaString && items.Enum == nil && !items.Nullable
		if isTexts && !(absent && null) {
			return textsField
		}
	case makers[p.Schema.Kind] == "" || absent && null:
	case absent || null:
		return pointerField
	default:
		return scalarField
	}

	return otherField
}

// mayMiss reports whether an object may lack a property. A default is filled in where a value is read, but not in what
// functions return.
func mayMiss(p *ir.Property, owner ir.Owner) bool {
	return !p.Required && (p.Schema.Default == "" || owner == ir.OwnerFunc)
}
