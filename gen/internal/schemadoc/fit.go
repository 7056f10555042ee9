package schemadoc

import (
	"fmt"
	"math/big"
	"regexp"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// misfit says why a value that stands in a schema (a default, a value of an enum) does not fit it; "" if it does. Only
// values of the source are judged here; those of a run are judged by generated code.
func misfit(n *yamldoc.Node, s *ir.Schema) string {
	if n.Kind == yamldoc.Null && (s.Nullable || s.Kind == ir.SchemaAny) {
		return ""
	}

	problem := ""
	switch s.Kind {
	case ir.SchemaAny:
		return ""
	case ir.SchemaObject:
		return misfitObject(n, s)
	case ir.SchemaArray:
		return misfitArray(n, s)
	case ir.SchemaRef:
		return misfit(n, s.Followed())
	case ir.SchemaUnion:
		return misfitUnion(n, s)
	case ir.SchemaString:
		problem = misfitText(n, s)
	case ir.SchemaNumber, ir.SchemaInteger:
		problem = misfitNumber(n, s)
	case ir.SchemaBoolean:
		if n.Kind != yamldoc.Bool {
			problem = fmt.Sprintf("expected true or false, found %s", found(n))
		}
	}
	if problem == "" && s.Enum != nil && !listed(n, s.Enum) {
		problem = fmt.Sprintf("%s is not in the enum", found(n))
	}

	return problem
}

func misfitObject(n *yamldoc.Node, s *ir.Schema) string {
	if n.Kind != yamldoc.Map {
		return fmt.Sprintf("expected a mapping, found %s", found(n))
	}
	declared := map[string]*ir.Schema{}
	for _, p := range s.Properties {
		declared[p.Name.Value] = p.Schema
		if p.Required && n.Get(p.Name.Value) == nil {
			return fmt.Sprintf("%q is missing", p.Name.Value)
		}
	}
	for _, f := range n.Fields {
		schema := declared[f.Key.Text]
		if schema == nil {
			schema = s.Additional
		}
		if schema == nil {
			return fmt.Sprintf("%q is not among the properties", f.Key.Text)
		}
		if problem := misfit(f.Value, schema); problem != "" {
			return fmt.Sprintf("in %q, %s", f.Key.Text, problem)
		}
	}

	return ""
}

func misfitUnion(n *yamldoc.Node, s *ir.Schema) string {
	if n.Kind != yamldoc.Map {
		return fmt.Sprintf("expected a mapping, found %s", found(n))
	}
	tag := n.Value(s.Tag)
	if tag == nil {
		return fmt.Sprintf("%q is missing", s.Tag)
	}
	for _, v := range s.Variants {
		if v.Name.Value == tag.Text {
			return misfit(n, v.Schema)
		}
	}

	return fmt.Sprintf("in %q, %s is not one of the texts that are known", s.Tag, found(tag))
}

func misfitArray(n *yamldoc.Node, s *ir.Schema) string {
	if n.Kind != yamldoc.Seq {
		return fmt.Sprintf("expected a list, found %s", found(n))
	}
	if problem := misfitCount(len(n.Items), s.MinItems, s.MaxItems, "items"); problem != "" {
		return problem
	}

	items := s.Items
	if items == nil {
		items = &ir.Schema{Kind: ir.SchemaAny}
	}
	seen := map[string]bool{}
	for _, item := range n.Items {
		if problem := misfit(item, items); problem != "" {
			return problem
		}
		if identity := canonical(item); s.UniqueItems && seen[identity] {
			return fmt.Sprintf("%s is in the list twice", found(item))
		} else {
			seen[identity] = true
		}
	}

	return ""
}

func misfitCount(n int, least, most *int, unit string) string {
	switch {
	case least != nil && n < *least:
		return fmt.Sprintf("expected at least %d %s, found %d", *least, unit, n)
	case most != nil && n > *most:
		return fmt.Sprintf("expected at most %d %s, found %d", *most, unit, n)
	}

	return ""
}

func misfitText(n *yamldoc.Node, s *ir.Schema) string {
	if n.Kind != yamldoc.String {
		return fmt.Sprintf("expected text, found %s", found(n))
	}
	if problem := misfitCount(utf8.RuneCountInString(n.Text), s.MinLength, s.MaxLength, "characters"); problem != "" {
		return problem
	}
	if s.GoPattern != "" && !regexp.MustCompile(s.GoPattern).MatchString(n.Text) {
		return fmt.Sprintf("%q does not match the pattern", n.Text)
	}

	return ""
}

func misfitNumber(n *yamldoc.Node, s *ir.Schema) string {
	text, ok := jsonNumber(n)
	if !ok {
		return fmt.Sprintf("expected a number, found %s", found(n))
	}
	value := ir.Rational(text)
	switch {
	case s.Kind == ir.SchemaNumber && !survives(text):
		return fmt.Sprintf("%s has more digits than a float64 keeps", found(n))
	case s.Kind == ir.SchemaInteger && !value.IsInt():
		return fmt.Sprintf("expected a whole number, found %s", found(n))
	case s.Kind == ir.SchemaInteger && (value.Cmp(minInt64) < 0 || value.Cmp(maxInt64) > 0):
		return fmt.Sprintf("%s is no whole number of 64 bits", found(n))
	}
	for _, b := range []struct {
		bound, words string
		bad          func(order int) bool
	}{
		{s.Minimum, "at least", func(order int) bool { return order < 0 }},
		{s.ExclusiveMinimum, "more than", func(order int) bool { return order <= 0 }},
		{s.Maximum, "at most", func(order int) bool { return order > 0 }},
		{s.ExclusiveMaximum, "less than", func(order int) bool { return order >= 0 }},
	} {
		if bound := ir.Rational(b.bound); bound != nil && b.bad(value.Cmp(bound)) {
			return fmt.Sprintf("expected %s %s, found %s", b.words, b.bound, found(n))
		}
	}
	if step := ir.Rational(s.MultipleOf); step != nil && !new(big.Rat).Quo(value, step).IsInt() {
		return fmt.Sprintf("%s is no multiple of %s", found(n), s.MultipleOf)
	}

	return ""
}

// listed reports whether n is one of the values of an enum.
func listed(n *yamldoc.Node, enum []string) bool {
	value, isNumber := rational(n)
	for _, text := range enum {
		if isNumber && value.Cmp(ir.Rational(text)) == 0 || !isNumber && toJSON(n) == text {
			return true
		}
	}

	return false
}
