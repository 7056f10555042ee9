package flow

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// maxValues bounds the values of a variable.
const maxValues = 64

// variable is a name that conditions of a workflow read: of the context, or of what a step gave.
type variable struct {
	access *ir.Access
	// values are those that conditions distinguish, with none first, and those that steps write.
	values []workflow.Value
}

// set is a set of values of a variable.
type set uint64

func (v *variable) all() set { return set(1)<<len(v.values) - 1 }

// none is the set of the value none alone.
const none set = 1

// of returns the set of some values. What conditions do not distinguish from another value is added:
// a set of all values that was made before represents it.
func (v *variable) of(given ...workflow.Value) set {
	found := set(0)
	for _, value := range given {
		i := slices.IndexFunc(v.values, func(known workflow.Value) bool { return known.JSON() == value.JSON() })
		if i < 0 {
			if i = len(v.values); i == maxValues {
				return v.all()
			}
			v.values = append(v.values, value)
		}
		found |= 1 << i
	}

	return found
}

// values are the sets of values that variables have at one time, eight bytes each.
type values string

func (e values) at(i int) set { return set(binary.BigEndian.Uint64([]byte(e[8*i : 8*i+8]))) }

func (e values) with(i int, s set) values {
	changed := []byte(e)
	binary.BigEndian.PutUint64(changed[8*i:], uint64(s))

	return values(changed)
}

// variablesOf finds the variables of a workflow but for so many of those with the most values, and the
// conditions of its branches.
func (x *paths) variablesOf(w *ir.Workflow, without int) {
	var conditions []ir.Expression
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		switch do := t.Do.(type) {
		case *ir.Machine:
			conditions = append(conditions, ir.Map(do.Rows(), func(row *ir.Row) ir.Expression { return interp.Condition(row.When) })...)
		case *ir.Loop:
			if do.Exit != nil && do.Exit.Root != nil {
				conditions = append(conditions, do.Exit.Root)
			}
		case *ir.Branch:
			if x.arms[do] = armConditions(do); x.arms[do] != nil {
				x.missed[do] = map[string]bool{}
			}
			conditions = append(conditions, x.arms[do]...)
		}
	})
	samples := expr.Samples(conditions)
	slices.SortStableFunc(samples, func(a, b *expr.Sample) int { return cmp.Compare(len(b.Values), len(a.Values)) })
	for _, sample := range samples[min(without, len(samples)):] {
		v := &variable{access: sample.Access, values: []workflow.Value{{}}}
		initial := v.of(sample.Values...)
		if sample.Access.Root == ir.RootStep {
			initial = none
		}
		x.byName[expr.NameOf(sample.Access)] = len(x.variables)
		x.variables = append(x.variables, v)
		x.initial = append(x.initial, initial)
	}
}

// armConditions are that the key of a conditional is missing, and what it has to be for each of its branches; nil where that
// is not a condition over one name.
func armConditions(do *ir.Branch) []ir.Expression {
	if do.Key == nil {
		return nil
	}
	if _, isName := do.Key.Root.(*ir.Access); !isName {
		return nil
	}
	conditions := []ir.Expression{&ir.Compare{Op: ir.OpEqual, X: do.Key.Root, Y: &ir.Literal{}}}
	for _, arm := range do.Branches {
		if arm.Name.Value == (workflow.Value{}).String() {
			return nil
		}
		conditions = append(conditions, interp.Takes(do.Key.Root, arm.Name.Value))
	}

	return conditions
}

// written returns the values of variables when a task has ended well: what it puts into the context,
// and its output.
func (x *paths) written(t *ir.Task, e values) values {
	for i, v := range x.variables {
		if v.access.Root == ir.RootStep && v.access.Output == t.Output {
			e = e.with(i, v.inside(t.Type.Schema, v.access.Path))
		}
	}
	for _, w := range t.Writes() {
		if w.Value != nil {
			w.Schema = schemaOf(w.Value)
		}
		for i, v := range x.variables {
			switch {
			case v.access.Root == ir.RootStep || w.Path != nil && w.Path.Routes():
			case w.Path == nil:
				e = e.with(i, v.all())
			default:
				e = x.put(e, i, w)
			}
		}
	}

	return e
}

// together splits the values of an output that several variables have been given: they are the
// same in all of them.
func (x *paths) together(t *ir.Task, e values) []values {
	given := map[string][]int{}
	var shared []string
	for i, v := range x.variables {
		if path, isGiven := givenBy(t, v); isGiven {
			if given[path] = append(given[path], i); len(given[path]) == 2 {
				shared = append(shared, path)
			}
		}
	}
	all := []values{e}
	for _, path := range shared {
		var next []values
		for _, e := range all {
			for _, e := range x.split(e, given[path][:1]) {
				value := x.value(e, given[path][0])
				for _, i := range given[path][1:] {
					e = e.with(i, x.variables[i].of(value))
				}
				next = append(next, e)
			}
		}
		all = next
	}

	return all
}

// givenBy returns the field of the output of a task whose value a variable has behind it.
func givenBy(t *ir.Task, v *variable) (field string, isGiven bool) {
	if len(v.access.Path) != 1 {
		return "", false
	}
	field = v.access.Path[0].Name.Value
	if v.access.Root == ir.RootStep {
		return field, v.access.Output == t.Output
	}
	property, _ := propertyOf(t.Type.Schema, field)

	return field, t.Merges() && property != nil && property.Required && !t.Type.Schema.Nullable
}

// put writes a value to a place in the context, or merges it with what is there: into the variable, into what is around it, or into
// what is inside of it.
func (x *paths) put(e values, i int, w ir.ContextWrite) values {
	v := x.variables[i]
	rest := v.access.Path
	for _, name := range w.Path.Path {
		if len(rest) == 0 {
			return e.with(i, v.all())
		}
		if rest[0].Name.Value != name.Value {
			return e
		}
		rest = rest[1:]
	}
	switch {
	case !w.Merge:
		return e.with(i, v.inside(w.Schema, rest))
	case len(rest) == 0:
		return e.with(i, v.all())
	}
	property, open := propertyOf(w.Schema, rest[0].Name.Value)
	switch {
	case property == nil && open:
		return e.with(i, v.all())
	case property == nil:
		return e
	case property.Required && len(rest) == 1 && !w.Schema.Nullable:
		return e.with(i, v.inside(property.Schema, nil))
	}

	return e.with(i, e.at(i)|v.inside(property.Schema, rest[1:]))
}

// propertyOf returns a property of a schema; open says that there may be others.
func propertyOf(s *ir.Schema, name string) (property *ir.Property, open bool) {
	if s == nil || s.Kind != ir.SchemaObject {
		return nil, true
	}
	property = s.Property(name)

	return property, property == nil && (s.Additional != nil || len(s.Properties) == 0)
}

// inside returns what is at a path inside of a value of a schema.
func (v *variable) inside(schema *ir.Schema, path []ir.Field) set {
	found := set(0)
	for _, field := range path {
		property, open := propertyOf(schema, field.Name.Value)
		switch {
		case property == nil && open:
			return v.all()
		case property == nil:
			return none
		case !property.Required || schema.Nullable:
			found |= none
		}
		schema = property.Schema
	}
	constants := expr.Constants(schema)
	if constants == nil {
		return v.all()
	}

	return found | v.of(constants...)
}

// schemaOf returns what is known of a value of the source; nil for one that only the run decides.
func schemaOf(d *ir.Datum) *ir.Schema {
	if d == nil {
		return nil
	}
	switch d.Kind {
	case ir.DatumJSON:
		return &ir.Schema{Enum: []string{d.JSON}}
	case ir.DatumText:
		if text, isConstant := d.Text.Constant(); isConstant {
			return &ir.Schema{Enum: []string{workflow.Text(text).JSON()}}
		}
	case ir.DatumFields:
		properties := ir.Map(d.Fields, func(field ir.DatumField) *ir.Property {
			return &ir.Property{Name: field.Name, Required: true, Schema: schemaOf(field.Value)}
		})
		return &ir.Schema{Kind: ir.SchemaObject, Properties: properties}

	}

	return nil
}

// value returns the value of a variable that has one alone.
func (x *paths) value(e values, i int) workflow.Value {
	return x.variables[i].values[bits.TrailingZeros64(uint64(e.at(i)))]
}
