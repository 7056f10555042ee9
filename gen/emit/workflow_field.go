package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

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
)

// field returns the field of a struct that an access names; nil if it names none, or one of another form. A step that has not
// run leaves all fields zero, so that its pointers and lists are none.
func (v *view) field(x *ir.Access, form fieldForm) *jen.Statement {
	field, owner := v.structOf(x)
	last := len(x.Path) - 1
	if field == nil || x.Default != nil || last < 0 {
		return nil
	}
	e := schemaEmitter{encodes: owner == ir.OwnerFunc}
	for _, step := range x.Path[:last] {
		p := step.Property
		if p == nil || e.isOptional(p) || p.Schema.Nullable || !names.IsSchemaStruct(p.Schema) {
			return nil
		}
		field = field.Dot(names.Exported(p.Name.Value))
	}
	p := x.Path[last].Property
	if p == nil || e.formOf(p) != form {
		return nil
	}
	if x.Root == ir.RootStep {
		v.w.reads.data[x.Output] = true
	}

	return field.Dot(names.Exported(p.Name.Value))
}

// structOf returns the struct at which an access begins, and whose schema it has; nil where there is none.
func (v *view) structOf(x *ir.Access) (*jen.Statement, ir.Owner) {
	switch {
	case x.Root == ir.RootContext && v.w.ir.Context != nil && names.IsSchemaStruct(v.w.ir.Context):
		return jen.Id("r").Dot("context"), ir.OwnerContext
	case x.Root == ir.RootStep && x.Output.Type.IsStruct():
		return jen.Id("r").Dot("steps").Dot(names.StepField(x.Output.Name.Value)).Dot("Data"), x.Output.Type.Owner
	}

	return nil, ir.OwnerNone
}

// formOf returns what the field of a property is.
func (e *schemaEmitter) formOf(p *ir.Property) fieldForm {
	s := p.Schema
	switch {
	case e.isWrapped(p):
		return formOther
	case s.Kind == ir.SchemaArray && s.Items != nil && s.Items.Kind == ir.SchemaString && !s.Items.Nullable && !names.IsSchemaType(s.Items):
		return formTexts
	case goScalars[s.Kind] == 0:
		return formOther
	case e.isOptional(p) || s.Nullable:
		return formPointer
	}

	return formScalar
}
