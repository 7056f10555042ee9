package simulate

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// candidates are the values with which models, people and functions answer: one that fits the schema, and others where an
// expression asks for something. What is asked of the output of a step is asked of that step; what is asked of the context or of
// whatever a state gave is known by the name alone, wherever the value comes from.
type candidates struct {
	of map[*ir.Output]questions // nil: of the context, and of the result of any state
	// paths are what is read of an output, and of the context with nil.
	paths map[*ir.Output][][]string
	// known are the answers of values.
	known map[candidateKey][]workflow.Value
	// everything says that values are tried that no condition distinguishes.
	everything bool
}

// questions are what is asked of a value, and of what is below a name in it; "" is the value itself.
type questions map[string]*question

// question is what conditions ask of a value.
type question struct {
	// values are those with which it is compared.
	values []workflow.Value
	// tests are the conditions that ask nothing else; exact says that something depends on the value in another way.
	tests []test
	exact bool
}

// test is a part of a condition, with the access that reads the value.
type test struct {
	access *ir.Access
	part   ir.Expression
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

func (q questions) at(name string) *question {
	if q[name] == nil {
		q[name] = &question{}
	}

	return q[name]
}

// add takes what is asked elsewhere.
func (q *question) add(other *question) {
	q.values = distinct(slices.Concat(q.values, other.values))
	q.tests = slices.Concat(q.tests, other.tests)
	q.exact = q.exact || other.exact
}

// alike returns the first of values that no condition distinguishes.
func (q *question) alike(values []workflow.Value) []workflow.Value {
	if q.exact {
		return distinct(values)
	}
	seen := map[string]bool{}
	var list []workflow.Value
	for _, v := range values {
		text := ""
		for _, t := range q.tests {
			probe := &workRun{probe: t.access, probed: v}
			text += fmt.Sprint(" ", holds(probe.value(t.part)))
		}
		if !seen[text] {
			seen[text] = true
			list = append(list, v)
		}
	}

	return list
}

// asked returns what is asked of an output.
func (c *candidates) asked(o *ir.Output) questions {
	all := questions{}
	for _, of := range slices.Compact([]*ir.Output{nil, o}) {
		for name, q := range c.of[of] {
			all.at(name).add(q)
			all[name].exact = all[name].exact || c.everything
		}
	}

	return all
}

// values returns outputs of a step that fit a schema, the plainest first. Texts in them are like text; without a schema that is
// the value.
func (c *candidates) values(t *ir.Task, schema *ir.Schema, text string) []workflow.Value {
	key := candidateKey{t, schema, text}
	values, known := c.known[key]
	if !known {
		values = c.asked(t.Output).values(schema, text)
		c.known[key] = values
	}

	return values
}

func (q questions) values(schema *ir.Schema, text string) []workflow.Value {
	if schema == nil {
		values := []workflow.Value{workflow.Text(text)}
		if own := q[""]; own != nil {
			for _, v := range own.values {
				if text, isText := v.AsText(); isText && text != "" {
					values = append(values, v)
				}
			}
			values = own.alike(append(values, somethingElse))
		}
		return distinct(values)
	}
	base, ok := plain(schema, text)
	if !ok {
		return nil
	}

	return distinct(append([]workflow.Value{base}, q.variants(schema, "", base)...))
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

// variants returns values like base, which is called name, that fit a schema and differ in what expressions ask for.
func (q questions) variants(s *ir.Schema, name string, base workflow.Value) []workflow.Value {
	values := []workflow.Value{base}
	asked := q[name]
	switch {
	case s != nil && s.Kind == ir.SchemaObject:
		values = q.objects(s, base)
	case s != nil && s.Kind == ir.SchemaArray:
		values = q.lists(s, name, base)
	case asked != nil:
		values = slices.Concat(values, asked.values, others(s))
	}
	values = slices.DeleteFunc(values, func(v workflow.Value) bool { return !sample.Fits(s, v.JSON()) })
	if asked != nil && (s == nil || s.Kind != ir.SchemaObject && s.Kind != ir.SchemaArray) {
		return asked.alike(values)
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

	return append(values, workflow.Bool(true), workflow.Bool(false), workflow.Text(""), somethingElse, workflow.Int(0), workflow.Int(1), workflow.None)
}

// objects varies the properties that expressions ask for: first each by itself, then all together.
func (q questions) objects(s *ir.Schema, base workflow.Value) []workflow.Value {
	var varied []variation
	for _, p := range s.Properties {
		name := p.Name.Value
		if !q.concerns(p.Schema, name) {
			continue
		}
		value, ok := base.Get(name), base.Has(name)
		if !ok && p.Schema != nil {
			value, ok = plain(p.Schema, "text")
		}
		if ok {
			varied = append(varied, variation{[]string{name}, q.variants(p.Schema, name, value), !p.Required})
		}
	}

	return combined(base, varied)
}

// concerns reports whether an expression asks for a value of the schema that is called name, or for something in it.
func (q questions) concerns(s *ir.Schema, name string) bool {
	if q[name] != nil || s == nil {
		return q[name] != nil
	}
	if s.Kind == ir.SchemaArray {
		return q.concerns(s.Items, name)
	}

	return slices.ContainsFunc(s.Properties, func(p *ir.Property) bool { return q.concerns(p.Schema, p.Name.Value) })
}

// lists are without items, and with one of each kind.
func (q questions) lists(s *ir.Schema, name string, base workflow.Value) []workflow.Value {
	values := []workflow.Value{base}
	if !q.concerns(s, name) {
		return values
	}
	values = append(values, workflow.List())
	items := s.Items
	if items == nil {
		items = &ir.Schema{Kind: ir.SchemaAny}
	}
	if item, ok := plain(items, "an item"); ok {
		for _, v := range q.variants(items, name, item) {
			values = append(values, workflow.List(v))
		}
	}
	if asked := q[name]; asked != nil {
		values = append(values, asked.values...)
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
	if len(paths) == 0 {
		return nil
	}

	return combined(workflow.Object(), places(c.asked(t.Output), paths))
}

// places are paths with what may be there.
func places(q questions, paths [][]string) []variation {
	var list []variation
	for _, path := range paths {
		asked := q.at(path[len(path)-1])
		values := append([]workflow.Value{workflow.Bool(true), workflow.Text("text")}, asked.values...)
		list = append(list, variation{path: path, values: asked.alike(values)})
	}

	return list
}

// contexts returns the contexts with which runs of a workflow begin: an empty one or, where its schema asks for more and one may
// be given, the smallest that fits; then, if one may be given, others with what expressions ask for. There may be none.
func (s *workSearch) contexts(a *ir.Agent, mayBeGiven bool) []workflow.Value {
	schema := a.Node.(*ir.Workflow).Context
	all := []workflow.Value{workflow.Object()}
	q := s.candidates.asked(nil)
	if !mayBeGiven {
	} else if schema == nil {
		all = append(all, combined(workflow.Object(), places(q, s.candidates.paths[nil]))...)
	} else if base, ok := plain(schema, "text"); ok {
		all = slices.Concat(all, []workflow.Value{base}, q.objects(schema, base))
	}
	all = slices.DeleteFunc(distinct(all), func(v workflow.Value) bool { return s.newRun(a).Inherit(v) != nil })
	if len(all) > mostContexts && !s.candidates.everything {
		all = all[:mostContexts]
	}

	return all
}
