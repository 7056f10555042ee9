package validate

import (
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// explain visits the library's tree of verdicts down to those that name a single keyword.
func (r *reporter) explain(e *jsonschema.ValidationError) {
	v := r.verdict(e)
	switch {
	case v.keyword == "oneOf" || v.keyword == "anyOf":
		r.oneOf(v, e.Causes)
	case len(e.Causes) > 0:
		for _, cause := range e.Causes {
			r.explain(cause)
		}
	default:
		r.leaf(v)
	}
}

// verdict is one judgement of the schema library, in our own terms.
type verdict struct {
	keyword string
	// schema is the subschema that has the keyword, pointer is where it is.
	schema  node
	pointer []string
	at      target
}

func (r *reporter) verdict(e *jsonschema.ValidationError) verdict {
	_, pointer, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	tokens := pointerTokens(pointer)
	v := verdict{at: r.target(pointerTokens(e.InstanceLocation))}
	if len(tokens) > 0 {
		v.keyword, v.pointer = tokens[len(tokens)-1], tokens[:len(tokens)-1]
	}
	v.schema = r.format.root.at(v.pointer)

	return v
}

// oneOf reports the branch that was meant: the one of the value's type, and among several of that type the one that knows
// the most of the value's fields. causes has one entry for each branch.
func (r *reporter) oneOf(v verdict, causes []*jsonschema.ValidationError) {
	branches := v.schema.list(v.keyword)
	best, bestScore := -1, -1
	for i, branch := range branches {
		if i >= len(causes) || !accepts(branch.types(), v.at.value) {
			continue
		}
		score := 0
		for _, f := range v.at.value.Fields {
			if branch.property(f.Key.Text).value != nil {
				score++
			}
		}
		if score > bestScore || score == bestScore && len(branch.strings("required")) > len(branches[best].strings("required")) {
			best, bestScore = i, score
		}
	}
	if best < 0 {
		r.wrongType(v)
		return
	}
	r.explain(causes[best])
}

// accepts reports whether a value of the node's kind is of one of the JSON types.
func accepts(types []string, n *yamldoc.Node) bool {
	return slices.ContainsFunc(n.Kind.JSONTypes(), func(t string) bool { return slices.Contains(types, t) })
}
