package cost

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// reader computes the sizes of values at a point of a workflow.
type reader struct {
	*workCosts
	*runs
}

// datumExtent returns the extent of a literal value.
func (r reader) datumExtent(d *ir.Datum) extent {
	if d == nil {
		return extent{}
	}
	switch d.Kind {
	case ir.DatumText:
		return r.templateExtent(d.Text.Parts)
	case ir.DatumValue:
		return r.expressionExtent(d.Value)
	case ir.DatumJSON:
		return builtin.SizeOfJSON(size(d.JSON))
	}
	all := Amount(2)
	for _, item := range d.List {
		all = amount.Sum(all, r.datumExtent(item).JSON, 1)
	}
	for _, f := range d.Fields {
		all = amount.Sum(all, builtin.QuotedSize(size(f.Name.Value)), r.datumExtent(f.Value).JSON, 2)
	}

	return builtin.SizeOfJSON(all)
}

// fieldExtent returns the extent at a path of the context.
func (r reader) fieldExtent(path string) extent {
	one, first := r.data.extentAt(path)
	if r.data.slots.collects(path) {
		return builtin.SizeOfJSON(one.JSON.Plus(first.JSON))
	}

	return one.Or(first)
}

// plainField returns the path of a placeholder that is just a text of the context, or "".
func plainField(p *ir.Placeholder) string {
	access, isAccess := p.Values[0].(*ir.Access)
	isAlone := isAccess && len(p.Values) == 1 && len(p.Filters) == 0
	if !isAlone || !isContextText(access) {
		return ""
	}

	return pathText(access)
}

// isContextText reports whether a value is a field of the context that the schema declares as a
// text, without a default.
func isContextText(e *ir.Access) bool {
	isPlain := e.Root == ir.RootContext && e.Default == nil
	schema := e.Type.Schema

	return isPlain && schema != nil && schema.Kind == ir.SchemaString
}

func pathText(e *ir.Access) string { return strings.Join(e.PathNames(), ".") }

// templateExtent returns the extent of a text with placeholders.
func (r reader) templateExtent(parts []ir.Part) extent {
	all := extent{JSON: 2}
	// Texts of the initial context are not longer than it. Of the fields that steps may not have
	// written, one counts.
	first := map[string]extent{}
	for _, part := range parts {
		var e extent
		switch part := part.(type) {
		case *ir.Verbatim:
			e = builtin.SizeOfText(size(part.Text))
		case *ir.Placeholder:
			e = r.expressionExtent(part)
			if path := plainField(part); path != "" {
				one, _ := r.data.extentAt(path)
				one = one.Tighten(e)
				first[path] = extent{Text: first[path].Text + e.Text - one.Text, JSON: first[path].JSON + e.JSON - one.JSON}
				e = one
			}
			e.JSON = max(e.JSON, e.Text.Times(2)) // JSON is quoted again
		case *ir.IfPart:
			e = r.templateExtent(part.Body).Or(r.templateExtent(part.Otherwise))
		case *ir.EachPart:
			list, inside := r.expressionExtent(part.Items), *r.runs
			inside.item = partExtent(list)
			e = reader{r.workCosts, &inside}.templateExtent(part.Body)
			n := list.JSON.Plus(1)
			e = extent{Text: e.Text.Times(n), JSON: e.JSON.Times(n)}
		}
		all.Text, all.JSON = all.Text.Plus(e.Text), all.JSON.Plus(e.JSON)
	}
	one := extent{}
	for _, e := range first {
		one = one.Or(e)
	}
	all.Text, all.JSON = all.Text.Plus(one.Text), all.JSON.Plus(one.JSON)
	all.Longest = all.Text

	return all
}

// expressionExtent returns the extent of an expression.
func (r reader) expressionExtent(e ir.Expression) extent {
	switch e := e.(type) {
	case *ir.Placeholder:
		var one extent
		for _, v := range e.Values {
			one = one.Or(r.expressionExtent(v))
		}
		for _, f := range e.Filters {
			one = filterExtent(one, f)
		}
		return one
	case *ir.Access:
		return r.accessExtent(e)
	case *ir.Literal:
		return literalExtent(e)
	case *ir.Tuple:
		all := Amount(2)
		for _, item := range e.Items {
			all = amount.Sum(all, r.expressionExtent(item).JSON, 1)
		}
		return builtin.SizeOfJSON(all)
	case *ir.Method:
		if method, known := builtin.MethodByName(e.Name); known && method.Bound != nil {
			return method.Bound(r.expressionExtent(e.X))
		}
	}

	return builtin.SizeOfJSON(builtin.LongestNumber)
}

// filterExtent returns the extent of a filter's result.
func filterExtent(e extent, f ir.Filter) extent {
	filter, known := builtin.FilterByName(f.Name)
	if !known {
		return unboundedExtent // a reported problem
	}

	return filter.Bound(e, ir.Map(f.Args, literalExtent))
}

// literalExtent returns the extent of a literal.
func literalExtent(e *ir.Literal) extent {
	if text, isText := e.Value.(string); isText {
		return builtin.SizeOfText(size(text))
	}

	return builtin.SizeOfJSON(builtin.LongestNumber)
}

// accessExtent returns the extent of a named value, or of a part of it.
func (r reader) accessExtent(e *ir.Access) extent {
	path := pathText(e)
	var one extent
	switch e.Root {
	case ir.RootContext:
		one = builtin.SizeOfJSON(r.data.wholeSize())
		if path != "" {
			one = r.fieldExtent(path)
			return r.withDefault(e, one.Tighten(schemaExtent(e.Type.Schema, one.Longest)))
		}
	case ir.RootInput:
		one = r.input
	case ir.RootThis:
		one = r.item
	case ir.RootAnswer:
		one = builtin.SizeOfText(r.options.Input).Or(builtin.SizeOfJSON(builtin.QuotedSize(r.options.Input)))
	case ir.RootIndex, ir.RootIsFirst, ir.RootIsLast, ir.RootAtBound, ir.RootItemIndex, ir.RootItemFirst, ir.RootItemLast:
		return builtin.SizeOfJSON(builtin.LongestNumber)
	case ir.RootStep:
		if e.Output != nil {
			one = r.data.slotExtent(outputSlot(e.Output.Name.Value))
		}
		if strings.HasPrefix(e.Written, "previous") {
			one = one.Or(r.previous)
		}
	default:
		all := amount.Sum(r.data.wholeSize(), r.previous.JSON, maxError)
		r.data.tree.visit(func(index int, output extent) {
			if at := r.data.slots.all[index]; at.kind == slotOutput {
				all = amount.Sum(all, builtin.QuotedSize(size(at.name)), output.JSON, 2)
			}
		})
		one = builtin.SizeOfJSON(all)
	}
	if path != "" {
		one = partExtent(one)
		if variable, isVariable := r.variableExtent(e); isVariable {
			one = one.Tighten(variable)
		}
		one = one.Tighten(schemaExtent(e.Type.Schema, one.Longest))
	}

	return r.withDefault(e, one)
}

// variableExtent returns the extent of a variable of a loop, or of a part of it.
func (r reader) variableExtent(e *ir.Access) (extent, bool) {
	names := e.PathNames()
	if e.Root != ir.RootStep || e.Output == nil || len(names) == 0 {
		return extent{}, false
	}
	at := variableSlot(e.Output.Name.Value, names[0])
	if _, isKnown := r.data.slots.index[at]; !isKnown {
		return extent{}, false
	}
	one := r.data.slotExtent(at)
	if len(names) > 1 {
		one = partExtent(one)
	}

	return one, true
}

// withDefault returns the extent of a value, or of its default.
func (r reader) withDefault(e *ir.Access, one extent) extent {
	if e.Default != nil {
		one = one.Or(r.expressionExtent(e.Default))
	}

	return one.Or(builtin.SizeOfJSON(builtin.LongestNumber))
}
