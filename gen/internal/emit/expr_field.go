package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// field is the field of a generated struct that an access names.
type field struct {
	// path is the field as Go writes it.
	path string
	form fieldForm
	// needs are the pointers on the way to it that are not known not to be nil.
	needs []string
	// guarded says that there are pointers on the way at all.
	guarded bool
	// isThere says that the field itself is known not to be nil.
	isThere bool
}

// fieldForm is what a field of a generated struct is in Go.
type fieldForm uint8

const (
	// formOther is anything that expressions see as a value.
	formOther fieldForm = iota
	// formScalar is a text, a number, or true or false.
	formScalar
	// formPointer points to one; nil is none.
	formPointer
	// formTexts is a list of texts; nil is none.
	formTexts
	// formStruct points to a struct for an object that is never empty; nil is none.
	formStruct
)

// fieldAt returns the field that an access names; its form is formOther if there is none that is of
// use. A step that has not run leaves all fields zero, so that its pointers and lists are none; a
// scalar is of no use then.
func (v *view) fieldAt(x *ir.Access) field {
	path, owner := v.structAt(x)
	last := len(x.Path) - 1
	if path == "" || last < 0 {
		return field{}
	}
	e := schemaEmitter{encodes: owner == ir.OwnerFunc}
	var pointers []string
	for _, step := range x.Path[:last] {
		p := step.Property
		if p == nil || e.isWrapped(p) || !names.IsSchemaStruct(p.Schema) {
			return field{}
		}
		path += "." + names.Exported(p.Name.Value)
		if e.isOptional(p) || p.Schema.Nullable {
			pointers = append(pointers, path)
		}
	}
	p := x.Path[last].Property
	if p == nil {
		return field{}
	}
	form := e.fieldForm(p)
	if form == formOther || form == formScalar && x.Maybe && len(pointers) == 0 {
		return field{}
	}
	if x.Root == ir.RootStep {
		v.w.reads.data[x.Output] = true
	}

	path += "." + names.Exported(p.Name.Value)

	return field{path, form, v.unknownPointers(pointers), len(pointers) > 0, slices.Contains(v.known, path)}
}

// fieldOfExpression returns the field that an expression names.
func (v *view) fieldOfExpression(x ir.Expression) field {
	access, isAccess := x.(*ir.Access)
	if !isAccess || access.Default != nil {
		return field{}
	}

	return v.fieldAt(access)
}

// fieldCode is the field in Go.
func (f field) fieldCode() *jen.Statement { return jen.Id(f.path) }

// isPointer reports whether the field itself is a pointer; nil is none.
func (f field) isPointer() bool { return f.form == formPointer || f.form == formStruct }

// nilPointers are those that are not known not to be nil, and must not be nil for the field to have a
// value.
func (f field) nilPointers() []string {
	if f.isPointer() && !f.isThere {
		return append(slices.Clip(f.needs), f.path)
	}

	return f.needs
}

// comparedPointers are the pointers that are compared with nil where it is asked whether the field has a
// value; nil for a field that cannot be asked so.
func (f field) comparedPointers() []string {
	switch {
	case f.isPointer():
		return append(slices.Clip(f.needs), f.path)
	case f.form == formScalar:
		return f.needs
	}

	return nil
}

// structAt returns the struct at which an access begins, and whose schema it has; "" where there is
// none.
func (v *view) structAt(x *ir.Access) (string, ir.Owner) {
	switch {
	case v.machine != nil:
		return "", ir.OwnerNone
	case x.Root == ir.RootContext && v.w.ir.Context != nil && names.IsSchemaStruct(v.w.ir.Context):
		return "r.context", ir.OwnerContext
	case x.Root == ir.RootStep && x.Output.Type.IsStruct():
		return "r.steps." + names.StepField(x.Output.Name.Value) + ".Data", x.Output.Type.Owner
	}

	return "", ir.OwnerNone
}

// fieldForm returns what the field of a property is.
func (e *schemaEmitter) fieldForm(p *ir.Property) fieldForm {
	s := p.Schema
	isPointer := e.isOptional(p) || s.Nullable
	switch {
	case e.isWrapped(p):
		return formOther
	case s.Kind == ir.SchemaArray && s.Items != nil && s.Items.Kind == ir.SchemaString && !s.Items.Nullable && !names.IsSchemaType(s.Items):
		return formTexts
	case names.IsSchemaStruct(s) && isPointer && slices.ContainsFunc(s.Properties, func(p *ir.Property) bool { return p.Required }):
		return formStruct
	case goTypes[s.Kind].typ == "":
		return formOther
	case isPointer:
		return formPointer
	}

	return formScalar
}
