package ir

// Reads returns what an expression reads, each once by how it is written, in source order: accesses, and placeholders where a path
// has two meanings. A refused guard is reported with these values.
func Reads(x Expression) []Expression {
	var reads []Expression
	known := map[string]bool{"": true}
	WalkExpression(x, func(x Expression) {
		if written := Written(x); !known[written] {
			known[written] = true
			reads = append(reads, x)
		}
	})

	return reads
}

// Written is what an expression of [Reads] is called in the source.
func Written(x Expression) string {
	switch x := x.(type) {
	case *Access:
		return x.Written
	case *Placeholder:
		for _, value := range x.Values {
			if text := Written(value); text != "" {
				return text
			}
		}
	}

	return ""
}
