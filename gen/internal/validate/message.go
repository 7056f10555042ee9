package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// expectation describes the values that a schema accepts.
func expectation(n node) string {
	if text := n.text("x-agentc-expect"); text != "" {
		return text
	}
	types := n.types()
	var words []string
	add := func(word string) {
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	for _, t := range types {
		switch {
		case t == "string":
			add("text")
		case t == "integer":
			add("a whole number")
		case slices.Contains(types, "string") && (t == "number" || t == "boolean"): // any scalar is kept as text
		case t == "number":
			add("a number")
		case t == "boolean":
			add("true or false")
		case t == "array":
			add("a list")
		case t == "object":
			add("a mapping")
		}
	}
	if words == nil {
		return "absent"
	}

	return strings.Join(words, " or ")
}

// describeFound describes a value: the text of a scalar, or the kind.
func describeFound(n *yamldoc.Node) string {
	text, ok := n.Scalar()
	if !ok {
		return n.Kind.String()
	}
	if runes := []rune(text); len(runes) > 40 {
		text = string(runes[:40]) + "…"
	}
	if n.Kind == yamldoc.String {
		return fmt.Sprintf("%q", text)
	}

	return text
}

// describeFieldOwner describes the owner of a list of legal fields.
func (r *reporter) describeFieldOwner(t target) string {
	switch {
	case len(t.tokens) > 0:
		return r.describeOwner(t)
	case r.patternKnown:
		return " of pattern " + r.pattern
	}

	return " of " + formatNames[r.kind].file
}

func pathKey(tokens []string, name string) string {
	return strings.Join(append(slices.Clone(tokens), name), "\x00")
}

// joinNames writes names as a list in a sentence.
func joinNames(names []string) string { return strings.Join(names, ", ") }
