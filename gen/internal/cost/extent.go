package cost

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// extent bounds the size of a value of a workflow.
type extent struct {
	// text is the size as a template renders it, json as JSON. No text in the value is longer than written.
	text, json, written Amount
}

// escaped is by how much a text may grow as JSON: a control character has six bytes there.
const escaped = 6

// Numbers that a model has written are written anew, 1e20 with 21 digits: in a list, 22 bytes for 5. No number is longer than longest.
const digitsAnew, digitsWritten, longest = 22, 5, 26

// sizeOfNull is the size of no value as JSON.
const sizeOfNull = 4

// written is a text of some size.
func written(n Amount) extent { return extent{text: n, json: quotedText(n), written: n} }

// quotedText is the size of a text as JSON.
func quotedText(n Amount) Amount { return n.Times(escaped).Plus(2) }

// asJSON is a value of which only its size as JSON is known.
func asJSON(n Amount) extent { return extent{text: n, json: n, written: n} }

// size returns the extent as the descriptors of builtins take it. A token has a byte or more, and
// counts as one.
func (e extent) size() builtin.Size {
	return builtin.Size{Text: e.text, JSON: e.json, Longest: e.written}
}

// extentOf returns the extent of what a builtin gives.
func extentOf(s builtin.Size) extent {
	return extent{s.Text, s.JSON, s.Longest}
}

// unbounded is a value of which nothing is known.
var unbounded = asJSON(Unbounded)

func (e extent) or(f extent) extent {
	return extent{max(e.text, f.text), max(e.json, f.json), max(e.written, f.written)}
}

// covers reports whether a value is at least as large as another.
func (e extent) covers(f extent) bool { return e.or(f) == e }

// and is a value of which two things are known.
func (e extent) and(f extent) extent {
	return extent{min(e.text, f.text), min(e.json, f.json), min(e.written, f.written)}
}

// fitting is a value that a model has written in some tokens, as JSON that fits a schema; nil for any.
func fitting(s *ir.Schema, tokens Amount) extent {
	e := asJSON(min(anew(s, tokens, 0), fixed(s, 0)))
	e.written = tokens
	s = s.Resolved()
	if s != nil && s.Kind == ir.SchemaString {
		e.text = min(tokens, e.json)
	}

	return e
}

// deepest is how deep the objects of a schema are looked at.
const deepest = 8

// anew is the size of JSON that was written in some tokens, and is written again.
func anew(s *ir.Schema, tokens Amount, depth int) Amount {
	numbers := (tokens.Times(digitsAnew) / digitsWritten).Plus(longest)
	if tokens.Times(digitsAnew) == Unbounded {
		numbers = Unbounded
	}
	most := numbers
	s = s.Resolved()
	switch {
	case depth > deepest || canHoldAnyText(s):
		return quotedText(tokens)
	case s.Kind == ir.SchemaArray:
		return anew(s.Items, tokens, depth+1)
	}
	for _, p := range slices.Concat(s.Variants, s.Properties) {
		most = max(most, anew(p.Schema, tokens, depth+1))
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

// fixed is the size of the largest JSON that fits a schema, however it is written.
func fixed(s *ir.Schema, depth int) Amount {
	s = s.Resolved()
	if s == nil || depth > deepest || s.Additional != nil {
		return Unbounded
	}
	most := Amount(sizeOfNull)
	switch s.Kind {
	case ir.SchemaBoolean, ir.SchemaNumber, ir.SchemaInteger:
		return longest
	case ir.SchemaString:
		if s.Enum == nil && s.MaxLength == nil {
			return Unbounded
		}
		if s.MaxLength != nil {
			most = quotedText(amount.Of(*s.MaxLength))
		}
		for _, value := range s.Enum {
			most = max(most, size(value))
		}
	case ir.SchemaArray:
		if s.MaxItems == nil {
			return Unbounded
		}
		return amount.Of(*s.MaxItems).Times(fixed(s.Items, depth+1).Plus(1)).Plus(2)
	case ir.SchemaObject:
		for _, p := range s.Properties {
			most = amount.Sum(most, quotedText(size(p.Name.Value)), fixed(p.Schema, depth+1), 2)
		}
	case ir.SchemaUnion:
		for _, v := range s.Variants {
			most = max(most, fixed(v.Schema, depth+1))
		}
	default:
		return Unbounded
	}

	return most
}

// kept returns of how many objects there can be something in one into which all are merged: each may have another one of its fields that
// are not required.
func kept(s *ir.Schema, depth int) Amount {
	s = s.Resolved()
	switch {
	case s == nil || depth > deepest || s.Kind == ir.SchemaAny || s.Additional != nil:
		return Unbounded
	case s.Kind == ir.SchemaUnion:
		return amount.Sum(ir.Map(s.Variants, func(v *ir.Property) Amount { return kept(v.Schema, depth+1) })...)
	}
	all := Amount(1)
	for _, p := range s.Properties {
		all = all.Plus(kept(p.Schema, depth+1) - 1)
		if !p.Required {
			all = all.Plus(1)
		}
	}

	return all
}
