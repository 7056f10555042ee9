package cost

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// extent bounds the size of a value in a workflow. A token has at least a byte, and counts as one.
type extent = builtin.Size

// A number of a model is written again, 1e20 with 21 digits: in a list, 22 bytes for 5.
const digitsRewritten, digitsWritten = 22, 5

// unboundedExtent is a value of which nothing is known.
var unboundedExtent = builtin.SizeOfJSON(Unbounded)

// partExtent returns the extent of any part of a value.
func partExtent(whole extent) extent {
	return extent{Text: whole.JSON, JSON: whole.JSON, Longest: whole.Longest}
}

// schemaExtent returns the extent of a value that a model wrote in some tokens as JSON that fits a
// schema; nil for any JSON.
func schemaExtent(s *ir.Schema, tokens Amount) extent {
	e := builtin.SizeOfJSON(min(rewrittenSize(s, tokens, 0), largestJSON(s, 0)))
	e.Longest = tokens
	s = s.Resolved()
	if s != nil && s.Kind == ir.SchemaString {
		e.Text = min(tokens, e.JSON)
	}

	return e
}

// maxDepth bounds the depth of the visited objects of a schema.
const maxDepth = 8

// rewrittenSize returns the size of JSON that was written in some tokens, after it is written
// again.
func rewrittenSize(s *ir.Schema, tokens Amount, depth int) Amount {
	numbers := (tokens.Times(digitsRewritten) / digitsWritten).Plus(builtin.LongestNumber)
	if tokens.Times(digitsRewritten) == Unbounded {
		numbers = Unbounded
	}
	most := numbers
	s = s.Resolved()
	switch {
	case depth > maxDepth || canHoldAnyText(s):
		return builtin.QuotedSize(tokens)
	case s.Kind == ir.SchemaArray:
		return rewrittenSize(s.Items, tokens, depth+1)
	}
	for _, p := range slices.Concat(s.Variants, s.Properties) {
		most = max(most, rewrittenSize(p.Schema, tokens, depth+1))
	}

	return most
}

// canHoldAnyText reports whether a value of a schema can be a text, or an object whose keys are not
// known. A nil schema allows any value.
func canHoldAnyText(s *ir.Schema) bool {
	if s == nil || s.Additional != nil {
		return true
	}

	return s.Kind == ir.SchemaAny || s.Kind == ir.SchemaString
}

// largestJSON returns the size of the largest JSON that fits a schema.
func largestJSON(s *ir.Schema, depth int) Amount {
	s = s.Resolved()
	if s == nil || depth > maxDepth || s.Additional != nil {
		return Unbounded
	}
	most := Amount(builtin.SizeOfNull)
	switch s.Kind {
	case ir.SchemaBoolean, ir.SchemaNumber, ir.SchemaInteger:
		return builtin.LongestNumber
	case ir.SchemaString:
		if s.Enum == nil && s.MaxLength == nil {
			return Unbounded
		}
		if s.MaxLength != nil {
			most = builtin.QuotedSize(amount.Of(*s.MaxLength))
		}
		for _, value := range s.Enum {
			most = max(most, size(value))
		}
	case ir.SchemaArray:
		if s.MaxItems == nil {
			return Unbounded
		}
		return amount.Of(*s.MaxItems).Times(largestJSON(s.Items, depth+1).Plus(1)).Plus(2)
	case ir.SchemaObject:
		for _, p := range s.Properties {
			most = amount.Sum(most, builtin.QuotedSize(size(p.Name.Value)), largestJSON(p.Schema, depth+1), 2)
		}
	case ir.SchemaUnion:
		for _, v := range s.Variants {
			most = max(most, largestJSON(v.Schema, depth+1))
		}
	default:
		return Unbounded
	}

	return most
}

// mergedObjects returns how many objects can leave a part in one object into which all are merged.
// Each may have another optional field.
func mergedObjects(s *ir.Schema, depth int) Amount {
	s = s.Resolved()
	switch {
	case s == nil || depth > maxDepth || s.Kind == ir.SchemaAny || s.Additional != nil:
		return Unbounded
	case s.Kind == ir.SchemaUnion:
		return amount.Sum(ir.Map(s.Variants, func(v *ir.Property) Amount { return mergedObjects(v.Schema, depth+1) })...)
	}
	all := Amount(1)
	for _, p := range s.Properties {
		all = all.Plus(mergedObjects(p.Schema, depth+1) - 1)
		if !p.Required {
			all = all.Plus(1)
		}
	}

	return all
}
