package validate

import (
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// verdict is a keyword that a value does not fit.
type verdict struct {
	keyword string
	schema  *rule
	at      target
	// condition is the `if` beside the schema, whose `then` that is; nil without one.
	condition *rule
}

// judge reports each keyword of a schema, and of what it is made of, that a value does not fit.
func (r *reporter) judge(s, condition *rule, at target) {
	if s == nil {
		return
	}
	v := verdict{keyword: "type", schema: s, at: at, condition: condition}
	if !s.ofType(at.value) {
		r.leaf(v)
		return
	}
	others := false
	for _, check := range s.checks {
		if check.ok(s, at.value) {
			continue
		}
		switch v.keyword = check.name; v.keyword {
		case "properties", "patternProperties", "additionalProperties":
			if !others {
				r.fields(v)
			}
			others = true
		case "items":
			for i := range at.value.Items {
				r.judge(s.Items, nil, at.step(strconv.Itoa(i)))
			}
		case "$ref":
			r.judge(s.target, nil, at)
		case "allOf":
			for _, part := range s.AllOf {
				r.judge(part, nil, at)
			}
		case "anyOf":
			r.oneOf(v, s.AnyOf)
		case "oneOf":
			r.oneOf(v, s.OneOf)
		case "if":
			if s.If.accepts(at.value) {
				r.judge(s.Then, s.If, at)
			} else {
				r.judge(s.Else, nil, at)
			}
		default:
			r.leaf(v)
		}
	}
}

// fields judges the fields of a mapping.
func (r *reporter) fields(v verdict) {
	unknown := false
	for _, f := range v.at.value.Fields {
		for _, part := range v.schema.of(f.Key.Text) {
			if part != nil && part.isFalse {
				unknown = true
			} else {
				r.judge(part, nil, v.at.step(f.Key.Text))
			}
		}
	}
	if v.keyword = "additionalProperties"; unknown {
		r.leaf(v)
	}
}

// oneOf reports the branch that was meant: the one of the value's type, and among several of that type the one that knows
// the most of the value's fields.
func (r *reporter) oneOf(v verdict, branches []*rule) {
	best, bestScore := -1, -1
	for i, branch := range branches {
		if !accepts(branch.types(), v.at.value) {
			continue
		}
		score := 0
		for _, f := range v.at.value.Fields {
			if branch.property(f.Key.Text) != nil {
				score++
			}
		}
		if score > bestScore || score == bestScore && len(branch.Required) > len(branches[best].Required) {
			best, bestScore = i, score
		}
	}
	if best < 0 {
		r.wrongType(v)
		return
	}
	r.judge(branches[best], nil, v.at)
}

// accepts reports whether a value of the node's kind is of one of the JSON types.
func accepts(types []string, n *yamldoc.Node) bool {
	for _, t := range jsonTypes[n.Kind] {
		if slices.Contains(types, t) {
			return true
		}
	}

	return false
}

// jsonTypes are the types of JSON Schema to which a kind belongs.
var jsonTypes = map[yamldoc.Kind][]string{
	yamldoc.Null:   {"null"},
	yamldoc.Bool:   {"boolean"},
	yamldoc.Int:    {"integer", "number"},
	yamldoc.Float:  {"number"},
	yamldoc.String: {"string"},
	yamldoc.Seq:    {"array"},
	yamldoc.Map:    {"object"},
}
