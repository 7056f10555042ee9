package flow

import (
	"math/bits"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
)

// Refusal is a field of a context because of which an import that inherits the context fails, before
// the first step of what is imported.
type Refusal struct {
	Field string
	// Lacks is set if the context lacks the field, which is required. Otherwise the field is there, and
	// what is imported has no such field, or one of another type.
	Lacks bool
}

// inheritedSchema returns the schema that the inherited context of an import has to fit; nil without
// one.
func inheritedSchema(do *ir.Import) *ir.Schema {
	w := importedFlow(do)
	if !do.Inherit || w == nil || w.Partial {
		return nil
	}

	return w.Context.Resolved()
}

// addInherited adds the fields that decide whether the context of a workflow fits what inherits it:
// the fields that are required there, and those that steps write.
func (x *paths) addInherited(w *ir.Flow) {
	inherits := false
	for _, do := range ir.OpsOf[*ir.Import](w.Body.Ops()) {
		schema := inheritedSchema(do)
		if schema == nil {
			continue
		}
		inherits = true
		for _, name := range schema.RequiredNames() {
			x.addContextField(name)
		}
	}
	if !inherits {
		return
	}
	for _, t := range tasksThatWrite(w.Body) {
		for _, write := range t.ContextWrites() {
			if write.Path != nil && len(write.Path.Path) > 0 {
				x.addContextField(write.Path.Path[0].Value)
			}
		}
		if merged := t.MergedSchema(); t.MergesOutput() && merged != nil {
			for _, name := range merged.RequiredNames() {
				x.addContextField(name)
			}
		}
	}
}

// addContextField adds the variable of a field of the context.
func (x *paths) addContextField(name string) {
	if !ir.IsContextRouting(name) {
		path := &ir.ContextPath{Path: []ir.Text{{Value: name}}}
		x.addRead(path.Access(ir.Type{}, nil))
	}
}

// fieldsInherited returns the variables that decide whether the context fits what inherits it.
func (x *paths) fieldsInherited(t *ir.Task) []int {
	do, isImport := t.Do.(*ir.Import)
	if !isImport || inheritedSchema(do) == nil {
		return nil
	}

	return ir.Where(x.contextVariables, func(i int) bool { return len(x.variables[i].access.Path) == 1 })
}

// refusesContext reports whether an import does not take the context that it inherits, and records
// the field because of which it does not.
func (x *paths) refusesContext(t *ir.Task, do *ir.Import, e values) bool {
	refusal := x.findRefusal(do, e)
	if refusal != nil {
		x.p.refusals[t] = refusal
	}

	return refusal != nil
}

// findRefusal returns the field because of which an import does not take the context that it
// inherits; nil if it may take it.
func (x *paths) findRefusal(do *ir.Import, e values) *Refusal {
	schema := inheritedSchema(do)
	if schema == nil {
		return nil
	}
	refused := findDeclaredRefusal(x.context.Resolved(), schema)
	if refused != nil {
		return refused
	}
	for _, i := range x.contextVariables {
		v := x.variables[i]
		if len(v.access.Path) > 1 {
			continue
		}
		name := v.access.Path[0].Name.Value
		property := schema.Property(name)
		isRequired := property != nil && property.Required
		switch {
		case isRequired && v.unwritten != 0 && e.at(i) == v.unwritten:
			return &Refusal{Field: name, Lacks: true}
		case !ir.IsContextRouting(name) && v.neverFits(e.at(i), schema, property):
			return &Refusal{Field: name}
		}
	}

	return nil
}

// DeclaredRefusal returns the field because of which an import in a workflow never takes the context
// that it inherits, as the two schemas say; nil if it may take it.
func DeclaredRefusal(w *ir.Flow, do *ir.Import) *Refusal {
	schema := inheritedSchema(do)
	if schema == nil {
		return nil
	}

	return findDeclaredRefusal(w.Context.Resolved(), schema)
}

// findDeclaredRefusal is like findRefusal for what two schemas of contexts say.
func findDeclaredRefusal(parent, child *ir.Schema) *Refusal {
	if parent == nil {
		return nil
	}
	for _, field := range child.Properties {
		name := field.Name.Value
		is := parent.Property(name)
		switch {
		case !field.Required:
		case is == nil && parent.Additional == nil && !ir.IsContextRouting(name):
			return &Refusal{Field: name, Lacks: true}
		case is != nil && builtin.KindsOf(is.Schema)&builtin.KindsOf(field.Schema) == 0:
			return &Refusal{Field: name}
		}
	}
	for _, field := range parent.Properties {
		name := field.Name.Value
		takes := child.Property(name)
		switch {
		case !field.IsAlwaysThere() || ir.IsContextRouting(name):
		case takes == nil && child.Additional == nil,
			takes != nil && builtin.KindsOf(takes.Schema)&builtin.KindsOf(field.Schema) == 0:
			return &Refusal{Field: name}
		}
	}

	return nil
}

// neverFits reports whether each of some values is there and does not fit a property of a context. No
// value fits a context that does not have the property.
func (v *variable) neverFits(found set, context *ir.Schema, property *ir.Property) bool {
	mayBeMissing := found == 0 || found&(none|v.unwritten|v.anything) != 0
	if property == nil {
		return !mayBeMissing && context.Additional == nil
	}
	if mayBeMissing || found&^v.exact != 0 {
		return false
	}
	for rest := found; rest != 0; rest &= rest - 1 {
		if sample.Fits(property.Schema, v.values[bits.TrailingZeros64(uint64(rest))].JSON()) {
			return false
		}
	}

	return true
}
