package cost

import (
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// A message about JSON that does not fit its schema has at most maxFaults faults. Each is a path
// and a problem: names that an object may have, with unknownFrame around them, or the expected
// value, with expectedFrame around it and at least minExpected. The path has names of the schema,
// or at most maxPath bytes.
const (
	maxFaults, unknownFrame, expectedFrame, minExpected, maxPath = 8, 60, 70, 70, 810
	// JSON is quoted unchanged, except in the last name of a path, of 200 characters, where a byte
	// may become six. No fault quotes more than maxFaultQuote of it.
	pathGrowth, maxFaultQuote = maxFaults * 200 * 5 / 6, 1200
)

// faultsSize returns the size of a message about JSON that does not fit a schema; 0 without one.
func faultsSize(s *ir.Schema, reply Amount) Amount {
	if s == nil {
		return 0
	}

	quotes := min(reply.Times(builtin.EscapedGrowth), reply.Plus(pathGrowth), maxFaults*maxFaultQuote)

	return quotes.Plus(amount.Sum(longestFault(s, nil), min(longestPath(s, nil, reply), maxPath)).Times(maxFaults))
}

// schemaParts returns the schemas directly inside of another.
func schemaParts(s *ir.Schema) []*ir.Property {
	parts := append(s.Properties[:len(s.Properties):len(s.Properties)], s.Variants...)
	for _, inner := range []*ir.Schema{s.Items, s.Additional, s.Target} {
		if inner != nil {
			parts = append(parts, &ir.Property{Schema: inner})
		}
	}

	return parts
}

// longestFault returns the largest size of one fault. known are the schemas around s.
func longestFault(s *ir.Schema, known []*ir.Schema) Amount {
	if slices.Contains(known, s) {
		return 0
	}
	known = append(known, s)
	names, variants := Amount(unknownFrame), Amount(unknownFrame)
	for _, p := range s.Properties {
		names = amount.Sum(names, jsonSize(p.Name.Value), 2)
	}
	for _, v := range s.Variants {
		variants = amount.Sum(variants, jsonSize(v.Name.Value), 2)
	}
	most := max(names, variants, amount.Sum(expectedFrame, max(minExpected, size(s.ExpectedText()))))
	for _, p := range schemaParts(s) {
		most = max(most, longestFault(p.Schema, known))
	}

	return most
}

// longestPath returns the size of the longest path to a value of a schema, or to a missing one.
// known are the schemas around s.
func longestPath(s *ir.Schema, known []*ir.Schema, reply Amount) Amount {
	if slices.Contains(known, s) {
		return maxPath
	}
	known = append(known, s)
	longest := Amount(0)
	for _, p := range schemaParts(s) {
		name := jsonSize(p.Name.Value).Plus(2) // in brackets
		switch p.Schema {
		case s.Items:
			name = size(reply.String()).Plus(2)
		case s.Additional: // the model chooses the name, which faults inside of it repeat
			name = 0
			if len(schemaParts(p.Schema)) > 0 {
				name = maxPath
			}
		}
		longest = max(longest, name.Plus(longestPath(p.Schema, known, reply)))
	}

	return longest
}

// jsonSize returns the size of a text as JSON.
func jsonSize(text string) Amount {
	quoted, _ := json.Marshal(text) // texts are always valid JSON

	return amount.Of(len(quoted))
}
