package validate

import (
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// explain visits the tree of verdicts of the library down to those with a single keyword.
func (r *reporter) explain(e *jsonschema.ValidationError) {
	v := r.newVerdict(e)
	switch {
	case v.keyword == "oneOf" || v.keyword == "anyOf":
		r.explainBranches(v, e.Causes)
	case len(e.Causes) > 0:
		for _, cause := range e.Causes {
			r.explain(cause)
		}
	default:
		r.explainKeyword(v)
	}
}

// verdict is a violation that the schema library found.
type verdict struct {
	keyword string
	// schema is the subschema with the keyword, and pointer its location.
	schema  node
	pointer []string
	at      target
}

func (r *reporter) newVerdict(e *jsonschema.ValidationError) verdict {
	_, pointer, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	tokens := pointerTokens(pointer)
	v := verdict{at: r.resolveTarget(pointerTokens(e.InstanceLocation))}
	if len(tokens) > 0 {
		v.keyword, v.pointer = tokens[len(tokens)-1], tokens[:len(tokens)-1]
	}
	v.schema = r.format.root.follow(v.pointer)

	return v
}

// explainBranches explains the intended branch: the one with the value's type, and of several the
// one with the most of the value's fields. causes has an entry for each branch.
func (r *reporter) explainBranches(v verdict, causes []*jsonschema.ValidationError) {
	branches := v.schema.subschemas(v.keyword)
	best, bestScore := -1, -1
	for i, branch := range branches {
		if i >= len(causes) || !hasType(branch.types(), v.at.value) {
			continue
		}
		score := 0
		for _, f := range v.at.value.Fields {
			if branch.property(f.Key.Text).value != nil {
				score++
			}
		}
		hasMoreRequired := func() bool {
			return len(branch.strings("required")) > len(branches[best].strings("required"))
		}
		if score > bestScore || score == bestScore && hasMoreRequired() {
			best, bestScore = i, score
		}
	}
	if best < 0 {
		r.reportWrongType(v)
		return
	}
	r.explain(causes[best])
}

// hasType reports whether a value of the node's kind is of one of the JSON types.
func hasType(types []string, n *yamldoc.Node) bool {
	return slices.ContainsFunc(n.Kind.JSONTypes(), func(t string) bool { return slices.Contains(types, t) })
}
