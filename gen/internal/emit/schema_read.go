package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// target is where a value is read to.
type target struct {
	expr *jen.Statement
	// declare says that the first assignment declares it.
	declare bool
	// setsNull says that null has to be assigned: what is not is missing in a map.
	setsNull bool
}

func into(expr *jen.Statement) target { return target{expr: expr} }

func inMap(all *jen.Statement, key string) target {
	return target{expr: all.Clone().Index(jen.Id(key)), setsNull: true}
}

// local declares a variable for a value that is then referred to by a pointer.
func local(name string) target { return target{expr: jen.Id(name), declare: true} }

func (t target) assign(value jen.Code) jen.Code {
	if t.declare {
		return t.ref().Op(":=").Add(value)
	}

	return t.ref().Op("=").Add(value)
}

func (t target) ref() *jen.Statement { return t.expr.Clone() }

// readers emits a function for each struct: a switch over the names of the members.
func (e *schemaEmitter) readers(path string, s *ir.Schema) {
	switch {
	case names.IsSchemaStruct(s):
		e.reader(path, s)
	case s.Kind == ir.SchemaUnion:
		e.unionReader(path, s)
	}
	for _, part := range names.SchemaParts(path, s) {
		e.readers(part.Path, part.Schema)
	}
}

// unionReader emits the function that reads the variant which the tag names.
func (e *schemaEmitter) unionReader(path string, s *ir.Schema) {
	tags := ir.Map(s.Variants, func(v *ir.Property) jen.Code { return jen.Lit(v.Name.Value) })
	e.readFunc(path, func(g *jen.Group) {
		g.Switch(jen.Id("v").Dot("Tag").Call(append([]jen.Code{jen.Lit(s.Tag)}, tags...)...)).BlockFunc(func(g *jen.Group) {
			for i, v := range s.Variants {
				g.Case(tags[i]).Block(jen.Return(jen.Id("read" + e.variant(path, v)).Call(jen.Id("v"))))
			}
		})
		g.Line()
		g.Return(jen.Nil())
	})
}

// variant returns the struct that a variant becomes.
func (e *schemaEmitter) variant(path string, v *ir.Property) string {
	name, _ := e.followed(names.SchemaProperty(path, v), v.Schema)

	return name
}

func (e *schemaEmitter) reader(path string, s *ir.Schema) {
	e.readFunc(path, func(g *jen.Group) {
		if len(s.Properties) == 0 {
			g.For(jen.List(jen.Id("_"), jen.Id("f")).Op(":=").Range().Id("v").Dot("Members").Call()).Block(
				jen.Id("f").Dot("Unknown").Call(),
			)
			g.Line()
			g.Return(jen.Id(path).Values())
			return
		}

		g.Var().Id("out").Id(path)
		g.For(jen.List(jen.Id("name"), jen.Id("f")).Op(":=").Range().Id("v").Dot("Members").Call(e.defaults(s)...)).Block(
			jen.Switch(jen.Id("name")).BlockFunc(func(g *jen.Group) { e.cases(g, path, s) }),
		)
		if required := requiredNames(s); len(required) > 0 {
			g.Id("v").Dot("Require").Call(required...)
		}
		g.Line()
		g.Return(jen.Id("out"))
	})
}

// defaults are the names of properties that have a default, each with it.
func (e *schemaEmitter) defaults(s *ir.Schema) []jen.Code {
	var all []jen.Code
	for _, p := range s.Properties {
		s := p.Schema
		if !p.Required && !e.isOptional(p) && (s.Default != "null" || s.Kind == ir.SchemaAny) {
			all = append(all, jen.Lit(p.Name.Value), code(s.Default))
		}
	}

	return all
}

func requiredNames(s *ir.Schema) []jen.Code {
	var all []jen.Code
	for _, p := range s.Properties {
		if p.Required {
			all = append(all, jen.Lit(p.Name.Value))
		}
	}

	return all
}

func (e *schemaEmitter) cases(g *jen.Group, path string, s *ir.Schema) {
	known := make([]jen.Code, len(s.Properties))
	for i, p := range s.Properties {
		known[i] = jen.Lit(p.Name.Value)
		g.Case(jen.Lit(p.Name.Value)).BlockFunc(func(g *jen.Group) { e.property(g, names.SchemaProperty(path, p), p) })
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
		e.read(g, below, s.Additional, jen.Id("f"), inMap(all, "name"), 1)
	})
}

// property reads the member f into its field.
func (e *schemaEmitter) property(g *jen.Group, path string, p *ir.Property) {
	field := jen.Id("out").Dot(names.Exported(p.Name.Value))
	switch {
	case e.isWrapped(p):
		g.Id("opt").Op(":=").Op("&").Add(in("Nullable")).Index(e.plainType(path, p.Schema)).
			Values(jen.Id("Null").Op(":").Id("f").Dot("IsNull").Call())
		g.If(jen.Op("!").Id("opt").Dot("Null")).BlockFunc(func(g *jen.Group) {
			e.readPlain(g, path, p.Schema, jen.Id("f"), into(jen.Id("opt").Dot("Value")), 1)
		})
		g.Add(field).Op("=").Id("opt")
	case e.isOptional(p) && isPlain(p.Schema):
		e.readPlain(g, path, p.Schema, jen.Id("f"), local("value"), 1)
		g.Add(field).Op("=").Op("&").Id("value")
	default:
		e.read(g, path, p.Schema, jen.Id("f"), into(field), 1)
	}
}

// read reads source into to. depth numbers the loops around it.
func (e *schemaEmitter) read(g *jen.Group, path string, s *ir.Schema, source *jen.Statement, to target, depth int) {
	if !s.Nullable || s.Kind == ir.SchemaAny {
		e.readPlain(g, path, s, source, to, depth)
		return
	}

	isNull := source.Clone().Dot("IsNull").Call()
	present := func(g *jen.Group) { e.readPresent(g, path, s, source, to, depth) }
	if to.setsNull {
		g.If(isNull).Block(to.assign(jen.Nil())).Else().BlockFunc(present)
		return
	}
	g.If(jen.Op("!").Add(isNull)).BlockFunc(present)
}

// readPresent reads a value that could be null, and is not.
func (e *schemaEmitter) readPresent(g *jen.Group, path string, s *ir.Schema, source *jen.Statement, to target, depth int) {
	if !isPlain(s) {
		e.readPlain(g, path, s, source, to, depth)
		return
	}
	e.readPlain(g, path, s, source, local("value"), depth)
	g.Add(to.assign(jen.Op("&").Id("value")))
}

// readPlain reads a value that is not null.
func (e *schemaEmitter) readPlain(g *jen.Group, path string, s *ir.Schema, source *jen.Statement, to target, depth int) {
	path, s = e.followed(path, s)
	call := func(method string) *jen.Statement { return source.Clone().Dot(method).Call() }
	switch {
	case names.HasSchemaReader(s):
		g.Add(to.assign(jen.Id("read" + path).Call(source.Clone())))
	case isMap(s):
		e.readMap(g, path, s, source, to, depth)
	case isList(s):
		e.readList(g, path, s, source, to, depth)
	case names.IsSchemaEnum(s):
		g.Add(to.assign(jen.Id(path).Call(call("Text"))))
	case goTypes[s.Kind].method != "":
		g.Add(to.assign(call(goTypes[s.Kind].method)))
	default:
		g.Add(to.assign(call("Raw")))
	}

	if c := conditionsOf(path, s, source, to.ref()); len(c.bad) > 0 {
		c.emit(g, source, s.Expected())
	}
}

func (e *schemaEmitter) readMap(g *jen.Group, path string, s *ir.Schema, source *jen.Statement, to target, depth int) {
	key, element := numbered("key", depth), numbered("item", depth)
	g.Add(to.assign(jen.Make(e.plainType(path, s), source.Clone().Dot("Len").Call())))
	members := source.Clone().Dot("Members").Call()
	g.For(jen.List(jen.Id(key), jen.Id(element)).Op(":=").Range().Add(members)).BlockFunc(func(g *jen.Group) {
		e.read(g, names.SchemaAdditional(path), s.Additional, jen.Id(element), inMap(to.expr, key), depth+1)
	})
}

func (e *schemaEmitter) readList(g *jen.Group, path string, s *ir.Schema, source *jen.Statement, to target, depth int) {
	index, element := indexName(depth), numbered("item", depth)
	g.Add(to.assign(jen.Make(e.plainType(path, s), source.Clone().Dot("Len").Call())))
	items := source.Clone().Dot("Items").Call()
	g.For(jen.List(jen.Id(index), jen.Id(element)).Op(":=").Range().Add(items)).BlockFunc(func(g *jen.Group) {
		e.read(g, names.SchemaItem(path), itemsOf(s), jen.Id(element), into(to.ref().Index(jen.Id(index))), depth+1)
	})
}

// numbered returns the name of a loop's variable; loops in loops need different ones.
func numbered(name string, depth int) string {
	if depth == 1 {
		return name
	}

	return name + strconv.Itoa(depth)
}

func indexName(depth int) string {
	if depth <= 3 {
		return string("ijk"[depth-1])
	}

	return numbered("i", depth)
}

// wholeText writes a JSON number that is whole, such as 1e3, as Go writes an int64.
func wholeText(text string) string { return ir.Rational(text).Num().String() }
