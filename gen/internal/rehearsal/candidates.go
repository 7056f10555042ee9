package rehearsal

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// candidates are the values with which models, people and functions answer: one that fits the schema, and others where an
// expression asks for something. What is asked of the output of a step is asked of that step; what is asked of the context or of
// whatever a state came to is known by the name alone, wherever the value comes from.
type candidates struct {
	anywhere asked
	of       map[*ir.Output]asked
	// paths are what is read of an output, and of the context.
	paths   map[*ir.Output][][]string
	context [][]string
	// known are the answers of values, merged the names that are asked of an output.
	known    map[question][]workflow.Value
	merged   map[*ir.Output]asked
	deciders *deciders
	// mostContexts bounds the initial contexts.
	mostContexts int
}

// asked are the values with which a name is compared; a name that is only looked at has none. "" is an output itself.
type asked map[string][]workflow.Value

// question is what candidates are asked.
type question struct {
	task   *ir.Task
	schema *ir.Schema
	text   string
}

// asked returns what is asked of an output.
func (c *candidates) asked(o *ir.Output) asked {
	all, known := c.merged[o]
	if known {
		return all
	}
	all = asked{}
	for _, of := range []asked{c.anywhere, c.of[o]} {
		for name, values := range of {
			all[name] = distinct(append(all[name], values...))
		}
	}
	c.merged[o] = all

	return all
}

// mostValues bounds the answers that are tried at one place.
const mostValues = 48

// values returns outputs of a step that fit a schema, the plainest first, of those that are alike one. Texts in them are like
// text; without a schema that is the value.
func (c *candidates) values(t *ir.Task, schema *ir.Schema, text string) []workflow.Value {
	q := question{t, schema, text}
	values, known := c.known[q]
	if !known {
		values = c.deciders.unlike(t, c.asked(t.Output).values(schema, text))
		c.known[q] = values
	}

	return values
}

func (a asked) values(schema *ir.Schema, text string) []workflow.Value {
	if schema == nil {
		values := append([]workflow.Value{workflow.Text(text)}, a.texts()...)
		if len(values) > 1 {
			values = append(values, somethingElse)
		}
		return distinct(values)
	}
	plain, err := sample.Value(schema, text)
	if err != nil {
		return nil
	}
	base, err := workflow.Parse([]byte(plain))
	if err != nil {
		return nil
	}
	fitting := slices.DeleteFunc(a.variants(schema, "", base), func(v workflow.Value) bool { return !fits(schema, v) })

	return distinct(append([]workflow.Value{base}, fitting...))
}

// somethingElse is a text with which nothing is compared.
var somethingElse = workflow.Text("Something else.")

// texts are the texts with which an output itself is compared.
func (a asked) texts() []workflow.Value {
	var texts []workflow.Value
	for _, v := range a[""] {
		if text, isText := v.AsText(); isText && text != "" {
			texts = append(texts, v)
		}
	}

	return texts
}

// distinct returns the first of equal values, and not too many.
func distinct(values []workflow.Value) []workflow.Value {
	seen := map[string]bool{}
	var list []workflow.Value
	for _, v := range values {
		if !seen[v.JSON()] && len(list) < mostValues {
			seen[v.JSON()] = true
			list = append(list, v)
		}
	}

	return list
}

// variants returns values like base, which is called name, that differ in what expressions ask for. Some may not fit.
func (a asked) variants(s *ir.Schema, name string, base workflow.Value) []workflow.Value {
	if s == nil || s.Kind == ir.SchemaAny {
		return append([]workflow.Value{base}, a[name]...)
	}
	switch s.Kind {
	case ir.SchemaObject:
		return a.objects(s, base)
	case ir.SchemaArray:
		return a.lists(s, name, base)
	}
	if _, asked := a[name]; !asked {
		return []workflow.Value{base}
	}
	values := append([]workflow.Value{base}, a[name]...)
	for _, text := range s.Enum {
		if v, err := workflow.Parse([]byte(text)); err == nil {
			values = append(values, v)
		}
	}
	switch {
	case s.Kind == ir.SchemaBoolean:
		values = append(values, workflow.Bool(true), workflow.Bool(false))
	case s.Kind == ir.SchemaString && s.Enum == nil:
		values = append(values, workflow.Text(""), somethingElse)
	case s.Enum == nil:
		values = append(values, workflow.Int(0), workflow.Int(1))
	}
	if s.Nullable {
		values = append(values, workflow.None)
	}

	return distinct(values)
}

// objects varies the properties that expressions ask for: first each by itself, then all together.
func (a asked) objects(s *ir.Schema, base workflow.Value) []workflow.Value {
	var varied []variation
	for _, p := range s.Properties {
		if v := a.variation(p, base); len(v.values) > 0 {
			varied = append(varied, v)
		}
	}

	return combined(base, varied)
}

// variation is a place in a value, and what may stand there.
type variation struct {
	path   []string
	values []workflow.Value
	// optional says that it may be left out.
	optional bool
}

func (a asked) variation(p *ir.Property, base workflow.Value) variation {
	name := p.Name.Value
	if !a.concerns(p.Schema, name) {
		return variation{}
	}
	value := base.Get(name)
	if !base.Has(name) && p.Schema != nil {
		text, err := sample.Value(p.Schema, "text")
		if err != nil {
			return variation{}
		}
		if value, err = workflow.Parse([]byte(text)); err != nil {
			return variation{}
		}
	}
	fitting := slices.DeleteFunc(a.variants(p.Schema, name, value), func(v workflow.Value) bool { return !fits(p.Schema, v) })

	return variation{[]string{name}, fitting, !p.Required}
}

// concerns reports whether an expression asks for a value of the schema that is called name, or for something in it.
func (a asked) concerns(s *ir.Schema, name string) bool {
	if _, asked := a[name]; asked || s == nil {
		return asked
	}
	if s.Kind == ir.SchemaArray {
		return a.concerns(s.Items, name)
	}

	return slices.ContainsFunc(s.Properties, func(p *ir.Property) bool { return a.concerns(p.Schema, p.Name.Value) })
}

// lists are without items, and with one of each kind.
func (a asked) lists(s *ir.Schema, name string, base workflow.Value) []workflow.Value {
	values := []workflow.Value{base}
	if !a.concerns(s, name) {
		return values
	}
	values = append(values, workflow.List())
	items := s.Items
	if items == nil {
		items = &ir.Schema{Kind: ir.SchemaAny}
	}
	text, err := sample.Value(items, "an item")
	if err != nil {
		return values
	}
	item, err := workflow.Parse([]byte(text))
	if err != nil {
		return values
	}
	for _, v := range a.variants(items, name, item) {
		values = append(values, workflow.List(v))
	}

	return append(values, a[name]...)
}

// combined returns base with one place varied, then with all.
func combined(base workflow.Value, places []variation) []workflow.Value {
	all := []workflow.Value{base}
	for _, place := range places {
		all = append(all, place.of(base)...)
	}
	mixed := []workflow.Value{base}
	for _, place := range places {
		var next []workflow.Value
		for _, v := range mixed {
			next = append(append(next, v), place.of(v)...)
		}
		if mixed = distinct(next); len(mixed) >= mostValues {
			break
		}
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
	if p.optional && len(p.path) == 1 {
		all = append(all, v.Without(p.path[0]))
	}

	return all
}

// read returns objects with what is read of the output of a step of which no schema says what it is.
func (c *candidates) read(t *ir.Task) []workflow.Value {
	paths := slices.Clone(c.paths[t.Output])
	if t.UpdatesContext {
		paths = append(paths, c.context...)
	}
	places := c.places(t.Output, paths)
	if len(places) == 0 {
		return nil
	}

	return c.deciders.unlike(t, combined(workflow.Object(), places))
}

// places are paths with what may stand there.
func (c *candidates) places(o *ir.Output, paths [][]string) []variation {
	var places []variation
	for _, path := range paths {
		values := append([]workflow.Value{workflow.Bool(true), workflow.Text("text")}, c.asked(o)[path[len(path)-1]]...)
		places = append(places, variation{path: path, values: distinct(values)})
	}

	return places
}
