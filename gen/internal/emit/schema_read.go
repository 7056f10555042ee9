package emit

import (
	"math"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// emitReaders emits a function for each struct: a switch over the names of the members.
func (e *schemaEmitter) emitReaders(parts []names.SchemaPart) {
	for _, part := range parts {
		switch {
		case names.IsSchemaStruct(part.Schema):
			e.emitReader(part.Path, part.Schema)
		case part.Kind == ir.SchemaUnion:
			e.emitUnionReader(part.Path, part.Schema)
		}
	}
}

// emitUnionReader emits the function that reads the variant with the tag.
func (e *schemaEmitter) emitUnionReader(path string, s *ir.Schema) {
	tags := ir.Map(s.Variants, func(v *ir.Property) jen.Code { return jen.Lit(v.Name.Value) })
	e.emitReadFunc(path, func(g *jen.Group) {
		g.Switch(jen.Id("v").Dot("Tag").Call(append([]jen.Code{jen.Lit(s.Tag)}, tags...)...)).BlockFunc(func(g *jen.Group) {
			for i, v := range s.Variants {
				g.Case(tags[i]).Block(jen.Return(jen.Id("read" + e.variantType(path, v)).Call(jen.Id("v"))))
			}
		})
		g.Line()
		g.Return(jen.Nil())
	})
}

// variantType returns the struct of a variant.
func (e *schemaEmitter) variantType(path string, v *ir.Property) string {
	name, _ := e.followReference(names.SchemaProperty(path, v), v.Schema)

	return name
}

func (e *schemaEmitter) emitReader(path string, s *ir.Schema) {
	e.emitReadFunc(path, func(g *jen.Group) {
		if len(s.Properties) == 0 {
			g.For(jen.List(jen.Id("_"), jen.Id("f")).Op(":=").Range().Id("v").Dot("Members").Call()).Block(
				jen.Id("f").Dot("Unknown").Call(),
			)
			g.Line()
			g.Return(jen.Id(path).Values())
			return
		}

		g.Var().Id("out").Id(path)
		g.For(jen.List(jen.Id("name"), jen.Id("f")).Op(":=").Range().Id("v").Dot("Members").Call(e.defaultNames(s)...)).Block(
			jen.Switch(jen.Id("name")).BlockFunc(func(g *jen.Group) { e.addCases(g, path, s) }),
		)
		if required := textLiterals(s.RequiredNames()); len(required) > 0 {
			g.Id("v").Dot("Require").Call(required...)
		}
		g.Line()
		g.Return(jen.Id("out"))
	})
}

// defaultNames returns the properties with a default, with it.
func (e *schemaEmitter) defaultNames(s *ir.Schema) []jen.Code {
	var all []jen.Code
	for _, p := range s.Properties {
		s := p.Schema
		if !p.Required && !e.isOptional(p) && (s.Default != "null" || s.Kind == ir.SchemaAny) {
			all = append(all, jen.Lit(p.Name.Value), codeLiteral(s.Default))
		}
	}

	return all
}

func (e *schemaEmitter) addCases(g *jen.Group, path string, s *ir.Schema) {
	known := make([]jen.Code, len(s.Properties))
	for i, p := range s.Properties {
		known[i] = jen.Lit(p.Name.Value)
		g.Case(jen.Lit(p.Name.Value)).BlockFunc(func(g *jen.Group) { e.addProperty(g, names.SchemaProperty(path, p), p) })
	}
	if s.Additional == nil {
		g.Default().Block(jen.Id("f").Dot("Unknown").Call(known...))
		return
	}

	g.Default().BlockFunc(func(g *jen.Group) {
		below := names.SchemaAdditional(path)
		all := jen.Id("out").Dot(names.AdditionalField)
		g.If(all.Clone().Op("==").Nil()).Block(
			all.Clone().Op("=").Make(jen.Map(jen.String()).Add(e.goType(below, s.Additional))),
		)
		e.addRead(g, below, s.Additional, jen.Id("f"), all.Clone().Index(jen.Id("name")), "=")
	})
}

// addProperty adds the reading of a member into its field.
func (e *schemaEmitter) addProperty(g *jen.Group, path string, p *ir.Property) {
	field, f := jen.Id("out").Dot(names.Exported(p.Name.Value)), jen.Id("f")
	switch {
	case e.isWrapped(p):
		g.Add(field).Op("=").Add(inRuntime("rt.NullableOf")).Call(f, e.valueReader(path, p.Schema))
	case e.isOptional(p) && isPlain(p.Schema):
		e.addRead(g, path, p.Schema, f, jen.Id("value"), ":=")
		g.Add(field).Op("=").Op("&").Id("value")
	default:
		e.addRead(g, path, p.Schema, f, field, "=")
	}
}

// addRead adds the reading of source into to, and records its problems.
func (e *schemaEmitter) addRead(g *jen.Group, path string, s *ir.Schema, source, to *jen.Statement, assign string) {
	g.Add(to.Clone()).Op(assign).Add(e.readCode(path, s, source))
	if !s.Nullable { // otherwise the function that reads a value that is not null has the conditions
		e.addCheck(g, path, s, source, to)
	}
}

// addCheck records the problems of a value of the right type that is not null.
func (e *schemaEmitter) addCheck(g *jen.Group, path string, s *ir.Schema, source, value *jen.Statement) {
	path, s = e.followReference(path, s)
	if c := newConditions(path, s, source, value); len(c.bad) > 0 {
		c.emitConditions(g, source, s.ExpectedText())
	}
}

// readCode returns the code that reads source, without conditions.
func (e *schemaEmitter) readCode(path string, s *ir.Schema, source *jen.Statement) *jen.Statement {
	switch {
	case s.Nullable && isPlain(s):
		return inRuntime("rt.PointerOf").Call(source, e.valueReader(path, s))
	case s.Nullable && s.Kind != ir.SchemaAny:
		return inRuntime("rt.UnlessNull").Call(source, e.valueReader(path, s))
	}
	path, s = e.followReference(path, s)
	switch {
	case names.HasSchemaReader(s):
		return jen.Id("read" + path).Call(source)
	case isMap(s):
		return inRuntime("rt.MapOf").Call(source, e.elementReader(names.SchemaAdditional(path), s.Additional))
	case isList(s):
		return inRuntime("rt.ListOf").Call(source, e.elementReader(names.SchemaItem(path), itemSchema(s)))
	case names.IsSchemaEnum(s):
		return jen.Id(path).Call(source.Clone().Dot("Text").Call())
	}

	return source.Clone().Dot(readMethod(s)).Call()
}

// readMethod returns the method of a JSON value that reads a scalar or any value.
func readMethod(s *ir.Schema) string {
	if scalar, is := goTypes[s.Kind]; is {
		return scalar.method
	}

	return "Raw"
}

// elementReader returns the function that reads an element of a list or a map, which may be null.
func (e *schemaEmitter) elementReader(path string, s *ir.Schema) *jen.Statement {
	if !s.Nullable || s.Kind == ir.SchemaAny {
		return e.valueReader(path, s)
	}

	return jen.Func().Params(jen.Id("v").Op("*").Add(inRuntime("rt.JSON"))).Add(e.goType(path, s)).Block(
		jen.Return(e.readCode(path, s, jen.Id("v"))))
}

// valueReader returns the function that reads a value that is not null.
func (e *schemaEmitter) valueReader(path string, s *ir.Schema) *jen.Statement {
	path, s = e.followReference(path, s)
	present := *s
	present.Nullable = false
	v, out := jen.Id("v"), jen.Id("out")
	checked := len(newConditions(path, s, v, out).bad) > 0
	switch isScalar := isPlain(s) || s.Kind == ir.SchemaAny; {
	case names.HasSchemaReader(s):
		return jen.Id("read" + path)
	case isScalar && !checked:
		return jen.Parens(jen.Op("*").Add(inRuntime("rt.JSON"))).Dot(readMethod(s))
	}

	return jen.Func().Params(v.Clone().Op("*").Add(inRuntime("rt.JSON"))).Add(e.plainType(path, s)).BlockFunc(func(g *jen.Group) {
		value := e.readCode(path, &present, v)
		if !checked {
			g.Return(value)
			return
		}
		g.Add(out).Op(":=").Add(value)
		e.addCheck(g, path, s, v, out)
		g.Line()
		g.Return(out)
	})
}

// wholeLiteral returns an integral JSON number, such as 1e3, as an int64 of Go.
func wholeLiteral(text string) string { return ir.ParseRational(text).Num().String() }

// conditions are the conditions under which a value of the right type is wrong. Together they are
// one problem. Its message contains all expectations.
type conditions struct {
	// count is the value that bad compares as n, or nil.
	count *jen.Statement
	bad   []jen.Code
}

func (c conditions) emitConditions(g *jen.Group, source *jen.Statement, expected string) {
	wrong := jen.Add(c.bad[0])
	for _, condition := range c.bad[1:] {
		wrong.Op("||").Add(condition)
	}
	report := source.Clone().Dot("Want").Call(codeLiteral(expected))
	if c.count != nil {
		g.If(jen.Id("n").Op(":=").Add(c.count), wrong).Block(report)
		return
	}
	g.If(wrong).Block(report)
}

func newConditions(path string, s *ir.Schema, source, value *jen.Statement) conditions {
	var c conditions
	switch {
	case names.IsSchemaEnum(s):
		c.add(jen.Op("!").Add(value).Dot("Valid").Call())
	case isMap(s):
		c.addCountBounds(jen.Len(value), s.MinProperties, s.MaxProperties)
	case s.Kind == ir.SchemaArray:
		c.addCountBounds(jen.Len(value), s.MinItems, s.MaxItems)
		if s.UniqueItems {
			c.add(jen.Op("!").Add(source.Clone()).Dot("Distinct").Call())
		}
	case s.Kind == ir.SchemaString:
		c.addTextConditions(path, s, value)
	case s.Kind == ir.SchemaInteger:
		c.addWholeBounds(s, value)
	case s.Kind == ir.SchemaNumber:
		c.addNumberBounds(s, source, value)
	case s.Kind == ir.SchemaBoolean && len(s.Enum) == 1 && s.Enum[0] == "true":
		c.add(jen.Op("!").Add(value))
	case s.Kind == ir.SchemaBoolean && len(s.Enum) == 1:
		c.add(value)
	}

	return c
}

func (c *conditions) add(bad jen.Code) { c.bad = append(c.bad, bad) }

func (c *conditions) addComparison(value *jen.Statement, operator, bound string) {
	c.add(value.Clone().Op(operator).Op(bound))
}

// addCountBounds adds bounds of a count.
func (c *conditions) addCountBounds(count *jen.Statement, least, most *int) {
	if least != nil && *least == 0 {
		least = nil
	}
	switch {
	case least != nil && most != nil && *least == *most:
		c.addComparison(count, "!=", strconv.Itoa(*least))
	case least != nil && most != nil:
		c.count = count
		c.addComparison(jen.Id("n"), "<", strconv.Itoa(*least))
		c.addComparison(jen.Id("n"), ">", strconv.Itoa(*most))
	case least != nil:
		c.addComparison(count, "<", strconv.Itoa(*least))
	case most != nil:
		c.addComparison(count, ">", strconv.Itoa(*most))
	}
}

func (c *conditions) addTextConditions(path string, s *ir.Schema, value *jen.Statement) {
	if s.MinLength != nil && *s.MinLength == 1 && s.MaxLength == nil {
		c.addComparison(value, "==", `""`)
	} else {
		c.addCountBounds(jen.Qual("unicode/utf8", "RuneCountInString").Call(value), s.MinLength, s.MaxLength)
	}
	if s.Pattern != "" {
		c.add(jen.Op("!").Id(names.SchemaPattern(path)).Dot("MatchString").Call(value))
	}
}

// addWholeBounds adds bounds of an int64. Bounds that every int64 keeps are omitted.
func (c *conditions) addWholeBounds(s *ir.Schema, value *jen.Statement) {
	if c.addEnum(jen.Int64(), s, value, wholeLiteral) {
		return
	}
	least, most := s.IntegerRange()
	if least != nil && least.IsInt64() && least.Int64() > math.MinInt64 {
		c.addComparison(value, "<", least.String())
	}
	if most != nil && most.IsInt64() && most.Int64() < math.MaxInt64 {
		c.addComparison(value, ">", most.String())
	}
	if s.MultipleOf == "" {
		return
	}
	// An integer is a multiple of p/q, in lowest terms, if it is a multiple of p.
	switch step := ir.ParseRational(s.MultipleOf).Num(); {
	case !step.IsInt64():
		c.addComparison(value, "!=", "0")
	case step.Int64() > 1:
		c.add(value.Clone().Op("%").Op(step.String()).Op("!=").Op("0"))
	}
}

// addNumberBounds adds bounds of a float64. The bounds are float64 values, so that the comparison
// is exact.
func (c *conditions) addNumberBounds(s *ir.Schema, source, value *jen.Statement) {
	if c.addEnum(jen.Float64(), s, value, func(text string) string { return text }) {
		return
	}
	for _, bound := range []struct{ operator, text string }{
		{"<", s.Minimum}, {"<=", s.ExclusiveMinimum}, {">", s.Maximum}, {">=", s.ExclusiveMaximum},
	} {
		if bound.text != "" {
			c.addComparison(value, bound.operator, bound.text)
		}
	}
	if s.MultipleOf != "" {
		c.add(jen.Op("!").Add(source.Clone()).Dot("MultipleOf").Call(jen.Lit(s.MultipleOf)))
	}
}

// addEnum adds comparisons with the values of an enum, which are inside of the bounds.
func (c *conditions) addEnum(typ jen.Code, s *ir.Schema, value *jen.Statement, write func(string) string) bool {
	if len(s.Enum) == 0 {
		return false
	}
	if len(s.Enum) == 1 {
		c.addComparison(value, "!=", write(s.Enum[0]))
		return true
	}

	all := ir.Map(s.Enum, func(text string) jen.Code { return jen.Op(write(text)) })
	c.add(jen.Op("!").Qual("slices", "Contains").Call(jen.Index().Add(typ).Values(all...), value))

	return true
}

// emitPatterns emits the regular expressions of the schema, each compiled once when the program
// starts.
func (e *schemaEmitter) emitPatterns(parts []names.SchemaPart) {
	var found []jen.Code
	for _, s := range parts {
		if s.Pattern != "" && len(s.Enum) == 0 {
			found = append(found, jen.Id(names.SchemaPattern(s.Path)).Op("=").Qual("regexp", "MustCompile").Call(codeLiteral(s.GoPattern)))
		}
	}
	emitVariables(e.f, "Patterns of "+e.root+".", found)
}
