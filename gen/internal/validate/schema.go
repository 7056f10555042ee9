package validate

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// schema is a JSON Schema, with the keywords that ours have.
type schema struct {
	Defs                               map[string]*schema `json:"$defs"`
	Ref                                string             `json:"$ref"`
	Type, Enum                         texts
	Const                              any // a text, a number, or true or false
	Pattern                            *regexp.Regexp
	Minimum, Maximum, ExclusiveMinimum *float64
	MinLength, MinItems, MinProperties int
	MaxItems, MaxProperties            *int
	UniqueItems                        bool
	Required                           []string
	Items, Not, If, Then, Else         *schema
	AllOf, AnyOf, OneOf                []*schema
	Properties                         map[string]*schema
	PatternProperties                  patterns
	AdditionalProperties               *schema

	words
	// ref is what Ref refers to.
	ref *schema
	// never says that it is the schema false, which nothing fits.
	never bool
}

// words are what a schema says to people.
type words struct {
	Expect      string            `json:"x-agentc-expect"`
	Noun        string            `json:"x-agentc-noun"`
	Unused      string            `json:"x-agentc-unused"`
	WhyNot      string            `json:"x-agentc-not"`
	Count       string            `json:"x-agentc-count"`
	Unsupported any               `json:"x-agentc-unsupported"` // what to use instead: a text, or one for each of some values
	Patterns    texts             `json:"x-agentc-patterns"`
	Kinds       texts             `json:"x-agentc-kinds"`
	Called      texts             `json:"x-agentc-called"`
	Later       texts             `json:"x-agentc-later"`
	Needs       map[string]string `json:"x-agentc-needs"`
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

// patterns are the schemas of fields whose names match.
type patterns []patternSchema

type patternSchema struct {
	name *regexp.Regexp
	of   *schema
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *patterns) UnmarshalJSON(text []byte) error {
	var all map[string]*schema
	err := json.Unmarshal(text, &all)
	for name, of := range all {
		*p = append(*p, patternSchema{regexp.MustCompile(name), of})
	}

	return err
}

// UnmarshalJSON implements json.Unmarshaler: false is a schema, too.
func (s *schema) UnmarshalJSON(text []byte) error {
	type fields schema
	if text[0] != '{' {
		s.never = string(text) == "false"
		return nil
	}

	return json.Unmarshal(text, (*fields)(s))
}

// link points the references of a whole schema to its definitions. What such a definition says to people is said of its uses too.
func (s *schema) link(defs map[string]*schema) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		s.ref = defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
	}
	parts := slices.Concat([]*schema{s.Items, s.Not, s.If, s.Then, s.Else, s.AdditionalProperties}, s.AllOf, s.AnyOf, s.OneOf)
	for _, p := range s.PatternProperties {
		parts = append(parts, p.of)
	}
	for _, named := range []map[string]*schema{s.Properties, s.Defs} {
		for _, of := range named {
			parts = append(parts, of)
		}
	}
	for _, part := range parts {
		part.link(defs)
	}
}

// resolved follows references. Like all that looks at a schema, it takes nil for one that says nothing.
func (s *schema) resolved() *schema {
	for s != nil && s.ref != nil {
		s = s.ref
	}

	return s
}

// own are the words of the schema itself.
func (s *schema) own() words {
	if s == nil {
		return words{}
	}

	return s.words
}

// word returns what a schema says, itself or where it refers to.
func (s *schema) word(of func(words) string) string {
	if text := of(s.own()); text != "" {
		return text
	}

	return of(s.resolved().own())
}

func noun(w words) string   { return w.Noun }
func unused(w words) string { return w.Unused }

// property returns the schema of a field that the schema names; nil if it names none.
func (s *schema) property(name string) *schema {
	if s = s.resolved(); s == nil {
		return nil
	}

	return s.Properties[name]
}

// having returns the schema if it names a field.
func (s *schema) having(field string) *schema {
	if s.property(field) == nil {
		return nil
	}

	return s
}

// entry returns the schema of a field that only additionalProperties describes.
func (s *schema) entry() *schema {
	if s == nil || s.AdditionalProperties == nil || s.AdditionalProperties.never {
		return nil
	}

	return s.AdditionalProperties
}

// items returns the schema of the elements of a list.
func (s *schema) items() *schema { return s.Items }

// types returns the JSON types that the schema accepts, those of all branches for a oneOf.
func (s *schema) types() []string {
	if s = s.resolved(); s == nil {
		return nil
	}
	types := slices.Clone(s.Type)
	for _, branch := range s.OneOf {
		types = append(types, branch.types()...)
	}

	return types
}

// free reports whether a field's name is free for the user (x-).
func (s *schema) free(name string) bool {
	return slices.ContainsFunc(s.PatternProperties, func(p patternSchema) bool { return p.name.MatchString(name) })
}

// insteadOf returns what to use instead of a value that is left out; "" for any other value.
func (s *schema) insteadOf(value string) string {
	values, _ := s.own().Unsupported.(map[string]any)
	instead, _ := values[value].(string)

	return instead
}

// find looks for what get finds in s or in any schema that s is made of.
func (s *schema) find(get func(*schema) *schema) *schema {
	if s = s.resolved(); s == nil {
		return nil
	}
	if found := get(s); found != nil {
		return found
	}
	for _, part := range append(slices.Clone(s.OneOf), s.Then, s.Else) {
		if found := part.find(get); found != nil {
			return found
		}
	}

	return nil
}

// accepts reports whether a value of the node's kind is of one of the JSON types.
func accepts(types []string, n *yamldoc.Node) bool {
	return slices.ContainsFunc(n.Kind.JSONTypes(), func(t string) bool { return slices.Contains(types, t) })
}
