package cost

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// reader finds the sizes of values at a point of a workflow.
type reader struct {
	*workCosts
	*runs
}

// datum is a value that is written in the source.
func (r reader) datum(d *ir.Datum) extent {
	if d == nil {
		return extent{}
	}
	switch d.Kind {
	case ir.DatumText:
		return r.parts(d.Text.Parts)
	case ir.DatumValue:
		return r.value(d.Value)
	case ir.DatumJSON:
		return asJSON(size(d.JSON))
	}
	all := Amount(2)
	for _, item := range d.List {
		all = amount.Sum(all, r.datum(item).json, 1)
	}
	for _, f := range d.Fields {
		all = amount.Sum(all, quotedText(size(f.Name.Value)), r.datum(f.Value).json, 2)
	}

	return asJSON(all)
}

// field is the value at a path of the context.
func (r reader) field(path string) extent {
	one, first := r.data.at(path)

	return one.or(first)
}

// plainField returns the path of a placeholder that is nothing but a text of the context, or "".
func plainField(p *ir.Placeholder) string {
	access, isAccess := p.Values[0].(*ir.Access)
	isAlone := isAccess && len(p.Values) == 1 && len(p.Filters) == 0
	if !isAlone || !isContextText(access) {
		return ""
	}

	return pathOf(access)
}

// isContextText reports whether a value is a field of the context that its schema declares as a
// text, without a default.
func isContextText(e *ir.Access) bool {
	isPlain := e.Root == ir.RootContext && e.Default == nil
	schema := e.Type.Schema

	return isPlain && schema != nil && schema.Kind == ir.SchemaString
}

func pathOf(e *ir.Access) string { return strings.Join(e.PathNames(), ".") }

// parts is a text with placeholders.
func (r reader) parts(parts []ir.Part) extent {
	all := extent{json: 2}
	// The texts that are in the context at first are no longer than it: of the fields that steps may not have written one counts.
	first := map[string]extent{}
	for _, part := range parts {
		var e extent
		switch part := part.(type) {
		case *ir.Verbatim:
			e = written(size(part.Text))
		case *ir.Placeholder:
			e = r.value(part)
			if path := plainField(part); path != "" {
				one, _ := r.data.at(path)
				one = one.and(e)
				first[path] = extent{first[path].text + e.text - one.text, first[path].json + e.json - one.json, 0}
				e = one
			}
			e.json = max(e.json, e.text.Times(2)) // what is JSON is quoted once more
		case *ir.IfPart:
			e = r.parts(part.Body)
		case *ir.EachPart:
			list, inside := r.value(part.Items), *r.runs
			inside.item = extent{list.json, list.json, list.written}
			e = reader{r.workCosts, &inside}.parts(part.Body)
			n := list.json.Plus(1)
			e = extent{e.text.Times(n), e.json.Times(n), 0}
		}
		all.text, all.json = all.text.Plus(e.text), all.json.Plus(e.json)
	}
	one := extent{}
	for _, e := range first {
		one = one.or(e)
	}
	all.text, all.json = all.text.Plus(one.text), all.json.Plus(one.json)
	all.written = all.text

	return all
}

// value is an expression's value.
func (r reader) value(e ir.Expression) extent {
	switch e := e.(type) {
	case *ir.Placeholder:
		var one extent
		for _, v := range e.Values {
			one = one.or(r.value(v))
		}
		for _, f := range e.Filters {
			one = filtered(one, f)
		}
		return one
	case *ir.Access:
		return r.access(e)
	case *ir.Literal:
		return literal(e)
	case *ir.Tuple:
		all := Amount(2)
		for _, item := range e.Items {
			all = amount.Sum(all, r.value(item).json, 1)
		}
		return asJSON(all)
	case *ir.Method:
		if method, known := builtin.MethodByName(e.Name); known && method.Bound != nil {
			return extentOf(method.Bound(r.value(e.X).size()))
		}
	}

	return asJSON(longest)
}

// filtered is what a filter makes of a value.
func filtered(e extent, f ir.Filter) extent {
	filter, known := builtin.FilterByName(f.Name)
	if !known {
		return unbounded // it was reported
	}
	arg := extent{}
	if f.Arg != nil {
		arg = literal(f.Arg)
	}

	return extentOf(filter.Bound(e.size(), arg.size()))
}

// literal is a value that an expression has.
func literal(e *ir.Literal) extent {
	if text, isText := e.Value.(string); isText {
		return written(size(text))
	}

	return asJSON(longest)
}

// access is a value that has a name, or a part of it.
func (r reader) access(e *ir.Access) extent {
	path := pathOf(e)
	var one extent
	switch e.Root {
	case ir.RootContext:
		one = asJSON(r.data.whole())
		if path != "" {
			one = r.field(path)
			return r.orElse(e, one.and(fitting(e.Type.Schema, one.written)))
		}
	case ir.RootInput:
		one = r.input
	case ir.RootThis:
		one = r.item
	case ir.RootAnswer:
		one = written(r.options.Input).or(asJSON(quotedText(r.options.Input)))
	case ir.RootStep:
		if e.Output != nil {
			one = r.data.of(outputOf(e.Output.Name.Value))
		}
		if strings.HasPrefix(e.Written, "previous") {
			one = one.or(r.previous)
		}
	default:
		all := amount.Sum(r.data.whole(), r.previous.json, mostError)
		r.data.tree.each(func(index int, output extent) {
			if at := r.data.slots.all[index]; at.kind == slotOutput {
				all = amount.Sum(all, quotedText(size(at.name)), output.json, 2)
			}
		})
		one = asJSON(all)
	}
	if path != "" {
		one = extent{one.json, one.json, one.written}.and(fitting(e.Type.Schema, one.written))
	}

	return r.orElse(e, one)
}

// orElse is a value, or what replaces it where there is none.
func (r reader) orElse(e *ir.Access, one extent) extent {
	if e.Default != nil {
		one = one.or(r.value(e.Default))
	}

	return one.or(asJSON(longest))
}
