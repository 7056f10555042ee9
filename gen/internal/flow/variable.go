package flow

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// maxValues bounds the values of a variable.
const maxValues = 64

// variable is a name that conditions of a workflow read: of the context, or of what a step gave.
type variable struct {
	access *ir.Access
	// values are those that conditions tell apart, with none first, and those that steps write.
	values []any
}

// set is a set of values of a variable.
type set uint64

func (v *variable) all() set { return set(1)<<len(v.values) - 1 }

// none is the set of the value none alone.
const none set = 1

// of returns the set of some values; all, if one of them is not known.
func (v *variable) of(values ...any) set {
	found := set(0)
	for _, value := range values {
		i := slices.IndexFunc(v.values, func(known any) bool { return same(known, value) })
		if i < 0 {
			return v.all()
		}
		found |= 1 << i
	}

	return found
}

// add makes a value known.
func (v *variable) add(values ...any) {
	for _, value := range values {
		if !slices.ContainsFunc(v.values, func(known any) bool { return same(known, value) }) {
			v.values = append(v.values, value)
		}
	}
}

func same(x, y any) bool {
	a, err := json.Marshal(x)
	if err != nil {
		return false
	}
	b, err := json.Marshal(y)

	return err == nil && string(a) == string(b)
}

// values are the sets of values that variables have at one time, eight bytes each.
type values string

func (e values) at(i int) set { return set(binary.BigEndian.Uint64([]byte(e[8*i : 8*i+8]))) }

func (e values) with(i int, s set) values {
	changed := []byte(e)
	binary.BigEndian.PutUint64(changed[8*i:], uint64(s))

	return values(changed)
}

// variablesOf finds the variables of a workflow, and the conditions of its branches.
func (x *paths) variablesOf(w *ir.Workflow) {
	var conditions []ir.Expression
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		switch do := t.Do.(type) {
		case *ir.Machine:
			for _, row := range do.Rows() {
				conditions = append(conditions, condition(row.When, 0))
			}
		case *ir.Repeat:
			if do.Exit != nil && do.Exit.Root != nil {
				conditions = append(conditions, do.Exit.Root)
			}
		case *ir.Conditional:
			x.arms[do] = armConditions(do)
			conditions = append(conditions, x.arms[do]...)
		}
	})
	for _, sample := range expr.Samples(conditions) {
		v := &variable{access: sample.Access, values: []any{nil}}
		v.add(sample.Values...)
		x.variables = append(x.variables, v)
		x.byName[expr.NameOf(sample.Access)] = len(x.variables) - 1
		initial := v.of(sample.Values...)
		if sample.Access.Root == ir.RootStep {
			initial = none
		}
		x.initial = append(x.initial, initial)
	}
	x.writing = true
	ir.WalkTasks(w.Body, func(t *ir.Task) { x.written(t, "") })
	x.writing = false
	for i, v := range x.variables {
		if len(v.values) > maxValues {
			x.gaveUp = true
		}
		if v.access.Root == ir.RootContext && v.access.Type.Schema == nil {
			x.initial[i] = v.all()
		}
	}
}

// armConditions are what the key of a conditional has to be for each of its branches; nil where that
// is not a condition over few values.
func armConditions(do *ir.Conditional) []ir.Expression {
	if do.Key == nil || do.Key.Root == nil {
		return nil
	}
	schema := do.Key.Root.Is().Schema
	if _, isName := do.Key.Root.(*ir.Access); !isName || expr.Constants(schema) == nil {
		return nil
	}
	conditions := make([]ir.Expression, len(do.Branches))
	for i, arm := range do.Branches {
		literal := &ir.Literal{Value: arm.Name.Value}
		if schema.Kind == ir.SchemaBoolean {
			literal.Value = map[string]any{"true": true, "false": false}[arm.Name.Value]
		}
		conditions[i] = &ir.Compare{Op: ir.OpEqual, X: do.Key.Root, Y: literal}
	}

	return conditions
}

// written returns the values of variables when a task has ended well: what it puts into the context,
// and its output. While the variables are made, it adds the values that it writes to them.
func (x *paths) written(t *ir.Task, e values) values {
	schema := t.Type.Schema
	for i, v := range x.variables {
		if v.access.Root == ir.RootStep {
			if v.access.Output == t.Output {
				e = x.put(e, i, x.valuesOf(v, schema, v.access.Path))
			}
			continue
		}
		switch do := t.Do.(type) {
		case *ir.UseBuiltin:
			e = x.builtin(t, do, e, i)
		case *ir.Import:
			if t.UpdatesContext {
				e = x.imported(do, e, i)
			}
		}
		if t.SinkTo != nil && !t.SinkTo.Routes() {
			e = x.wrote(e, i, t.SinkTo, func(rest []ir.Field) set { return x.valuesOf(v, schema, rest) })
		}
		if t.Merges() {
			e = x.merged(e, i, nil, schema)
		}
	}

	return e
}

// together tells apart the values of an output that several variables have been given: they are the
// same in all of them.
func (x *paths) together(t *ir.Task, e values) []values {
	given := map[string][]int{}
	var first []string
	for i, v := range x.variables {
		if path, isGiven := givenBy(t, v); isGiven {
			if len(given[path]) == 1 {
				first = append(first, path)
			}
			given[path] = append(given[path], i)
		}
	}
	all := []values{e}
	for _, path := range first {
		var next []values
		for _, e := range all {
			for _, e := range x.split(e, given[path][:1]) {
				v := x.variables[given[path][0]]
				value := v.values[slices.Index(v.bits(), e.at(given[path][0]))]
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

// givenBy returns the path inside of the output of a task whose value a variable has behind it.
func givenBy(t *ir.Task, v *variable) (path string, isGiven bool) {
	fields := v.access.Path
	switch {
	case len(fields) != 1:
		return "", false
	case v.access.Root == ir.RootStep:
		return fields[0].Name.Value, v.access.Output == t.Output
	}
	property, _ := propertyOf(t.Type.Schema, fields[0].Name.Value)

	return fields[0].Name.Value, t.Merges() && property != nil && property.Required && !t.Type.Schema.Nullable
}

// put gives a variable one of some values; with a variable that has them perhaps, they are added.
func (x *paths) put(e values, i int, s set) values {
	if x.writing {
		return e
	}

	return e.with(i, s)
}

// perhaps gives a variable one of some values, or leaves it as it is.
func (x *paths) perhaps(e values, i int, s set) values {
	if x.writing {
		return e
	}

	return e.with(i, e.at(i)|s)
}

// wrote writes a value to a place in the context: to the variable, to what is around it, or to what
// is inside of it.
func (x *paths) wrote(e values, i int, place *ir.ContextPath, value func(rest []ir.Field) set) values {
	path := x.variables[i].access.Path
	for at, name := range place.Path {
		switch {
		case at == len(path):
			return x.put(e, i, x.variables[i].all())
		case path[at].Name.Value != name.Value:
			return e
		}
	}

	return x.put(e, i, value(path[len(place.Path):]))
}

// merged merges an object of a schema into a place of the context; nil is the context itself.
func (x *paths) merged(e values, i int, place *ir.ContextPath, schema *ir.Schema) values {
	v := x.variables[i]
	rest := v.access.Path
	if place != nil {
		for _, name := range place.Path {
			if len(rest) == 0 || rest[0].Name.Value != name.Value {
				return e
			}
			rest = rest[1:]
		}
	}
	if len(rest) == 0 {
		return x.put(e, i, v.all())
	}
	property, open := propertyOf(schema, rest[0].Name.Value)
	switch {
	case property == nil && open:
		return x.perhaps(e, i, v.all())
	case property == nil:
		return e
	case property.Required && len(rest) == 1 && !schema.Nullable:
		return x.put(e, i, x.valuesOf(v, property.Schema, rest[1:]))
	}

	return x.perhaps(e, i, x.valuesOf(v, property.Schema, rest[1:]))
}

// propertyOf returns a property of a schema; open says that there may be others.
func propertyOf(s *ir.Schema, name string) (property *ir.Property, open bool) {
	if s == nil || s.Kind != ir.SchemaObject {
		return nil, true
	}
	for _, p := range s.Properties {
		if p.Name.Value == name {
			return p, false
		}
	}

	return nil, s.Additional != nil || len(s.Properties) == 0
}

// valuesOf returns what is at a path inside of a value of a schema.
func (x *paths) valuesOf(v *variable, schema *ir.Schema, path []ir.Field) set {
	found := set(0)
	for _, field := range path {
		if schema != nil && schema.Nullable {
			found |= none
		}
		property, open := propertyOf(schema, field.Name.Value)
		switch {
		case property == nil && open:
			return v.all()
		case property == nil:
			return none
		case !property.Required:
			found |= none
		}
		schema = property.Schema
	}
	constants := expr.Constants(schema)
	if constants == nil {
		return v.all()
	}
	if x.writing {
		v.add(constants...)
	}

	return found | v.of(constants...)
}

// builtin writes what context_set and context_merge do.
func (x *paths) builtin(t *ir.Task, do *ir.UseBuiltin, e values, i int) values {
	v := x.variables[i]
	value := t.Input
	for _, arg := range do.Args {
		if arg.Name.Value == "value" {
			value = arg.Value
		}
	}
	switch {
	case do.Builtin != "context_set" && do.Builtin != "context_merge":
		return e
	case do.Path == nil:
		return x.perhaps(e, i, v.all())
	case do.Builtin == "context_merge":
		return x.mergedDatum(e, i, do.Path, value)
	}

	return x.wrote(e, i, do.Path, func(rest []ir.Field) set { return x.datum(v, value, rest) })
}

// mergedDatum merges a value of the source into a place of the context.
func (x *paths) mergedDatum(e values, i int, place *ir.ContextPath, value *ir.Datum) values {
	if value == nil || value.Kind != ir.DatumFields {
		return x.merged(e, i, place, nil)
	}
	for _, field := range value.Fields {
		at := &ir.ContextPath{Path: append(slices.Clone(place.Path), field.Name)}
		e = x.wrote(e, i, at, func(rest []ir.Field) set { return x.datum(x.variables[i], field.Value, rest) })
	}

	return e
}

// datum returns what is at a path inside of a value of the source.
func (x *paths) datum(v *variable, d *ir.Datum, path []ir.Field) set {
	var value any
	switch {
	case d == nil || len(path) > 0:
		return v.all()
	case d.Kind == ir.DatumText:
		text, isConstant := d.Text.Constant()
		if !isConstant {
			return v.all()
		}
		value = text
	case d.Kind == ir.DatumJSON:
		if err := json.Unmarshal([]byte(d.JSON), &value); err != nil {
			return v.all()
		}
	default:
		return v.all()
	}
	if x.writing {
		v.add(value)
	}

	return v.of(value)
}

// imported copies back what an import has in its context.
func (x *paths) imported(do *ir.Import, e values, i int) values {
	v := x.variables[i]
	if do.All {
		return x.perhaps(e, i, v.all())
	}
	for _, output := range do.Outputs {
		if wrote := x.wrote(e, i, output.Parent, func([]ir.Field) set { return v.all() }); wrote != e {
			e = x.perhaps(e, i, v.all())
		}
	}

	return e
}

func (v *variable) String() string { return fmt.Sprint(v.access.Written, v.values) }
