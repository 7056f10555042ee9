package simulate

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// mostValues bounds the answers that are tried at one place, and mostContexts the initial contexts.
const (
	mostValues   = 48
	mostContexts = 24
)

// values returns outputs of a step that fit a schema, the plainest first. Texts in them are like
// text; without a schema that is the value.
func (c *candidates) values(t *ir.Task, schema *ir.Schema, text string) []workflow.Value {
	values, known := c.known[t]
	if !known {
		values = c.fitting(schema, text, "", ofOutput(t.Output))
		c.known[t] = values
	}

	return values
}

// results returns what a function can return to a step: where no schema describes it, objects with
// what is read of it, too.
func (c *candidates) results(t *ir.Task, f *ir.Func) []workflow.Value {
	results, known := c.known[t]
	if !known {
		results = c.values(t, f.Output, "A result of "+f.Name.Value+".")
		if f.Output == nil {
			results = slices.Concat(results, c.read(t))
		}
		c.known[t] = results
	}

	return results
}

// fitting returns values that fit a schema, without one texts, and that are asked for by some
// names.
func (c *candidates) fitting(schema *ir.Schema, text string, names ...string) []workflow.Value {
	if schema == nil {
		one := 1
		return c.variants(&ir.Schema{Kind: ir.SchemaString, MinLength: &one}, workflow.Text(text), names...)
	}
	base, ok := plain(schema, text)
	if !ok {
		return nil
	}

	return c.variants(schema, base, names...)
}

// plain returns the smallest value that fits a schema.
func plain(schema *ir.Schema, text string) (v workflow.Value, ok bool) {
	json, err := sample.Value(schema, text)

	return parsed(json), err == nil
}

// somethingElse is a text with which nothing is compared.
var somethingElse = workflow.Text("Something else.")

// distinct returns the first of equal values, and not too many.
func distinct(values []workflow.Value) []workflow.Value {
	seen := map[string]bool{}
	var list []workflow.Value
	for _, v := range values {
		if text := v.JSON(); !seen[text] && len(list) < mostValues {
			seen[text] = true
			list = append(list, v)
		}
	}

	return list
}

// variants returns values like base that fit a schema and differ in what is asked for by some
// names, or inside of it.
func (c *candidates) variants(s *ir.Schema, base workflow.Value, names ...string) []workflow.Value {
	values := []workflow.Value{base}
	switch q := c.asked(names...); {
	case s != nil && s.Kind == ir.SchemaObject:
		values = append(values, c.objects(s, base)...)
	case s != nil && s.Kind == ir.SchemaArray:
		values = slices.Concat(values, c.lists(s, names...), q.values())
	case q.isAsked():
		values = q.alike(fits(s, slices.Concat(values, q.values(), others(s))))
	}

	return distinct(fits(s, values))
}

// fits returns those of some values that fit a schema.
func fits(s *ir.Schema, values []workflow.Value) []workflow.Value {
	return slices.DeleteFunc(values, func(v workflow.Value) bool { return !sample.Fits(s, v.JSON()) })
}

// others are values of a schema with which nothing is compared.
func others(s *ir.Schema) []workflow.Value {
	if s == nil || s.Kind == ir.SchemaAny {
		return nil
	}
	values := ir.Map(s.Enum, parsed)

	return append(values, workflow.Of(true), workflow.Of(false), workflow.Text(""), somethingElse, workflow.Int(0), workflow.Int(1), workflow.Value{})
}

// objects varies the properties that expressions ask for: first each by itself, then all together.
func (c *candidates) objects(s *ir.Schema, base workflow.Value) []workflow.Value {
	var varied []variation
	for _, p := range s.Properties {
		name := p.Name.Value
		value, ok := base.Get(name), base.Has(name)
		if !ok && p.Schema != nil {
			value, ok = plain(p.Schema, "text")
		}
		if !ok {
			continue
		}
		if values := c.variants(p.Schema, value, name); len(values) > 1 || c.asked(name).isAsked() {
			varied = append(varied, variation{[]string{name}, values, !p.Required})
		}
	}

	return combined(base, varied)
}

// lists are, where something is asked of them or of their items, one without items, and one with
// each kind of item; where a loop runs for each item, one with two items too.
func (c *candidates) lists(s *ir.Schema, names ...string) []workflow.Value {
	items := cmp.Or(s.Items, &ir.Schema{Kind: ir.SchemaAny})
	var values []workflow.Value
	if item, ok := plain(items, "an item"); ok {
		values = ir.Map(c.variants(items, item, names...), func(v workflow.Value) workflow.Value { return workflow.List(v) })
	}
	q := c.asked(names...)
	if len(values) < 2 && !q.isAsked() {
		return nil
	}
	if q.isIterated && len(values) > 0 {
		values = append(values, workflow.List(values[0].At(0), values[len(values)-1].At(0)))
	}

	return append([]workflow.Value{workflow.List()}, values...)
}

// variation is a place in a value, and what may be there.
type variation struct {
	path   []string
	values []workflow.Value
	// optional says that it may be left out.
	optional bool
}

// combined returns base with one place varied, then with all.
func combined(base workflow.Value, places []variation) []workflow.Value {
	all, mixed := []workflow.Value{base}, []workflow.Value{base}
	for _, place := range places {
		all = append(all, place.of(base)...)
		if len(mixed) >= mostValues {
			continue
		}
		mixed = distinct(append(mixed, ir.FlatMap(mixed, place.of)...))
	}

	return distinct(append(all, mixed...))
}

// of returns v with each of the values at the place.
func (p variation) of(v workflow.Value) []workflow.Value {
	var all []workflow.Value
	for _, value := range p.values {
		if changed, err := v.Set(p.path, value); err == nil {
			all = append(all, changed)
		}
	}
	if p.optional {
		all = append(all, v.Without(p.path[0]))
	}

	return all
}

// read returns objects with what is read of the output of a step of which no schema says what it
// is.
func (c *candidates) read(t *ir.Task) []workflow.Value {
	paths := c.paths[t.Output]
	if t.UpdatesContext {
		paths = slices.Concat(paths, c.paths[nil])
	}

	return c.filled(paths)[1:]
}

// filled returns an empty object, and others with something at some paths.
func (c *candidates) filled(paths [][]string) []workflow.Value {
	var varied []variation
	for _, path := range paths {
		q := c.asked(path[len(path)-1])
		values := append([]workflow.Value{workflow.Of(true), workflow.Text("text"), workflow.Of(false)}, q.values()...)
		varied = append(varied, variation{path: path, values: q.alike(values)})
	}

	return combined(workflow.Object(), varied)
}

// contexts returns the contexts with which runs of a workflow begin: an empty one or, where its
// schema asks for more and one may be given, the smallest that fits; then, if one may be given,
// others with what expressions ask for. There may be none.
func (s *workSearch) contexts(a *ir.Agent, mayBeGiven bool) []workflow.Value {
	schema := a.Node.(*ir.Flow).Context
	all := []workflow.Value{workflow.Object()}
	if !mayBeGiven {
	} else if schema == nil {
		all = append(all, s.candidates.filled(s.candidates.paths[nil])...)
	} else {
		all = append(all, s.candidates.fitting(schema, "text")...)
	}
	all = slices.DeleteFunc(distinct(all), func(v workflow.Value) bool { return s.newRun(a).Inherit(v) != nil })
	if len(all) > mostContexts && !s.candidates.everything {
		all = all[:mostContexts]
	}

	return all
}

// valuesForGuards returns values that may come with a key, as far as the guards of some rows
// distinguish them.
func valuesForGuards(rows []*ir.Row) []workflow.Value {
	c := newCandidates()
	c.isTernary = true // a row without a guard is not taken behind one that is unknown
	for _, row := range rows {
		if row.When != nil && row.When.Formula != nil {
			c.condition(row.When.Formula.Root)
		}
	}

	return distinct(slices.Concat([]workflow.Value{workflow.Text("text")}, c.asked("").values(), c.filled(c.paths[nil])))
}
