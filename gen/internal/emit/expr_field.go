package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// field is the field of a generated struct that an access names.
type field struct {
	// path is the field in Go.
	path string
	form fieldForm
	// needs are the pointers on the path to it that may be nil.
	needs []string
	// guarded is set if there are pointers on the path.
	guarded bool
	// isThere is set if the field itself cannot be nil.
	isThere bool
}

// fieldForm is the Go form of a field of a generated struct.
type fieldForm uint8

const (
	// formOther is any field that expressions use as a value.
	formOther fieldForm = iota
	// formScalar is a text, a number, or a bool.
	formScalar
	// formPointer points to a scalar, or is nil.
	formPointer
	// formTexts is a list of texts, or nil.
	formTexts
	// formStruct points to a struct for an object that is never empty, or is nil.
	formStruct
)

// location is where a generated struct has a property.
type location struct {
	*schemaEmitter
	property *ir.Property
	// path is the field in Go.
	path string
	// pointers are the pointers on the path to it.
	pointers []string
}

// locate returns where the property that an access names is; its property is nil if it is not in a
// generated struct.
func (v *view) locate(x *ir.Access) location {
	path, owner := v.structAt(x)
	last := len(x.Path) - 1
	if path == "" || last < 0 {
		return location{}
	}
	e := &schemaEmitter{encodes: owner == ir.OwnerFunc}
	var pointers []string
	for _, step := range x.Path[:last] {
		p := step.Property
		if p == nil || e.isWrapped(p) || !names.IsSchemaStruct(p.Schema) {
			return location{}
		}
		path += "." + names.Exported(p.Name.Value)
		if e.isOptional(p) || p.Schema.Nullable {
			pointers = append(pointers, path)
		}
	}
	p := x.Path[last].Property
	if p == nil {
		return location{}
	}

	return location{e, p, path + "." + names.Exported(p.Name.Value), pointers}
}

// fieldAt returns the field that an access names; its form is formOther if it cannot be used. All
// fields of a step that has not run are zero, so that its pointers and lists are nil; then a scalar
// cannot be used.
func (v *view) fieldAt(x *ir.Access) field {
	at := v.locate(x)
	if at.property == nil {
		return field{}
	}
	form := at.fieldForm(at.property)
	if form == formOther || form == formScalar && x.MayBeNone && len(at.pointers) == 0 {
		return field{}
	}

	return field{at.path, form, v.unknownPointers(at.pointers), len(at.pointers) > 0, slices.Contains(v.known, at.path)}
}

// structsAt returns the Go path of the list of structs that an expression names, and the owner of its
// schema; the path is "" if the expression names anything else.
func (v *view) structsAt(x ir.Expression) (path string, owner ir.Owner) {
	access, isAccess := x.(*ir.Access)
	if !isAccess || access.Default != nil || !v.isDecoded(access) {
		return "", ir.OwnerNone
	}
	at := v.locate(access)
	if !at.isStructs() || len(v.unknownPointers(at.pointers)) > 0 {
		return "", ir.OwnerNone
	}
	_, owner = v.structAt(access)

	return at.path, owner
}

// isStructs reports whether the property is a list of structs.
func (l location) isStructs() bool {
	if l.property == nil || l.isWrapped(l.property) {
		return false
	}
	s := l.property.Schema

	return s.Kind == ir.SchemaArray && s.Items != nil && !s.Items.Nullable && names.IsSchemaStruct(s.Items)
}

// fieldOfExpression returns the field that an expression names.
func (v *view) fieldOfExpression(x ir.Expression) field {
	access, isAccess := x.(*ir.Access)
	if !isAccess || access.Default != nil {
		return field{}
	}

	return v.fieldAt(access)
}

// fieldCode returns the field in Go.
func (f field) fieldCode() *jen.Statement { return jen.Id(f.path) }

// isPointer reports whether the field itself is a pointer, which may be nil.
func (f field) isPointer() bool { return f.form == formPointer || f.form == formStruct }

// nilPointers returns the pointers that may be nil, and must not be nil if the field has a value.
func (f field) nilPointers() []string {
	if f.isPointer() && !f.isThere {
		return append(slices.Clip(f.needs), f.path)
	}

	return f.needs
}

// comparedPointers returns the pointers to compare with nil to find out whether the field has a
// value; nil if that is not possible.
func (f field) comparedPointers() []string {
	switch {
	case f.isPointer():
		return append(slices.Clip(f.needs), f.path)
	case f.form == formScalar:
		return f.needs
	}

	return nil
}

// structAt returns the struct at which an access begins, and the owner of its schema. The struct is
// "" if the access begins elsewhere. It records the use of an item that is a struct.
func (v *view) structAt(x *ir.Access) (string, ir.Owner) {
	switch {
	case v.machine != nil:
		return "", ir.OwnerNone
	case x.Root == ir.RootContext && v.w.ir.Context != nil && names.IsSchemaStruct(v.w.ir.Context):
		return "r.context", ir.OwnerContext
	case x.Root == ir.RootStep && x.Output.Type.IsStruct():
		return "r.steps." + names.StepField(x.Output.Name.Value) + ".Data", x.Output.Type.Owner
	case x.Root == ir.RootThis && v.thisOwner != ir.OwnerNone:
		v.used[v.this] = true

		return v.this, v.thisOwner
	case x.Root == ir.RootThis && v.this == "" && v.item.hasMember(x):
		return "r." + v.item.field, ir.OwnerContext
	}

	return "", ir.OwnerNone
}

// isDecoded reports whether the run has the value at which an access begins as its Go type, if it
// has one: other expressions use that.
func (v *view) isDecoded(x *ir.Access) bool {
	switch {
	case x.Root == ir.RootStep:
		return v.w.reads.typed[x.Output]
	case x.Root == ir.RootThis && v.this == "":
		return v.w.reads.items[v.item]
	}

	return true
}

// isPlainText reports whether a schema becomes a Go string. It may be nil.
func isPlainText(s *ir.Schema) bool {
	return s != nil && s.Kind == ir.SchemaString && !s.Nullable && !names.IsSchemaType(s)
}

// fieldForm returns the form of the field of a property.
func (e *schemaEmitter) fieldForm(p *ir.Property) fieldForm {
	s := p.Schema
	isPointer := e.isOptional(p) || s.Nullable
	switch {
	case e.isWrapped(p):
		return formOther
	case s.Kind == ir.SchemaArray && isPlainText(s.Items):
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
