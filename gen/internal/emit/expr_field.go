package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// field returns the field of a generated struct that an expression names, if that is a scalar which is always there; else nil.
// A step that may not have run leaves all fields zero, which are of no use then.
func (v *view) field(x *ir.Access) *jen.Statement {
	path, owner := v.structOf(x)
	last := len(x.Path) - 1
	if path == "" || last < 0 || x.Maybe || x.Default != nil {
		return nil
	}
	e := schemaEmitter{encodes: owner == ir.OwnerFunc}
	for i, step := range x.Path {
		p := step.Property
		switch {
		case p == nil || e.isOptional(p) || p.Schema.Nullable:
			return nil
		case i < last && !names.IsSchemaStruct(p.Schema), i == last && goTypes[p.Schema.Kind].typ == "":
			return nil
		}
		path += "." + names.Exported(p.Name.Value)
	}
	if x.Root == ir.RootStep {
		v.w.reads.data[x.Output] = true
	}

	return jen.Id(path)
}

// structOf returns the struct at which an access begins, and whose schema it has; "" where there is none.
func (v *view) structOf(x *ir.Access) (string, ir.Owner) {
	switch {
	case v.machine != nil:
	case x.Root == ir.RootContext && v.w.ir.Context != nil && names.IsSchemaStruct(v.w.ir.Context):
		return "r.context", ir.OwnerContext
	case x.Root == ir.RootStep && x.Output.Type.IsStruct():
		return "r.steps." + names.StepField(x.Output.Name.Value) + ".Data", x.Output.Type.Owner
	}

	return "", ir.OwnerNone
}
