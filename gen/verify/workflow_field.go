package verify

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// goField is the field of a Go struct that an access names.
type goField struct {
	path string
	form fieldForm
	// needs are pointers on the way to it that may be nil at the place, guarded says that there are any on the way at all.
	needs   []string
	guarded bool
}

// fieldForm is what the field of a Go struct is.
type fieldForm uint8

const (
	// otherField is one that expressions do not use as such.
	otherField fieldForm = iota
	// scalarField is a scalar, pointerField points to one or is nil, textsField is a list of texts, structField points to an
	// object that has at least one property, or is nil.
	scalarField
	pointerField
	textsField
	structField
)

// pointers are all that may be nil for the field to have no value.
func (f goField) pointers() []string {
	if f.form == pointerField || f.form == structField {
		return append(slices.Clone(f.needs), f.path)
	}

	return f.needs
}

// field is the field of a Go struct that an access names, if its value needs nothing but that.
func (s *scope) field(x *ir.Access) goField {
	f := goField{path: "r.context"}
	owner := ir.OwnerContext
	switch context := s.w.ir.Context; {
	case len(x.Path) == 0:
		return goField{}
	case x.Root == ir.RootContext && context != nil && names.IsSchemaStruct(context):
	case x.Root == ir.RootStep && x.Output.Type.IsStruct():
		owner = x.Output.Type.Owner
		f.path = stepField(x.Output) + ".Data"
	default:
		return goField{}
	}
	for i, step := range x.Path {
		p := step.Property
		if p == nil {
			return goField{}
		}
		f.path += "." + names.Exported(step.Name.Value)
		if i == len(x.Path)-1 {
			f.form = formOf(p, owner)
			return f
		}
		absent, null := mayMiss(p, owner), p.Schema.Nullable
		if absent && null || !names.IsSchemaStruct(p.Schema) {
			return goField{}
		}
		if absent || null {
			f.guarded = true
			if !slices.Contains(s.known, f.path) {
				f.needs = append(f.needs, f.path)
			}
		}
	}

	return goField{}
}

// formOf is what the field of a property is.
func formOf(p *ir.Property, owner ir.Owner) fieldForm {
	absent, null, items := mayMiss(p, owner), p.Schema.Nullable, p.Schema.Items
	isThere := func(p *ir.Property) bool { return p.Required }
	switch {
	case absent && null:
	case p.Schema.Kind == ir.SchemaArray:
		if items != nil && items.Kind == ir.SchemaString && items.Enum == nil && !items.Nullable {
			return textsField
		}
	case names.IsSchemaStruct(p.Schema) && (absent || null):
		if slices.ContainsFunc(p.Schema.Properties, isThere) {
			return structField
		}
	case makers[p.Schema.Kind] == "":
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
