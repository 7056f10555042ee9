package emit

import (
	"math"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// conditions are what makes a value of the right type wrong. All of them make one problem, whose sentence says
// everything that is expected.
type conditions struct {
	// count is what bad compares as n; nil if it does not.
	count *jen.Statement
	bad   []jen.Code
}

func (c conditions) emit(g *jen.Group, source *jen.Statement, expected string) {
	wrong := jen.Add(c.bad[0])
	for _, condition := range c.bad[1:] {
		wrong.Op("||").Add(condition)
	}
	report := source.Clone().Dot("Want").Call(code(expected))
	if c.count != nil {
		g.If(jen.Id("n").Op(":=").Add(c.count), wrong).Block(report)
		return
	}
	g.If(wrong).Block(report)
}

func conditionsOf(path string, s *ir.Schema, source, value *jen.Statement) conditions {
	var c conditions
	switch {
	case names.IsSchemaEnum(s):
		c.add(jen.Op("!").Add(value).Dot("Valid").Call())
	case s.Kind == ir.SchemaArray:
		c.between(jen.Len(value), s.MinItems, s.MaxItems)
		if s.UniqueItems {
			c.add(jen.Op("!").Add(source.Clone()).Dot("Distinct").Call())
		}
	case s.Kind == ir.SchemaString:
		c.text(path, s, value)
	case s.Kind == ir.SchemaInteger:
		c.whole(s, value)
	case s.Kind == ir.SchemaNumber:
		c.number(s, source, value)
	case s.Kind == ir.SchemaBoolean && len(s.Enum) == 1 && s.Enum[0] == "true":
		c.add(jen.Op("!").Add(value))
	case s.Kind == ir.SchemaBoolean && len(s.Enum) == 1:
		c.add(value)
	}

	return c
}

func (c *conditions) add(bad jen.Code) { c.bad = append(c.bad, bad) }

func (c *conditions) compare(value *jen.Statement, operator, bound string) {
	c.add(value.Clone().Op(operator).Op(bound))
}

// between bounds a count.
func (c *conditions) between(count *jen.Statement, least, most *int) {
	if least != nil && *least == 0 {
		least = nil
	}
	switch {
	case least != nil && most != nil && *least == *most:
		c.compare(count, "!=", strconv.Itoa(*least))
	case least != nil && most != nil:
		c.count = count
		c.compare(jen.Id("n"), "<", strconv.Itoa(*least))
		c.compare(jen.Id("n"), ">", strconv.Itoa(*most))
	case least != nil:
		c.compare(count, "<", strconv.Itoa(*least))
	case most != nil:
		c.compare(count, ">", strconv.Itoa(*most))
	}
}

func (c *conditions) text(path string, s *ir.Schema, value *jen.Statement) {
	if s.MinLength != nil && *s.MinLength == 1 && s.MaxLength == nil {
		c.compare(value, "==", `""`)
	} else {
		c.between(jen.Qual("unicode/utf8", "RuneCountInString").Call(value), s.MinLength, s.MaxLength)
	}
	if s.Pattern != "" {
		c.add(jen.Op("!").Id(names.SchemaPattern(path)).Dot("MatchString").Call(value))
	}
}

// whole bounds an int64. Bounds that every int64 keeps are left out.
func (c *conditions) whole(s *ir.Schema, value *jen.Statement) {
	if c.oneOf(jen.Int64(), s, value, wholeText) {
		return
	}
	least, most := s.WholeRange()
	if least != nil && least.IsInt64() && least.Int64() > math.MinInt64 {
		c.compare(value, "<", least.String())
	}
	if most != nil && most.IsInt64() && most.Int64() < math.MaxInt64 {
		c.compare(value, ">", most.String())
	}
	if s.MultipleOf == "" {
		return
	}
	// A whole number is a multiple of p/q, in lowest terms, if it is one of p.
	switch step := ir.Rational(s.MultipleOf).Num(); {
	case !step.IsInt64():
		c.compare(value, "!=", "0")
	case step.Int64() > 1:
		c.add(value.Clone().Op("%").Op(step.String()).Op("!=").Op("0"))
	}
}

// number bounds a float64. The bounds are float64 values themselves, so that comparing in binary is exact.
func (c *conditions) number(s *ir.Schema, source, value *jen.Statement) {
	if c.oneOf(jen.Float64(), s, value, func(text string) string { return text }) {
		return
	}
	for _, bound := range []struct{ operator, text string }{
		{"<", s.Minimum}, {"<=", s.ExclusiveMinimum}, {">", s.Maximum}, {">=", s.ExclusiveMaximum},
	} {
		if bound.text != "" {
			c.compare(value, bound.operator, bound.text)
		}
	}
	if s.MultipleOf != "" {
		c.add(jen.Op("!").Add(source.Clone()).Dot("MultipleOf").Call(jen.Lit(s.MultipleOf)))
	}
}

// oneOf compares with the values of an enum; they fit the bounds, which then need no comparison.
func (c *conditions) oneOf(typ jen.Code, s *ir.Schema, value *jen.Statement, write func(string) string) bool {
	if len(s.Enum) == 0 {
		return false
	}
	if len(s.Enum) == 1 {
		c.compare(value, "!=", write(s.Enum[0]))
		return true
	}

	all := ir.Map(s.Enum, func(text string) jen.Code { return jen.Op(write(text)) })
	c.add(jen.Op("!").Qual("slices", "Contains").Call(jen.Index().Add(typ).Values(all...), value))

	return true
}

// patterns emits the regular expressions of the schema, each compiled once when the program starts.
func (e *schemaEmitter) patterns(path string, s *ir.Schema) {
	var found []jen.Code
	var collect func(path string, s *ir.Schema)
	collect = func(path string, s *ir.Schema) {
		if s.Pattern != "" && len(s.Enum) == 0 {
			found = append(found, jen.Id(names.SchemaPattern(path)).Op("=").Qual("regexp", "MustCompile").Call(code(s.GoPattern)))
		}
		for _, part := range names.SchemaParts(path, s) {
			collect(part.Path, part.Schema)
		}
	}
	collect(path, s)
	variables(e.f, "Patterns of "+e.root+".", found)
}
