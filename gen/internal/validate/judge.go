package validate

import (
	"encoding/json"
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// accepts reports whether a value fits the schema. Nearly all do, so that nothing else is looked at in most documents.
func (s *schema) accepts(v *yamldoc.Node) bool {
	if s == nil {
		return true
	}
	fits := !s.never && s.broken(v) == nil && !slices.ContainsFunc(s.also(v), func(also *schema) bool { return !also.accepts(v) })
	if !fits {
		return false
	}
	for _, f := range v.Fields {
		if !s.eachOf(f, func(of *schema) bool { return of.accepts(f.Value) }) {
			return false
		}
	}

	return s.Items == nil || !slices.ContainsFunc(v.Items, func(item *yamldoc.Node) bool { return !s.Items.accepts(item) })
}

// verdict is a keyword of a schema that a value does not fit.
type verdict struct {
	keyword string
	schema  *schema
	at      *target
	// condition is what holds of the value so that the schema counts; nil for one that always does.
	condition *schema
}

// judge reports what keeps a value from fitting a schema.
func (r *reporter) judge(s, condition *schema, at *target) {
	if s.accepts(at.value) {
		return
	}
	for _, keyword := range s.broken(at.value) {
		r.leaf(verdict{keyword, s, at, condition})
		if keyword == "type" {
			return
		}
	}
	for _, f := range at.value.Fields {
		s.eachOf(f, func(of *schema) bool {
			r.judge(of, nil, at.field(f))
			return true
		})
	}
	for i := range at.value.Items {
		r.judge(s.Items, nil, at.item(i))
	}
	for _, also := range s.also(at.value) {
		condition := s.If
		if also != s.Then {
			condition = nil
		}
		r.judge(also, condition, at)
	}
}

// also returns the schemas that a value has to fit too.
func (s *schema) also(v *yamldoc.Node) []*schema {
	all := s.AllOf
	if s.ref != nil {
		all = append(all[:len(all):len(all)], s.ref)
	}
	switch {
	case s.If == nil:
		return all
	case s.If.accepts(v):
		return append(all[:len(all):len(all)], s.Then)
	}

	return append(all[:len(all):len(all)], s.Else)
}

// eachOf calls visit with the schemas of a field, until it returns false: that of its name, those of names that match, or that of all
// others.
func (s *schema) eachOf(f *yamldoc.Field, visit func(*schema) bool) bool {
	named, known := s.Properties[f.Key.Text]
	if known && !visit(named) {
		return false
	}
	for _, p := range s.PatternProperties {
		if !p.name.MatchString(f.Key.Text) {
			continue
		}
		if known = true; !visit(p.of) {
			return false
		}
	}

	return known || s.AdditionalProperties == nil || s.AdditionalProperties.never || visit(s.AdditionalProperties)
}

// broken returns the keywords of the schema that a value does not fit, but for those of its parts.
func (s *schema) broken(v *yamldoc.Node) (keywords []string) {
	if s.Type != nil && !accepts(s.Type, v) && !(v.Kind == yamldoc.Float && slices.Contains(s.Type, "integer") && number(v).IsInt()) {
		return []string{"type"}
	}
	check := func(keyword string, fits bool) {
		if !fits {
			keywords = append(keywords, keyword)
		}
	}
	check("const", s.Const == nil || isConstant(v, s.Const))
	check("enum", s.Enum == nil || v.Kind == yamldoc.String && slices.Contains(s.Enum, v.Text))
	switch v.Kind {
	case yamldoc.String:
		check("minLength", s.MinLength == 0 || utf8.RuneCountInString(v.Text) >= s.MinLength)
		check("pattern", s.Pattern == nil || s.Pattern.MatchString(v.Text))
	case yamldoc.Int, yamldoc.Float:
		if s.Minimum == nil && s.Maximum == nil && s.ExclusiveMinimum == nil {
			break
		}
		n, _ := number(v).Float64()
		check("minimum", s.Minimum == nil || n >= *s.Minimum)
		check("maximum", s.Maximum == nil || n <= *s.Maximum)
		check("exclusiveMinimum", s.ExclusiveMinimum == nil || n > *s.ExclusiveMinimum)
	case yamldoc.Seq:
		check("minItems", len(v.Items) >= s.MinItems)
		check("maxItems", s.MaxItems == nil || len(v.Items) <= *s.MaxItems)
		check("uniqueItems", !s.UniqueItems || distinct(v.Items))
	case yamldoc.Map:
		check("minProperties", len(v.Fields) >= s.MinProperties)
		check("maxProperties", s.MaxProperties == nil || len(v.Fields) <= *s.MaxProperties)
		check("required", !slices.ContainsFunc(s.Required, func(name string) bool { return v.Get(name) == nil }))
		check("additionalProperties", s.AdditionalProperties == nil || !s.AdditionalProperties.never ||
			!slices.ContainsFunc(v.Fields, func(f *yamldoc.Field) bool { return s.Properties[f.Key.Text] == nil && !s.free(f.Key.Text) }))
	}
	check("not", s.Not == nil || !s.Not.accepts(v))
	check("anyOf", s.AnyOf == nil || accepting(s.AnyOf, v) > 0)
	check("oneOf", s.OneOf == nil || accepting(s.OneOf, v) == 1)

	return keywords
}

// accepting counts the schemas that a value fits.
func accepting(all []*schema, v *yamldoc.Node) (n int) {
	for _, s := range all {
		if s.accepts(v) {
			n++
		}
	}

	return n
}

// number is the exact value of a number.
func number(v *yamldoc.Node) *big.Rat {
	n, _ := new(big.Rat).SetString(string(v.JSON().(json.Number)))

	return n
}

func isConstant(v *yamldoc.Node, constant any) bool {
	if n, isNumber := constant.(float64); isNumber {
		return (v.Kind == yamldoc.Int || v.Kind == yamldoc.Float) && number(v).Cmp(new(big.Rat).SetFloat64(n)) == 0
	}

	return v.JSON() == constant
}

// distinct reports whether no two items are equal: 1 and 1.0 are.
func distinct(items []*yamldoc.Node) bool {
	seen := map[string]bool{}
	for _, item := range items {
		id := sample.Identity(item.JSON())
		if seen[id] {
			return false
		}
		seen[id] = true
	}

	return true
}

// branch reports what is wrong with the branch that was meant: the one of the value's type, and among several of that type the one
// that knows the most of the value's fields.
func (r *reporter) branch(v verdict) {
	var best *schema
	bestScore := -1
	branches := append(slices.Clone(v.schema.OneOf), v.schema.AnyOf...)
	for _, branch := range branches {
		if !accepts(branch.types(), v.at.value) || branch.accepts(v.at.value) {
			continue
		}
		score := 0
		for _, f := range v.at.value.Fields {
			if branch.property(f.Key.Text) != nil {
				score++
			}
		}
		if score > bestScore || score == bestScore && len(branch.Required) > len(best.Required) {
			best, bestScore = branch, score
		}
	}
	if best == nil {
		r.wrongType(v)
		return
	}
	r.judge(best, nil, v.at)
}
