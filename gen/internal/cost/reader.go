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
		return jsonExtent(size(d.JSON))
	}
	all := Amount(2)
	for _, item := range d.List {
		all = amount.Sum(all, r.datumExtent(item).json, 1)
	}
	for _, f := range d.Fields {
		all = amount.Sum(all, quotedSize(size(f.Name.Value)), r.datumExtent(f.Value).json, 2)
	}

	return jsonExtent(all)
}

// fieldExtent returns the extent at a path of the context.
func (r reader) fieldExtent(path string) extent {
	one, first := r.data.extentAt(path)

	return one.union(first)
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
	all := extent{json: 2}
	// Texts of the initial context are not longer than it. Of the fields that steps may not have
	// written, one counts.
	first := map[string]extent{}
	for _, part := range parts {
		var e extent
		switch part := part.(type) {
		case *ir.Verbatim:
			e = textExtent(size(part.Text))
		case *ir.Placeholder:
			e = r.expressionExtent(part)
			if path := plainField(part); path != "" {
				one, _ := r.data.extentAt(path)
				one = one.tighten(e)
				first[path] = extent{first[path].text + e.text - one.text, first[path].json + e.json - one.json, 0}
				e = one
			}
			e.json = max(e.json, e.text.Times(2)) // JSON is quoted again
		case *ir.IfPart:
			e = r.templateExtent(part.Body)
		case *ir.EachPart:
			list, inside := r.expressionExtent(part.Items), *r.runs
			inside.item = extent{list.json, list.json, list.written}
			e = reader{r.workCosts, &inside}.templateExtent(part.Body)
			n := list.json.Plus(1)
			e = extent{e.text.Times(n), e.json.Times(n), 0}
		}
		all.text, all.json = all.text.Plus(e.text), all.json.Plus(e.json)
	}
	one := extent{}
	for _, e := range first {
		one = one.union(e)
	}
	all.text, all.json = all.text.Plus(one.text), all.json.Plus(one.json)
	all.written = all.text

	return all
}

// expressionExtent returns the extent of an expression.
func (r reader) expressionExtent(e ir.Expression) extent {
	switch e := e.(type) {
	case *ir.Placeholder:
		var one extent
		for _, v := range e.Values {
			one = one.union(r.expressionExtent(v))
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
			all = amount.Sum(all, r.expressionExtent(item).json, 1)
		}
		return jsonExtent(all)
	case *ir.Method:
		if method, known := builtin.MethodByName(e.Name); known && method.Bound != nil {
			return fromBuiltinSize(method.Bound(r.expressionExtent(e.X).builtinSize()))
		}
	}

	return jsonExtent(longestNumber)
}

// filterExtent returns the extent of a filter's result.
func filterExtent(e extent, f ir.Filter) extent {
	filter, known := builtin.FilterByName(f.Name)
	if !known {
		return unboundedExtent // a reported problem
	}
	arg := extent{}
	if f.Arg != nil {
		arg = literalExtent(f.Arg)
	}

	return fromBuiltinSize(filter.Bound(e.builtinSize(), arg.builtinSize()))
}

// literalExtent returns the extent of a literal.
func literalExtent(e *ir.Literal) extent {
	if text, isText := e.Value.(string); isText {
		return textExtent(size(text))
	}

	return jsonExtent(longestNumber)
}

// accessExtent returns the extent of a named value, or of a part of it.
func (r reader) accessExtent(e *ir.Access) extent {
	path := pathText(e)
	var one extent
	switch e.Root {
	case ir.RootContext:
		one = jsonExtent(r.data.wholeSize())
		if path != "" {
			one = r.fieldExtent(path)
			return r.withDefault(e, one.tighten(schemaExtent(e.Type.Schema, one.written)))
		}
	case ir.RootInput:
		one = r.input
	case ir.RootThis:
		one = r.item
	case ir.RootAnswer:
		one = textExtent(r.options.Input).union(jsonExtent(quotedSize(r.options.Input)))
	case ir.RootStep:
		if e.Output != nil {
			one = r.data.slotExtent(outputSlot(e.Output.Name.Value))
		}
		if strings.HasPrefix(e.Written, "previous") {
			one = one.union(r.previous)
		}
	default:
		all := amount.Sum(r.data.wholeSize(), r.previous.json, maxError)
		r.data.tree.visit(func(index int, output extent) {
			if at := r.data.slots.all[index]; at.kind == slotOutput {
				all = amount.Sum(all, quotedSize(size(at.name)), output.json, 2)
			}
		})
		one = jsonExtent(all)
	}
	if path != "" {
		one = extent{one.json, one.json, one.written}.tighten(schemaExtent(e.Type.Schema, one.written))
	}

	return r.withDefault(e, one)
}

// withDefault returns the extent of a value, or of its default.
func (r reader) withDefault(e *ir.Access, one extent) extent {
	if e.Default != nil {
		one = one.union(r.expressionExtent(e.Default))
	}

	return one.union(jsonExtent(longestNumber))
}
