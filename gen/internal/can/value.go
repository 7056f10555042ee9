package can

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// openFieldFacts returns the facts of a value that fits a schema.
func openFieldFacts(whole fact, schema *ir.Schema) []fact {
	schema = schema.Resolved()
	switch {
	case isClosed(schema):
		return nil
	case schema == nil || schema.Kind != ir.SchemaObject || schema.Additional != nil || schema.Nullable:
		return []fact{whole}
	}
	open := ir.Where(schema.Properties, func(p *ir.Property) bool { return !isClosed(p.Schema) })

	return ir.Map(open, func(p *ir.Property) fact { return whole.fieldFact(p.Name.Value) })
}

func pathReads(path *ir.ContextPath) []fact {
	read := contextFact
	if path != nil {
		for _, name := range path.Path {
			read = read.fieldFact(name.Value)
		}
	}

	return []fact{read}
}

// datumReads returns the values that a literal of the source reads.
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

// partReads returns the values whose texts may be in the text of a template.
func partReads(parts []ir.Part) []fact {
	return ir.FlatMap(parts, func(part ir.Part) []fact {
		switch part := part.(type) {
		case *ir.Placeholder:
			return expressionReads(part)
		case *ir.IfPart:
			return append(partReads(part.Body), partReads(part.Otherwise)...)
		case *ir.EachPart:
			return append(expressionReads(part.Items), partReads(part.Body)...)
		case *ir.Verbatim:
			return nil
		}
		panic(unsupportedMessage(part))
	})
}

// shownValues returns the values that are complete in the text of a template, whatever they are.
func shownValues(parts []ir.Part) []fact {
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

// expressionReads returns the values whose texts may be in the text of an expression. A comparison
// has none.
func expressionReads(x ir.Expression) []fact {
	if x == nil || isClosed(x.ValueType().Schema) {
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
	case *ir.Literal, *ir.Not, *ir.Logic, *ir.Compare, *ir.Contains, *ir.Arithmetic, *ir.FuncCall:
		return nil
	default:
		panic(unsupportedMessage(x))
	}

	return ir.FlatMap(inner, expressionReads)
}

func accessReads(a *ir.Access) []fact {
	var read fact
	switch a.Root {
	case ir.RootContext:
		read = contextFact
	case ir.RootStep:
		read = outputsFact
		if a.Output != nil {
			read = outputsFact.fieldFact(a.Output.Name.Value)
		}
	case ir.RootSteps:
		read = outputsFact
	case ir.RootInput:
		read = givenFact
	case ir.RootThis:
		read = itemFact
	case ir.RootResult:
		read = previousFact
	case ir.RootNext, ir.RootCurrent:
		return []fact{contextFact.fieldFact(ir.NextState)}
	case ir.RootError:
		read = failureFact
	case ir.RootAnswer:
		return nil // the text of a person is trusted
	case ir.RootEvent, ir.RootStepName, ir.RootStepOK, ir.RootFeedback, ir.RootKey, ir.RootValue, ir.RootData, ir.RootVisits:
		return nil // only guards read it
	case ir.RootIndex, ir.RootIsFirst, ir.RootIsLast, ir.RootAtBound:
		return nil // a number or a boolean of the run
	case ir.RootItemIndex, ir.RootItemFirst, ir.RootItemLast:
		return nil // a number, or true or false
	default:
		panic(unsupportedMessage(a.Root))
	}
	for _, name := range a.Path {
		read = read.fieldFact(name.Name.Value)
	}
	if a.Root == ir.RootStep && strings.HasPrefix(a.Written, string(previousFact.slot)) {
		return []fact{read, previousFact}
	}

	return []fact{read}
}
