package can

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// fieldsOf are the facts of a value that fits a schema.
func fieldsOf(whole fact, schema *ir.Schema) []fact {
	schema = schema.Resolved()
	switch {
	case closed(schema):
		return nil
	case schema == nil || schema.Kind != ir.SchemaObject || schema.Additional != nil || schema.Nullable:
		return []fact{whole}
	}
	open := ir.Where(schema.Properties, func(p *ir.Property) bool { return !closed(p.Schema) })

	return ir.Map(open, func(p *ir.Property) fact { return whole.member(p.Name.Value) })
}

func pathReads(path *ir.ContextPath) []fact {
	read := context
	if path != nil {
		for _, name := range path.Path {
			read = read.member(name.Value)
		}
	}

	return []fact{read}
}

// datumReads are the values that are read in a value that is written in the source.
func datumReads(d *ir.Datum) []fact {
	if d == nil {
		return nil
	}
	var text []fact
	if d.Text != nil {
		text = partReads(d.Text.Parts)
	}

	return slices.Concat(text, expressionReads(d.Value), ir.FlatMap(d.List, datumReads), ir.FlatMap(d.Fields, fieldReads))
}

func fieldReads(f ir.DatumField) []fact { return datumReads(f.Value) }

// partReads are the values whose texts may be in that of a template.
func partReads(parts []ir.Part) []fact {
	return ir.FlatMap(parts, func(part ir.Part) []fact {
		switch part := part.(type) {
		case *ir.Placeholder:
			return expressionReads(part)
		case *ir.IfPart:
			return partReads(part.Body)
		case *ir.EachPart:
			return append(expressionReads(part.Items), partReads(part.Body)...)
		case *ir.Verbatim:
			return nil
		}
		panic(notFollowed(part))
	})
}

// shown are the values that are whole in the text of a template, whatever they are.
func shown(parts []ir.Part) []fact {
	var all []fact
	for _, part := range parts {
		if p, isPlaceholder := part.(*ir.Placeholder); isPlaceholder && len(p.Filters) == 0 && len(p.Values) > 0 {
			if access, isAccess := p.Values[0].(*ir.Access); isAccess {
				all = append(all, accessReads(access)...)
			}
		}
	}

	return all
}

// expressionReads are the values whose texts may be in that of an expression. A comparison has none.
func expressionReads(x ir.Expression) []fact {
	if x == nil || closed(x.ValueType().Schema) {
		return nil
	}
	var inner []ir.Expression
	switch x := x.(type) {
	case *ir.Access:
		return append(accessReads(x), expressionReads(x.Default)...)
	case *ir.Placeholder:
		inner = x.Values
	case *ir.Tuple:
		inner = x.Items
	case *ir.Method:
		inner = []ir.Expression{x.X, x.Arg}
	case *ir.Literal, *ir.Not, *ir.Logic, *ir.Compare, *ir.Contains:
		return nil
	default:
		panic(notFollowed(x))
	}

	return ir.FlatMap(inner, expressionReads)
}

func accessReads(a *ir.Access) []fact {
	var read fact
	switch a.Root {
	case ir.RootContext:
		read = context
	case ir.RootStep:
		read = outputs
		if a.Output != nil {
			read = outputs.member(a.Output.Name.Value)
		}
	case ir.RootSteps:
		read = outputs
	case ir.RootInput:
		read = given
	case ir.RootThis:
		read = item
	case ir.RootResult:
		read = previous
	case ir.RootNext, ir.RootCurrent:
		return []fact{context.member(ir.NextState)}
	case ir.RootAnswer:
		return nil // what a person writes is trusted
	case ir.RootEvent, ir.RootStepName, ir.RootStepOK, ir.RootFeedback, ir.RootKey, ir.RootValue, ir.RootData, ir.RootVisits:
		return nil // only guards read it
	default:
		panic(notFollowed(a.Root))
	}
	for _, name := range a.Path {
		read = read.member(name.Name.Value)
	}
	if a.Root == ir.RootStep && strings.HasPrefix(a.Written, string(previous.slot)) {
		return []fact{read, previous}
	}

	return []fact{read}
}
