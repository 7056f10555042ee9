package cost

import (
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// A message about JSON that does not fit its schema has mostFaults faults. Each is a path and what is wrong there: names that an object may
// have, with unknownFrame around them, or what is expected of a value, with expectedFrame around it and at least anyExpected. The path is
// of schemas' names, or where they name nothing of at most mostPath bytes.
const (
	mostFaults, unknownFrame, expectedFrame, anyExpected, mostPath = 8, 60, 70, 70, 810
	// What is quoted of the JSON is quoted as it is, but in the last name of a path, of 200 characters, a byte may become six of them. No
	// fault quotes more than quotedFault of it.
	pathGrowth, quotedFault = mostFaults * 200 * 5 / 6, 1200
)

// faults is what a message says of JSON that does not fit a schema; nothing without one.
func faults(s *ir.Schema, reply Amount) Amount {
	if s == nil {
		return 0
	}

	quotes := min(reply.Times(escaped), reply.Plus(pathGrowth), mostFaults*quotedFault)

	return quotes.Plus(amount.Sum(mostSaid(s, nil), min(longestPath(s, nil, reply), mostPath)).Times(mostFaults))
}

// schemaParts are the schemas directly inside of another.
func schemaParts(s *ir.Schema) []*ir.Property {
	parts := append(s.Properties[:len(s.Properties):len(s.Properties)], s.Variants...)
	for _, inner := range []*ir.Schema{s.Items, s.Additional, s.Target} {
		if inner != nil {
			parts = append(parts, &ir.Property{Schema: inner})
		}
	}

	return parts
}

// mostSaid is the most that one fault says of a schema. The schemas around it are known.
func mostSaid(s *ir.Schema, known []*ir.Schema) Amount {
	if slices.Contains(known, s) {
		return 0
	}
	known = append(known, s)
	names, variants := Amount(unknownFrame), Amount(unknownFrame)
	for _, p := range s.Properties {
		names = amount.Sum(names, encoded(p.Name.Value), 2)
	}
	for _, v := range s.Variants {
		variants = amount.Sum(variants, encoded(v.Name.Value), 2)
	}
	most := max(names, variants, amount.Sum(expectedFrame, max(anyExpected, size(s.ExpectedText()))))
	for _, p := range schemaParts(s) {
		most = max(most, mostSaid(p.Schema, known))
	}

	return most
}

// longestPath is the longest path to a value that fits a schema, or to one that is missing there; the schemas around it are known.
func longestPath(s *ir.Schema, known []*ir.Schema, reply Amount) Amount {
	if slices.Contains(known, s) {
		return mostPath
	}
	known = append(known, s)
	longest := Amount(0)
	for _, p := range schemaParts(s) {
		name := encoded(p.Name.Value).Plus(2) // in brackets
		switch p.Schema {
		case s.Items:
			name = size(reply.String()).Plus(2)
		case s.Additional: // what is wrong inside of it repeats its name, which the model chooses
			name = 0
			if len(schemaParts(p.Schema)) > 0 {
				name = mostPath
			}
		}
		longest = max(longest, name.Plus(longestPath(p.Schema, known, reply)))
	}

	return longest
}

// encoded is the size of a text as JSON.
func encoded(text string) Amount {
	quoted, _ := json.Marshal(text) // texts are always JSON

	return amount.Of(len(quoted))
}
