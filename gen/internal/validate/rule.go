package validate

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// rule reports whether a schema accepts a value. Nearly all documents are valid, and for them it is
// much faster than the library, which records everything that it examines. It supports the keywords
// of our schemas.
type rule struct {
	Defs                               map[string]*rule `json:"$defs"`
	Ref                                string           `json:"$ref"`
	Type, Enum                         texts
	Const                              any // a text, a number or a boolean
	Pattern                            *regexp.Regexp
	Minimum, Maximum, ExclusiveMinimum *float64
	MinLength, MinItems, MinProperties int
	MaxItems, MaxProperties            *int
	UniqueItems                        bool
	Required                           []string
	Items, Not, If, Then, Else         *rule
	AllOf, AnyOf, OneOf                []*rule
	Properties                         map[string]*rule
	PatternProperties                  patterns
	AdditionalProperties               *rule
	never                              bool // the schema false
}

// texts are the values of a keyword with one or several values.
type texts []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *texts) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return json.Unmarshal(text, (*[]string)(t))
	}
	*t = make(texts, 1)

	return json.Unmarshal(text, &(*t)[0])
}

// patterns are the rules of fields with matching names.
type patterns []patternRule

type patternRule struct {
	name *regexp.Regexp
	rule *rule
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *patterns) UnmarshalJSON(text []byte) error {
	var rules map[string]*rule
	err := json.Unmarshal(text, &rules)
	for name, r := range rules {
		*p = append(*p, patternRule{regexp.MustCompile(name), r})
	}

	return err
}

// UnmarshalJSON implements json.Unmarshaler: true and false are schemas, too.
func (r *rule) UnmarshalJSON(text []byte) error {
	type fields rule
	if text[0] != '{' {
		r.never = string(text) == "false"
		return nil
	}

	return json.Unmarshal(text, (*fields)(r))
}

// accepts reports whether the schema accepts v. whole is the complete schema. A nil rule accepts
// everything.
func (r *rule) accepts(whole *rule, v *yamldoc.Node) bool {
	if r == nil {
		return true
	}
	if r.never || !r.matchesType(v) || !r.matchesScalar(v) {
		return false
	}

	return r.matchesCollection(whole, v) && r.matchesFields(whole, v) && r.matchesParts(whole, v)
}

func (r *rule) matchesType(v *yamldoc.Node) bool {
	isWhole := v.Kind == yamldoc.Float && slices.Contains(r.Type, "integer") && numberOf(v).IsInt() // 1.0 is an integer

	return r.Type == nil || hasType(r.Type, v) || isWhole
}

// numberOf returns the exact value of a number.
func numberOf(v *yamldoc.Node) *big.Rat {
	n, _ := new(big.Rat).SetString(string(v.JSON().(json.Number)))

	return n
}

func (r *rule) matchesScalar(v *yamldoc.Node) bool {
	if r.Const != nil && !isConstant(v, r.Const) {
		return false
	}
	if r.Enum != nil && (v.Kind != yamldoc.String || !slices.Contains(r.Enum, v.Text)) {
		return false
	}
	switch v.Kind {
	case yamldoc.String:
		isLong := r.MinLength == 0 || utf8.RuneCountInString(v.Text) >= r.MinLength
		return isLong && (r.Pattern == nil || r.Pattern.MatchString(v.Text))
	case yamldoc.Int, yamldoc.Float:
		n, _ := numberOf(v).Float64()
		if r.Minimum != nil && n < *r.Minimum || r.Maximum != nil && n > *r.Maximum {
			return false
		}
		return r.ExclusiveMinimum == nil || n > *r.ExclusiveMinimum
	}

	return true
}

func isConstant(v *yamldoc.Node, constant any) bool {
	if n, isNumber := constant.(float64); isNumber {
		return (v.Kind == yamldoc.Int || v.Kind == yamldoc.Float) && numberOf(v).Cmp(new(big.Rat).SetFloat64(n)) == 0
	}

	return (v.Kind == yamldoc.String || v.Kind == yamldoc.Bool) && v.JSON() == constant
}

func (r *rule) matchesCollection(whole *rule, v *yamldoc.Node) bool {
	isWithin := func(n, least int, most *int) bool { return n >= least && (most == nil || n <= *most) }
	switch v.Kind {
	case yamldoc.Seq:
		if !isWithin(len(v.Items), r.MinItems, r.MaxItems) || r.UniqueItems && !areDistinct(v.Items) {
			return false
		}
		return !slices.ContainsFunc(v.Items, func(item *yamldoc.Node) bool { return !r.Items.accepts(whole, item) })
	case yamldoc.Map:
		isMissing := func(name string) bool { return v.Field(name) == nil }
		return isWithin(len(v.Fields), r.MinProperties, r.MaxProperties) && !slices.ContainsFunc(r.Required, isMissing)
	}

	return true
}

// areDistinct reports whether no two items are equal. The numbers 1 and 1.0 are equal.
func areDistinct(items []*yamldoc.Node) bool {
	seen := map[string]bool{}
	for _, item := range items {
		id := sample.CanonicalText(item.JSON())
		if seen[id] {
			return false
		}
		seen[id] = true
	}

	return true
}

// matchesFields checks the fields of a mapping: named ones, those that match a pattern, and others.
func (r *rule) matchesFields(whole *rule, v *yamldoc.Node) bool {
	for _, f := range v.Fields {
		named, known := r.Properties[f.Key.Text]
		if !named.accepts(whole, f.Value) {
			return false
		}
		for _, p := range r.PatternProperties {
			if !p.name.MatchString(f.Key.Text) {
				continue
			}
			known = true
			if !p.rule.accepts(whole, f.Value) {
				return false
			}
		}
		if !known && !r.AdditionalProperties.accepts(whole, f.Value) {
			return false
		}
	}

	return true
}

// matchesParts checks the subschemas of the schema.
func (r *rule) matchesParts(whole *rule, v *yamldoc.Node) bool {
	if r.Ref != "" && !whole.Defs[strings.TrimPrefix(r.Ref, "#/$defs/")].accepts(whole, v) {
		return false
	}
	if r.Not != nil && r.Not.accepts(whole, v) {
		return false
	}
	if countAccepting(r.AllOf, whole, v) < len(r.AllOf) {
		return false
	}
	if r.AnyOf != nil && countAccepting(r.AnyOf, whole, v) == 0 {
		return false
	}
	if r.OneOf != nil && countAccepting(r.OneOf, whole, v) != 1 {
		return false
	}
	switch {
	case r.If == nil:
		return true
	case r.If.accepts(whole, v):
		return r.Then.accepts(whole, v)
	}

	return r.Else.accepts(whole, v)
}

// countAccepting counts the rules that accept v.
func countAccepting(rules []*rule, whole *rule, v *yamldoc.Node) int {
	n := 0
	for _, r := range rules {
		if r.accepts(whole, v) {
			n++
		}
	}

	return n
}
