package simulate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// candidates are the values with which models, people and functions answer: one that fits the schema, and others where an
// expression asks for something. What is asked of the output of a step is asked of that step; what is asked of the context or of
// whatever a state gave is known by the name alone, wherever the value comes from.
type candidates struct {
	// of are by name what is asked of a value.
	of map[string]*question
	// paths are what is read of an output, and of the context with nil.
	paths map[*ir.Output][][]string
	// known are the answers of values.
	known map[candidateKey][]workflow.Value
	// everything says that values are tried that no condition distinguishes.
	everything bool
}

type candidateKey struct {
	task   *ir.Task
	schema *ir.Schema
	text   string
}

// mostValues bounds the answers that are tried at one place, and mostContexts the initial contexts.
const (
	mostValues   = 48
	mostContexts = 24
)

// values returns outputs of a step that fit a schema, the plainest first. Texts in them are like text; without a schema that is
// the value.
func (c *candidates) values(t *ir.Task, schema *ir.Schema, text string) []workflow.Value {
	key := candidateKey{t, schema, text}
	values, known := c.known[key]
	if !known {
		values = c.fitting(schema, text, "", ofOutput(t.Output))
		c.known[key] = values
	}

	return values
}

// fitting returns values that fit a schema and are asked for by some names.
func (c *candidates) fitting(schema *ir.Schema, text string, names ...string) []workflow.Value {
	if schema == nil {
		q := c.asked(names...)
		values := slices.Concat([]workflow.Value{workflow.Text(text)}, q.values(), []workflow.Value{somethingElse})
		values = slices.DeleteFunc(values, func(v workflow.Value) bool {
			text, isText := v.AsText()
			return !isText || text == ""
		})
		return distinct(q.alike(values))
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
	if err != nil {
		return v, false
	}
	v, err = workflow.Parse([]byte(json))

	return v, err == nil
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

// variants returns values like base that fit a schema and differ in what is asked for by some names.
func (c *candidates) variants(s *ir.Schema, base workflow.Value, names ...string) []workflow.Value {
	values := []workflow.Value{base}
	q := c.asked(names...)
	switch {
	case s != nil && s.Kind == ir.SchemaObject:
		values = append(values, c.objects(s, base)...)
	case s != nil && s.Kind == ir.SchemaArray:
		values = slices.Concat(values, c.lists(s, names...), q.values())
	case q.isAsked():
		values = slices.Concat(values, q.values(), others(s))
	}
	values = slices.DeleteFunc(values, func(v workflow.Value) bool { return !sample.Fits(s, v.JSON()) })
	if q.isAsked() && (s == nil || s.Kind != ir.SchemaObject && s.Kind != ir.SchemaArray) {
		values = q.alike(values)
	}

	return distinct(values)
}

// others are values of a schema with which nothing is compared.
func others(s *ir.Schema) []workflow.Value {
	if s == nil || s.Kind == ir.SchemaAny {
		return nil
	}
	var values []workflow.Value
	for _, text := range s.Enum {
		if v, err := workflow.Parse([]byte(text)); err == nil {
			values = append(values, v)
		}
	}

	return append(values, workflow.Bool(true), workflow.Bool(false), workflow.Text(""), somethingElse, workflow.Int(0), workflow.Int(1), workflow.Value{})
}

// objects varies the properties that expressions ask for: first each by itself, then all together.
func (c *candidates) objects(s *ir.Schema, base workflow.Value) []workflow.Value {
	var varied []variation
	for _, p := range s.Properties {
		name := p.Name.Value
		if !c.concerns(p.Schema, name) {
			continue
		}
		value, ok := base.Get(name), base.Has(name)
		if !ok && p.Schema != nil {
			value, ok = plain(p.Schema, "text")
		}
		if ok {
			varied = append(varied, variation{[]string{name}, c.variants(p.Schema, value, name), !p.Required})
		}
	}

	return combined(base, varied)
}

// concerns reports whether an expression asks by some names for a value of the schema, or for something in it.
func (c *candidates) concerns(s *ir.Schema, names ...string) bool {
	if s == nil || c.asked(names...).isAsked() {
		return c.asked(names...).isAsked()
	}
	if s.Kind == ir.SchemaArray {
		return c.concerns(s.Items, names...)
	}

	return slices.ContainsFunc(s.Properties, func(p *ir.Property) bool { return c.concerns(p.Schema, p.Name.Value) })
}

// lists are without items, and with one of each kind.
func (c *candidates) lists(s *ir.Schema, names ...string) []workflow.Value {
	if !c.concerns(s, names...) {
		return nil
	}
	values := []workflow.Value{workflow.List()}
	items := s.Items
	if items == nil {
		items = &ir.Schema{Kind: ir.SchemaAny}
	}
	if item, ok := plain(items, "an item"); ok {
		for _, v := range c.variants(items, item, names...) {
			values = append(values, workflow.List(v))
		}
	}

	return values
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
		for _, v := range mixed {
			mixed = append(mixed, place.of(v)...)
		}
		mixed = distinct(mixed)
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

// read returns objects with what is read of the output of a step of which no schema says what it is.
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
		values := append([]workflow.Value{workflow.Bool(true), workflow.Text("text")}, q.values()...)
		varied = append(varied, variation{path: path, values: q.alike(values)})
	}

	return combined(workflow.Object(), varied)
}

// contexts returns the contexts with which runs of a workflow begin: an empty one or, where its schema asks for more and one may
// be given, the smallest that fits; then, if one may be given, others with what expressions ask for. There may be none.
func (s *workSearch) contexts(a *ir.Agent, mayBeGiven bool) []workflow.Value {
	schema := a.Node.(*ir.Workflow).Context
	all := []workflow.Value{workflow.Object()}
	if !mayBeGiven {
	} else if schema == nil {
		all = append(all, s.candidates.filled(s.candidates.paths[nil])...)
	} else if base, ok := plain(schema, "text"); ok {
		all = slices.Concat(all, []workflow.Value{base}, s.candidates.objects(schema, base))
	}
	all = slices.DeleteFunc(distinct(all), func(v workflow.Value) bool { return s.newRun(a).Inherit(v) != nil })
	if len(all) > mostContexts && !s.candidates.everything {
		all = all[:mostContexts]
	}

	return all
}
