package simulate

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// maxValues bounds the answers that are tried at one point, and maxContexts the initial contexts.
const (
	maxValues   = 48
	maxContexts = 24
)

// values returns outputs of a step that fit a schema, the simplest first. Texts in them are like
// text. Without a schema, text is the value.
func (c *candidates) values(t *ir.Task, schema *ir.Schema, text string) []workflow.Value {
	values, known := c.valuesByTask[t]
	if !known {
		values = c.fittingValues(schema, text, "", outputName(t.Output))
		c.valuesByTask[t] = values
	}

	return values
}

// functionResults returns possible results of a function for a step. Without a schema they include
// objects with the fields that are read, and what fits the declared context where the step puts it.
func (c *candidates) functionResults(t *ir.Task, f *ir.Func, context *ir.Schema) []workflow.Value {
	results, known := c.valuesByTask[t]
	if !known {
		results = c.values(t, f.Output, "A result of "+f.Name.Value+".")
		if f.Output == nil {
			results = uniqueValues(slices.Concat(results, c.objectsWithReads(t), c.storableValues(t, context)))
		}
		c.valuesByTask[t] = results
	}

	return results
}

// storableValues returns values of any type that a step can store in a context with a schema; nil for
// an open context.
func (c *candidates) storableValues(t *ir.Task, context *ir.Schema) (values []workflow.Value) {
	if t.SinkTo != nil && !t.SinkTo.IsRouting() {
		field := context.FieldSchema(t.SinkTo.Path)
		if field != nil {
			values = append(values, c.fittingValues(field, "text", outputName(t.Output))...)
		}
	}
	if t.UpdatesContext {
		values = append(values, workflow.Object())
		if context != nil {
			values = append(values, c.objectVariants(context, workflow.Object())...)
		}
	}

	return values
}

// fittingValues returns values that fit a schema, or texts without one. names are the names by
// which conditions read them.
func (c *candidates) fittingValues(schema *ir.Schema, text string, names ...string) []workflow.Value {
	if schema == nil {
		one := 1
		return c.variants(&ir.Schema{Kind: ir.SchemaString, MinLength: &one}, workflow.Text(text), names...)
	}
	base, ok := smallestValue(schema, text)
	if !ok {
		return nil
	}

	return c.variants(schema, base, names...)
}

// smallestValue returns the smallest value that fits a schema.
func smallestValue(schema *ir.Schema, text string) (v workflow.Value, ok bool) {
	json, err := sample.MakeValue(schema, text)

	return parseValue(json), err == nil
}

// unrelatedText is a text with which no condition compares.
var unrelatedText = workflow.Text("Something else.")

// uniqueValues returns the values without duplicates, and at most maxValues of them.
func uniqueValues(values []workflow.Value) []workflow.Value {
	seen := map[string]bool{}
	var list []workflow.Value
	for _, v := range values {
		if text := v.JSON(); !seen[text] && len(list) < maxValues {
			seen[text] = true
			list = append(list, v)
		}
	}

	return list
}

// variants returns values like base that fit a schema. They differ where conditions read them by
// some names, or read their parts.
func (c *candidates) variants(s *ir.Schema, base workflow.Value, names ...string) []workflow.Value {
	values := []workflow.Value{base}
	switch q := c.questionAbout(names...); {
	case s != nil && s.Kind == ir.SchemaObject:
		values = append(values, c.objectVariants(s, base)...)
	case s != nil && s.Kind == ir.SchemaArray:
		values = slices.Concat(values, c.listVariants(s, names...), q.testValues())
	case q.isAsked():
		values = onlyFitting(s, slices.Concat(values, q.testValues(), uncomparedValues(s)))
		values = q.distinguished(append(values, q.newAmong(values, onlyFitting(s, q.numbersBetween(s)))...))
	}

	return uniqueValues(onlyFitting(s, values))
}

// onlyFitting removes the values that do not fit a schema.
func onlyFitting(s *ir.Schema, values []workflow.Value) []workflow.Value {
	return slices.DeleteFunc(values, func(v workflow.Value) bool { return !sample.Fits(s, v.JSON()) })
}

// uncomparedValues returns values of a schema with which no condition compares.
func uncomparedValues(s *ir.Schema) []workflow.Value {
	if s == nil || s.Kind == ir.SchemaAny {
		return nil
	}
	values := ir.Map(s.Enum, parseValue)

	return append(values, workflow.Of(true), workflow.Of(false), workflow.Text(""), unrelatedText, workflow.Int(0), workflow.Int(1), workflow.Value{})
}

// objectVariants varies the properties that expressions read: first each alone, then all together.
func (c *candidates) objectVariants(s *ir.Schema, base workflow.Value) []workflow.Value {
	var varied []variation
	for _, p := range s.Properties {
		name := p.Name.Value
		value, ok := base.Get(name), base.Has(name)
		if !ok && p.Schema != nil {
			value, ok = smallestValue(p.Schema, "text")
		}
		if !ok {
			continue
		}
		if values := c.variants(p.Schema, value, name); len(values) > 1 || c.questionAbout(name).isAsked() {
			varied = append(varied, variation{[]string{name}, values, !p.Required})
		}
	}

	return c.combineVariations(base, varied)
}

// listVariants returns an empty list and one for each kind of item, if conditions read the list or
// its items. It adds a list with two items if a loop runs for each.
func (c *candidates) listVariants(s *ir.Schema, names ...string) []workflow.Value {
	items := cmp.Or(s.Items, &ir.Schema{Kind: ir.SchemaAny})
	var values []workflow.Value
	if item, ok := smallestValue(items, "an item"); ok {
		values = ir.Map(c.variants(items, item, names...), func(v workflow.Value) workflow.Value { return workflow.List(v) })
	}
	q := c.questionAbout(names...)
	if len(values) < 2 && !q.isAsked() {
		return nil
	}
	if q.isIterated && len(values) > 0 {
		values = append(values, workflow.List(values[0].At(0), values[len(values)-1].At(0)))
	}

	return append([]workflow.Value{workflow.List()}, values...)
}

// variation is a path in a value, and the values that may be there.
type variation struct {
	path   []string
	values []workflow.Value
	// isOptional permits the absence of the path.
	isOptional bool
}

// combineVariations returns base with one path varied, then with all. If there are more combinations than are tried, the first ones have all paths.
func (c *candidates) combineVariations(base workflow.Value, places []variation) []workflow.Value {
	all, mixed := []workflow.Value{base}, []workflow.Value{base}
	isCut := false
	for _, place := range places {
		changed := place.apply(base)
		all = append(all, changed...)
		isCut = isCut || len(mixed)*(len(changed)+1) > maxValues
		if len(mixed) < maxValues {
			mixed = uniqueValues(append(mixed, ir.FlatMap(mixed, place.apply)...))
		}
	}
	if isCut {
		c.isSample = true
		all = append(all, varyTogether(base, places)...)
	}

	return uniqueValues(append(all, mixed...))
}

// varyTogether returns values with something at all paths: at each its first value, then its second
// one, and so on.
func varyTogether(base workflow.Value, places []variation) []workflow.Value {
	var all []workflow.Value
	most := 0
	for _, place := range places {
		most = max(most, len(place.values))
	}
	for i := range most {
		together := base
		for _, place := range places {
			changed, err := together.Set(place.path, place.values[i%len(place.values)])
			if err == nil {
				together = changed
			}
		}
		all = append(all, together)
	}

	return all
}

// apply returns v with each of the values at the path.
func (p variation) apply(v workflow.Value) []workflow.Value {
	var all []workflow.Value
	for _, value := range p.values {
		if changed, err := v.Set(p.path, value); err == nil {
			all = append(all, changed)
		}
	}
	if p.isOptional {
		all = append(all, v.Without(p.path[0]))
	}

	return all
}

// objectsWithReads returns objects with the fields that are read of a step's output without a
// schema.
func (c *candidates) objectsWithReads(t *ir.Task) []workflow.Value {
	paths := c.readPaths[t.Output]
	if t.UpdatesContext {
		paths = slices.Concat(paths, c.readPaths[nil])
	}

	return c.objectsWithPaths(paths)[1:]
}

// objectsWithPaths returns an empty object, and others with values at some paths.
func (c *candidates) objectsWithPaths(paths [][]string) []workflow.Value {
	var varied []variation
	for _, path := range paths {
		q := c.questionAbout(path[len(path)-1])
		values := append([]workflow.Value{workflow.Of(true), workflow.Text("text"), workflow.Of(false)}, q.testValues()...)
		values = append(values, q.newAmong(values, q.numbersBetween(nil))...)
		varied = append(varied, variation{path: path, values: q.distinguished(values)})
	}

	return c.combineVariations(workflow.Object(), varied)
}

// initialContexts returns the contexts with which runs of a workflow begin. The first is empty, or
// the smallest that fits a schema with required fields. If the caller may give a context, others
// have what expressions read, and what imports that inherit the context require. It can be empty.
func (s *workSearch) initialContexts(a *ir.Agent, mayBeGiven bool) []workflow.Value {
	all := []workflow.Value{workflow.Object()}
	if mayBeGiven {
		all = append(all, s.givenContexts(a)...)
	}
	all = slices.DeleteFunc(uniqueValues(all), func(v workflow.Value) bool { return s.newRun(a).Inherit(v) != nil })
	if len(all) > maxContexts && !s.candidates.isExhaustive {
		s.candidates.isSample = true
		all = all[:maxContexts]
	}

	return all
}

// givenContexts returns the contexts that a caller may give.
func (s *workSearch) givenContexts(a *ir.Agent) (contexts []workflow.Value) {
	for _, inherited := range inheritedSchemas(a, map[*ir.Agent]bool{}) {
		contexts = append(contexts, s.candidates.fittingValues(inherited, "text")...)
	}
	schema := a.Node.(*ir.Flow).Context
	if schema == nil {
		return append(contexts, s.candidates.objectsWithPaths(s.candidates.readPaths[nil])...)
	}

	return append(contexts, s.candidates.fittingValues(schema, "text")...)
}

// inheritedSchemas returns the schemas with required fields of the workflows that inherit the context
// of a workflow, each of which an initial context has to fit for them. seen are the agents that were
// visited.
func inheritedSchemas(a *ir.Agent, seen map[*ir.Agent]bool) (schemas []*ir.Schema) {
	seen[a] = true
	for _, do := range ir.OpsOf[*ir.Import](a.Body()) {
		if !do.Inherit || do.Agent == nil || do.Agent.Agent == nil || seen[do.Agent.Agent] {
			continue
		}
		if len(do.Agent.Agent.RequiredContext()) > 0 {
			schemas = append(schemas, do.Agent.Agent.Node.(*ir.Flow).Context)
		}
		schemas = append(schemas, inheritedSchemas(do.Agent.Agent, seen)...)
	}

	return schemas
}

// guardValues returns values that may come with a key, so that the guards of some rows distinguish
// them.
func guardValues(rows []*ir.Row) []workflow.Value {
	c := newCandidates()
	c.isTernary = true // after an unknown guard, a row without one is not taken
	for _, row := range rows {
		if row.When != nil && row.When.Formula != nil {
			c.addCondition(row.When.Formula.Root)
		}
	}

	return uniqueValues(slices.Concat([]workflow.Value{workflow.Text("text")}, c.questionAbout("").testValues(), c.objectsWithPaths(c.readPaths[nil])))
}
