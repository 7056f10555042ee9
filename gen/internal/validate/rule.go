package validate

import (
	"cmp"
	"encoding/json"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// rule is a schema. It knows the keywords that our schemas have; tests hold it against a library that knows all.
type rule struct {
	Defs                               map[string]*rule `json:"$defs"`
	Ref                                string           `json:"$ref"`
	Type, Enum, Required               texts
	Const                              any // a text or a number
	Pattern                            *regexp.Regexp
	Minimum, Maximum, ExclusiveMinimum float64
	MinLength, MinItems, MinProperties int
	MaxItems, MaxProperties            int
	UniqueItems                        bool
	Items, Not, If, Then, Else         *rule
	AllOf, AnyOf, OneOf                []*rule
	Properties, PatternProperties      map[string]*rule
	AdditionalProperties               *rule
	words
	Patterns  texts             `json:"x-agentc-patterns"`
	Kinds     texts             `json:"x-agentc-kinds"`
	Later     texts             `json:"x-agentc-later"`
	Called    texts             `json:"x-agentc-called"`
	Needs     map[string]string `json:"x-agentc-needs"`
	InsteadOf instead           `json:"x-agentc-unsupported"`

	// checks are those of the keywords that the schema has.
	checks []keyword
	// target is what Ref refers to, named the patterns of names with their rules.
	target *rule
	named  []pattern
	// isBool says that the schema is true or, with isFalse, false.
	isBool, isFalse bool
}

// words are what messages say. A schema with $ref has those of its target that it does not have itself.
type words struct {
	Expect string `json:"x-agentc-expect"`
	Noun   string `json:"x-agentc-noun"`
	Unused string `json:"x-agentc-unused"`
	Wrong  string `json:"x-agentc-not"`
	Count  string `json:"x-agentc-count"`
}

// instead is what to use instead of what the format documents and this language leaves out: of the field, under "", or of some values.
type instead map[string]string

// pattern is the rule of fields whose names match.
type pattern struct {
	name *regexp.Regexp
	rule *rule
}

// texts are the values of a keyword that may have one or several.
type texts []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *texts) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return json.Unmarshal(text, (*[]string)(t))
	}
	*t = make(texts, 1)

	return json.Unmarshal(text, &(*t)[0])
}

// UnmarshalJSON implements json.Unmarshaler.
func (i *instead) UnmarshalJSON(text []byte) error {
	if text[0] == '{' {
		return json.Unmarshal(text, (*map[string]string)(i))
	}
	var whole string
	err := json.Unmarshal(text, &whole)
	*i = instead{"": whole}

	return err
}

// UnmarshalJSON implements json.Unmarshaler: true and false are schemas, too.
func (r *rule) UnmarshalJSON(text []byte) error {
	type fields rule
	if text[0] != '{' {
		r.isBool, r.isFalse = true, string(text) == "false"
		return nil
	}
	var has map[string]json.RawMessage
	if err := cmp.Or(json.Unmarshal(text, &has), json.Unmarshal(text, (*fields)(r))); err != nil {
		return err
	}
	for _, check := range keywords {
		if _, ok := has[check.name]; ok {
			r.checks = append(r.checks, check)
		}
	}
	for name, rule := range r.PatternProperties {
		r.named = append(r.named, pattern{regexp.MustCompile(name), rule})
	}

	return nil
}

// link finds the targets of all references. whole is the schema from its top.
func (r *rule) link(whole *rule) {
	if r == nil {
		return
	}
	if r.Ref != "" {
		r.target = whole.Defs[strings.TrimPrefix(r.Ref, "#/$defs/")]
		of := r.target.words
		r.words = words{
			cmp.Or(r.Expect, of.Expect), cmp.Or(r.Noun, of.Noun), cmp.Or(r.Unused, of.Unused), cmp.Or(r.Wrong, of.Wrong), cmp.Or(r.Count, of.Count),
		}
		if r.InsteadOf == nil {
			r.InsteadOf = r.target.InsteadOf
		}
	}
	parts := slices.Concat([]*rule{r.Items, r.Not, r.If, r.Then, r.Else, r.AdditionalProperties}, r.AllOf, r.AnyOf, r.OneOf)
	for _, of := range []map[string]*rule{r.Properties, r.PatternProperties, r.Defs} {
		parts = slices.AppendSeq(parts, maps.Values(of))
	}
	for _, part := range parts {
		part.link(whole)
	}
}

// keyword is a keyword of schemas, and what it asks of a value.
type keyword struct {
	name string
	ok   func(*rule, *yamldoc.Node) bool
}

// keywords are all that our schemas have, but for the type.
var keywords []keyword

func init() { // in a function, since rules accept parts of values by rules
	count := func(of func(*yamldoc.Node) (n int, counts bool), fits func(r *rule, n int) bool) func(*rule, *yamldoc.Node) bool {
		return func(r *rule, v *yamldoc.Node) bool {
			n, counts := of(v)
			return !counts || fits(r, n)
		}
	}
	fields := func(v *yamldoc.Node) (int, bool) { return len(v.Fields), v.Kind == yamldoc.Map }
	items := func(v *yamldoc.Node) (int, bool) { return len(v.Items), v.Kind == yamldoc.Seq }
	runes := func(v *yamldoc.Node) (int, bool) { return utf8.RuneCountInString(v.Text), v.Kind == yamldoc.String }
	keywords = []keyword{
		{"const", func(r *rule, v *yamldoc.Node) bool { return isConstant(v, r.Const) }},
		{"enum", func(r *rule, v *yamldoc.Node) bool {
			return v.Kind == yamldoc.String && slices.Contains(r.Enum, v.Text)
		}},
		{"minLength", count(runes, func(r *rule, n int) bool { return n >= r.MinLength })},
		{"pattern", func(r *rule, v *yamldoc.Node) bool { return v.Kind != yamldoc.String || r.Pattern.MatchString(v.Text) }},
		{"minimum", func(r *rule, v *yamldoc.Node) bool { return !isNumber(v) || float(v) >= r.Minimum }},
		{"maximum", func(r *rule, v *yamldoc.Node) bool { return !isNumber(v) || float(v) <= r.Maximum }},
		{"exclusiveMinimum", func(r *rule, v *yamldoc.Node) bool { return !isNumber(v) || float(v) > r.ExclusiveMinimum }},
		{"minItems", count(items, func(r *rule, n int) bool { return n >= r.MinItems })},
		{"maxItems", count(items, func(r *rule, n int) bool { return n <= r.MaxItems })},
		{"uniqueItems", func(_ *rule, v *yamldoc.Node) bool { return v.Kind != yamldoc.Seq || distinct(v.Items) }},
		{"items", func(r *rule, v *yamldoc.Node) bool { return !slices.ContainsFunc(v.Items, r.Items.refuses) }},
		{"minProperties", count(fields, func(r *rule, n int) bool { return n >= r.MinProperties })},
		{"maxProperties", count(fields, func(r *rule, n int) bool { return n <= r.MaxProperties })},
		{"required", func(r *rule, v *yamldoc.Node) bool { return v.Kind != yamldoc.Map || r.lacking(v) == nil }},
		{"properties", (*rule).acceptsFields},
		{"patternProperties", (*rule).acceptsFields},
		{"additionalProperties", (*rule).acceptsFields},
		{"$ref", func(r *rule, v *yamldoc.Node) bool { return r.target.accepts(v) }},
		{"not", func(r *rule, v *yamldoc.Node) bool { return r.Not.refuses(v) }},
		{"allOf", func(r *rule, v *yamldoc.Node) bool { return accepting(r.AllOf, v) == len(r.AllOf) }},
		{"anyOf", func(r *rule, v *yamldoc.Node) bool { return accepting(r.AnyOf, v) > 0 }},
		{"oneOf", func(r *rule, v *yamldoc.Node) bool { return accepting(r.OneOf, v) == 1 }},
		{"if", func(r *rule, v *yamldoc.Node) bool { return r.branch(v).accepts(v) }},
	}
}

// accepts reports whether the schema accepts v. nil accepts everything.
func (r *rule) accepts(v *yamldoc.Node) bool {
	return r == nil || !r.isFalse && r.ofType(v) &&
		!slices.ContainsFunc(r.checks, func(check keyword) bool { return !check.ok(r, v) })
}

func (r *rule) refuses(v *yamldoc.Node) bool { return !r.accepts(v) }

func (r *rule) ofType(v *yamldoc.Node) bool {
	isWhole := v.Kind == yamldoc.Float && slices.Contains(r.Type, "integer") && number(v).IsInt() // 1.0 is one

	return r.Type == nil || accepts(r.Type, v) || isWhole
}

func isNumber(v *yamldoc.Node) bool { return v.Kind == yamldoc.Int || v.Kind == yamldoc.Float }

// number is the exact value of a number.
func number(v *yamldoc.Node) *big.Rat {
	n, _ := new(big.Rat).SetString(string(v.JSON().(json.Number)))

	return n
}

func float(v *yamldoc.Node) float64 {
	n, _ := number(v).Float64()

	return n
}

func isConstant(v *yamldoc.Node, constant any) bool {
	if n, ok := constant.(float64); ok {
		return isNumber(v) && number(v).Cmp(new(big.Rat).SetFloat64(n)) == 0
	}

	return v.Kind == yamldoc.String && v.Text == constant
}

// distinct reports whether no two items are equal: 1 and 1.0 are.
func distinct(items []*yamldoc.Node) bool {
	seen := map[string]bool{}
	for _, item := range items {
		id := strconv.Itoa(int(item.Kind)) + item.Text
		switch item.Kind {
		case yamldoc.Int, yamldoc.Float:
			id = number(item).RatString()
		case yamldoc.Seq, yamldoc.Map:
			text, _ := json.Marshal(item.JSON())
			id = string(text)
		}
		if seen[id] {
			return false
		}
		seen[id] = true
	}

	return true
}

// lacking returns the required fields that a mapping does not have.
func (r *rule) lacking(v *yamldoc.Node) []string {
	var names []string
	for _, name := range r.Required {
		if v.Get(name) == nil {
			names = append(names, name)
		}
	}

	return names
}

func (r *rule) acceptsFields(v *yamldoc.Node) bool {
	return !slices.ContainsFunc(v.Fields, func(f *yamldoc.Field) bool {
		return slices.ContainsFunc(r.of(f.Key.Text), func(part *rule) bool { return part.refuses(f.Value) })
	})
}

// of returns the rules of a field: the one of its name and those of the patterns that the name matches, else that of all others.
func (r *rule) of(name string) []*rule {
	var rules []*rule
	if named := r.Properties[name]; named != nil {
		rules = append(rules, named)
	}
	for _, p := range r.named {
		if p.name.MatchString(name) {
			rules = append(rules, p.rule)
		}
	}
	if rules == nil {
		return []*rule{r.AdditionalProperties}
	}

	return rules
}

func accepting(parts []*rule, v *yamldoc.Node) (n int) {
	for _, part := range parts {
		if part.accepts(v) {
			n++
		}
	}

	return n
}

// branch returns what an if asks of a value.
func (r *rule) branch(v *yamldoc.Node) *rule {
	if r.If.accepts(v) {
		return r.Then
	}

	return r.Else
}
