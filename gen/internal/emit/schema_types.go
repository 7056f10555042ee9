package emit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// isList reports whether s becomes a slice, isMap whether it becomes a map: nil means null or
// absence.
func isList(s *ir.Schema) bool { return s.Kind == ir.SchemaArray }
func isMap(s *ir.Schema) bool  { return s.Kind == ir.SchemaObject && !names.IsSchemaStruct(s) }

// isUnion reports whether s becomes an interface, where nil means the same.
func isUnion(s *ir.Schema) bool { return s.Resolved().Kind == ir.SchemaUnion }

// isPlain reports whether s becomes a Go type without nil, so that null needs a pointer.
func isPlain(s *ir.Schema) bool {
	return s.Kind != ir.SchemaAny && !isList(s) && !isMap(s) && !isUnion(s)
}

// goType returns the Go type of an existing value.
func (e *schemaEmitter) goType(path string, s *ir.Schema) *jen.Statement {
	if s.Nullable && isPlain(s) {
		return jen.Op("*").Add(e.plainType(path, s))
	}

	return e.plainType(path, s)
}

// plainType returns the Go type of an existing value that is not null.
func (e *schemaEmitter) plainType(path string, s *ir.Schema) *jen.Statement {
	path, s = e.followReference(path, s)
	switch {
	case names.IsSchemaType(s):
		return jen.Id(path)
	case isMap(s):
		return jen.Map(jen.String()).Add(e.goType(names.SchemaAdditional(path), s.Additional))
	case isList(s):
		return jen.Index().Add(e.goType(names.SchemaItem(path), itemSchema(s)))
	}
	if scalar, is := goTypes[s.Kind]; is {
		return jen.Id(scalar.typ)
	}

	return rawMessage()
}

// goTypes are the Go types of scalars, the methods that read them, and the functions of package
// workflow that convert them to values.
var goTypes = map[ir.SchemaKind]struct{ typ, method, value string }{
	ir.SchemaString: {"string", "Text", "Text"}, ir.SchemaInteger: {"int64", "Int", "Int"},
	ir.SchemaNumber: {"float64", "Float", "Of"}, ir.SchemaBoolean: {"bool", "Bool", "Of"},
}

func itemSchema(s *ir.Schema) *ir.Schema { return cmp.Or(s.Items, &ir.Schema{Kind: ir.SchemaAny}) }

// isOptional reports whether a field shows that the property is absent. An absent property of a
// decoded value has its default. A value that users make has no default: Go's zero would look like
// a chosen value.
func (e *schemaEmitter) isOptional(p *ir.Property) bool {
	return !p.Required && (e.encodes || p.Schema.Default == "")
}

// isWrapped reports whether a property may be absent, null, or a value.
func (e *schemaEmitter) isWrapped(p *ir.Property) bool {
	return e.isOptional(p) && p.Schema.Nullable && p.Schema.Kind != ir.SchemaAny
}

// structField returns the type of a struct's field and the option of its tag.
func (e *schemaEmitter) structField(path string, p *ir.Property) (typ *jen.Statement, option string) {
	switch {
	case e.isWrapped(p):
		return jen.Op("*").Add(inRuntime("Nullable")).Index(e.plainType(path, p.Schema)), ",omitempty"
	case !e.isOptional(p):
		return e.goType(path, p.Schema), ""
	case isPlain(p.Schema):
		return jen.Op("*").Add(e.goType(path, p.Schema)), ",omitempty"
	}

	return e.goType(path, p.Schema), ",omitzero"
}

// emitTypes emits the named types, each before the types that it contains.
func (e *schemaEmitter) emitTypes(parts []names.SchemaPart) {
	for _, part := range parts {
		path, s := part.Path, part.Schema
		switch {
		case names.IsSchemaStruct(s):
			e.emitStructType(path, s, part.Place)
			if filled := e.fillStatements(path, s); s.Additional != nil || len(filled) > 0 {
				e.emitMarshal(path, s, filled)
			}
			if s.Additional != nil || slices.ContainsFunc(s.Properties, func(p *ir.Property) bool { return holdsUnion(p.Schema) }) {
				e.emitUnmarshal(path, s)
			}
		case s.Kind == ir.SchemaUnion:
			e.emitUnionType(path, s)
		case names.IsSchemaEnum(s):
			e.emitEnumType(path, s, part.Place)
		}
	}
}

// emitUnionType emits the interface of the variants.
func (e *schemaEmitter) emitUnionType(path string, s *ir.Schema) {
	variants := ir.Map(s.Variants, func(v *ir.Property) string { return e.variantType(path, v) })
	emitDeclaration(e.f, joinSentence(path+" is "+strings.Join(variants, " or ")+", depending on "+strconv.Quote(s.Tag), s.Description),
		jen.Type().Id(path).Interface(jen.Id("is"+path).Params()))
	for _, name := range variants {
		e.f.Func().Params(jen.Id(name)).Id("is" + path).Params().Block()
	}
	e.f.Line()
}

func (e *schemaEmitter) emitStructType(path string, s *ir.Schema, place string) {
	emitDeclaration(e.f, e.typeComment(path, place, s), jen.Type().Id(path).StructFunc(func(g *jen.Group) {
		for _, p := range s.Properties {
			typ, option := e.structField(names.SchemaProperty(path, p), p)
			if text := e.fieldComment(p); text != "" {
				g.Add(newComment(text))
			}
			g.Id(names.Exported(p.Name.Value)).Add(typ).Tag(map[string]string{"json": tagName(p.Name.Value) + option})
		}
		if s.Additional != nil {
			g.Comment("Additional holds all other properties.")
			typ := jen.Map(jen.String()).Add(e.goType(names.SchemaAdditional(path), s.Additional))
			g.Id(names.AdditionalField).Add(typ).Tag(map[string]string{"json": "-"})
		}
	}))
}

// tagName returns the name for a tag of encoding/json, where "-" alone has another meaning.
func tagName(name string) string {
	if name == "-" {
		return "-,"
	}

	return name
}

// holdsUnion reports whether a field contains an interface, which encoding/json could not decode.
func holdsUnion(s *ir.Schema) bool {
	switch {
	case isList(s):
		return holdsUnion(itemSchema(s))
	case isMap(s):
		return holdsUnion(s.Additional)
	}

	return isUnion(s)
}

func (e *schemaEmitter) emitMarshal(path string, s *ir.Schema, filled []jen.Code) {
	doc, additional := "MarshalJSON encodes x. It encodes nil lists and maps as empty ones.", jen.Nil()
	switch {
	case s.Additional != nil:
		doc = "MarshalJSON encodes x. Its additional properties follow the others, sorted by name."
		additional = jen.Id("x").Dot(names.AdditionalField)
	case slices.ContainsFunc(s.Properties, isConstant):
		doc = "MarshalJSON encodes x. It encodes nil lists and maps as empty ones, and fills in constants."
	}
	body := append(filled,
		jen.Type().Id("fields").Id(path),
		jen.Line(),
		jen.Return(inRuntime("rt.EncodeObject").Call(jen.Id("fields").Call(jen.Id("x")), additional)))
	emitDeclaration(e.f, doc, jen.Func().Params(jen.Id("x").Id(path)).Id("MarshalJSON").Params().
		Params(jen.Index().Byte(), jen.Error()).Block(body...))
}

func (e *schemaEmitter) emitUnmarshal(path string, s *ir.Schema) {
	doc := "UnmarshalJSON decodes and checks x."
	if s.Additional != nil {
		doc = "UnmarshalJSON decodes and checks x and its additional properties."
	}
	emitDeclaration(e.f, doc,
		jen.Func().Params(jen.Id("x").Op("*").Id(path)).Id("UnmarshalJSON").Params(jen.Id("raw").Index().Byte()).Error().Block(
			jen.List(jen.Id("out"), jen.Err()).Op(":=").Add(readerCode(path)).Dot("Decode").Call(jen.Id("raw")),
			jen.If(jen.Err().Op("==").Nil()).Block(jen.Op("*").Id("x").Op("=").Id("out")),
			jen.Line(),
			jen.Return(jen.Err())))
}

// isConstant reports whether a property has only one text.
func isConstant(p *ir.Property) bool { return names.IsSchemaEnum(p.Schema) && len(p.Schema.Enum) == 1 }

// fillStatements returns statements that fill properties whose zero value is invalid and can only
// mean one value: a list or a map that must not be null, and a constant.
func (e *schemaEmitter) fillStatements(path string, s *ir.Schema) []jen.Code {
	var all []jen.Code
	for _, p := range s.Properties {
		if !e.encodes || e.isOptional(p) || p.Schema.Nullable {
			continue
		}
		field := jen.Id("x").Dot(names.Exported(p.Name.Value))
		below := names.SchemaProperty(path, p)
		switch {
		case isList(p.Schema) || isMap(p.Schema):
			all = append(all, jen.If(field.Clone().Op("==").Nil()).Block(field.Clone().Op("=").Add(e.plainType(below, p.Schema)).Values()))
		case isConstant(p):
			constant := jen.Id(names.SchemaEnum(below, names.EnumText(p.Schema.Enum[0])))
			all = append(all, jen.If(field.Clone().Op("==").Lit("")).Block(field.Clone().Op("=").Add(constant)))
		}
	}

	return all
}

func (e *schemaEmitter) emitEnumType(path string, s *ir.Schema, place string) {
	var constants, values []jen.Code
	for _, value := range s.Enum {
		constant := jen.Id(names.SchemaEnum(path, names.EnumText(value)))
		constants = append(constants, constant)
		values = append(values, constant.Clone().Id(path).Op("=").Lit(names.EnumText(value)))
	}

	emitDeclaration(e.f, e.typeComment(path, place, s), jen.Type().Id(path).String())
	emitDeclaration(e.f, "The values of "+path+".", jen.Const().Defs(values...))
	emitDeclaration(e.f, "Valid reports whether x is one of the values.",
		jen.Func().Params(jen.Id("x").Id(path)).Id("Valid").Params().Bool().Block(
			jen.Switch(jen.Id("x")).Block(jen.Case(constants...).Block(jen.Return(jen.True()))),
			jen.Line(),
			jen.Return(jen.False())))
}

// typeComment documents a struct or an enum; below the top level by its position in the schema.
func (e *schemaEmitter) typeComment(path, place string, s *ir.Schema) string {
	what := "is the object"
	switch {
	case place == "" && !names.IsSchemaStruct(s):
		return joinSentence(path+" is "+s.ExpectedNonNull(), s.Description)
	case place == "" && len(s.Properties) > 0:
		return joinSentence(path+" holds "+e.of, s.Description)
	case place == "":
		return joinSentence(path+" is the empty object", s.Description)
	case !names.IsSchemaStruct(s):
		what = "is the text"
	case len(s.Properties) == 0:
		what = "is the empty object"
	}
	if strings.HasPrefix(place, "[") {
		place = "value" + place
	}

	return joinSentence(path+" "+what+" at "+place, s.Description)
}

// fieldComment documents a field: its description, and the conditions that its Go type does not
// show.
func (e *schemaEmitter) fieldComment(p *ir.Property) string {
	var parts []string
	if text := strings.TrimSpace(p.Schema.Description); text != "" {
		if !strings.ContainsAny(text[len(text)-1:], ".!?") {
			text += "."
		}
		parts = append(parts, text)
	}
	if facts := e.fieldFacts(p); facts != "" {
		parts = append(parts, facts)
	}

	return strings.Join(parts, " ")
}

func (e *schemaEmitter) fieldFacts(p *ir.Property) string {
	s := p.Schema
	bare := &ir.Schema{Kind: s.Kind}
	facts := ""
	if !names.IsSchemaType(s.Resolved()) && s.ExpectedNonNull() != bare.ExpectedNonNull() {
		facts = upperFirst(s.ExpectedNonNull())
	}
	if !p.Required && !e.isOptional(p) {
		if facts != "" {
			facts += "; "
		}
		facts += "by default " + s.Default
	}
	if facts == "" {
		return ""
	}

	return upperFirst(facts) + "."
}

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
