package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// emitSchemaTypes emits the Go types of s under the name root, and
//
//	func decode<root>(raw json.RawMessage) (<root>, error)
//	func check<root>(raw json.RawMessage) error
//
// both of which report what does not fit as a *runtime.ValueError. A schema that is no object and no enum of strings
// becomes an alias of the plain Go type.
func emitSchemaTypes(f *jen.File, root string, s *ir.Schema) {
	e := &schemaEmitter{f: f, root: root}
	e.rootTypes(s)
	e.entry()
	e.functions(s)
}

// emitSchemaOutput emits the Go types of s under the name root for a value that the user's Go makes, and
//
//	func encode<root>(out <root>) (json.RawMessage, error)
//
// which encodes and then checks, with a *runtime.ValueError. In its types a required list or map that was never filled is
// encoded as an empty one and not as null, and a default is a remark.
func emitSchemaOutput(f *jen.File, root string, s *ir.Schema) {
	e := &schemaEmitter{f: f, root: root, encodes: true}
	e.rootTypes(s)
	e.encode(s)
	e.functions(s)
}

// schemaEmitter emits one schema.
type schemaEmitter struct {
	f    *jen.File
	root string
	// encodes says that users make values of the types.
	encodes bool
}

// encode emits encode<root>.
func (e *schemaEmitter) encode(s *ir.Schema) {
	root := e.root
	result := []jen.Code{jen.Qual("encoding/json", "RawMessage"), jen.Error()}
	e.f.Commentf("encode%s encodes out as JSON and checks that it fits its schema.", root)
	e.f.Func().Id("encode" + root).Params(jen.Id("out").Id(root)).Params(result...).BlockFunc(func(g *jen.Group) {
		if !s.Nullable && (isList(s) || isMap(s)) {
			g.If(jen.Id("out").Op("==").Nil()).Block(jen.Id("out").Op("=").Id(root).Values())
			g.Line()
		}
		g.Return(in("EncodeValue").Call(jen.Id("out"), jen.Id("read"+root)))
	})
	e.f.Line()
}

// rootTypes emits the types.
func (e *schemaEmitter) rootTypes(s *ir.Schema) {
	path := names.SchemaRoot(e.root, s)
	e.types(path, s, "")
	if path != e.root || !names.IsSchemaType(s) {
		e.f.Add(comment(rootComment(e.root, s)))
		e.f.Type().Id(e.root).Op("=").Add(e.goType(path, s))
		e.f.Line()
	}
}

// functions emits what reads a value.
func (e *schemaEmitter) functions(s *ir.Schema) {
	path := names.SchemaRoot(e.root, s)
	if path != e.root || !names.IsSchemaStruct(s) {
		e.rootReader(path, s)
	}
	e.readers(path, s)
	e.patterns(path, s)
}

// entry emits decode and check.
func (e *schemaEmitter) entry() {
	raw := jen.Id("raw").Qual("encoding/json", "RawMessage")
	e.f.Commentf("decode%s decodes raw. Everything that does not fit is in the error, a *runtime.ValueError.", e.root)
	e.f.Func().Id("decode"+e.root).Params(raw.Clone()).Params(jen.Id(e.root), jen.Error()).Block(
		jen.Return(in("DecodeValue").Call(jen.Id("raw"), jen.Id("read"+e.root))),
	)
	e.f.Line()

	e.f.Commentf("check%s says what does not fit in raw, as a *runtime.ValueError; nil if all does.", e.root)
	e.f.Func().Id("check"+e.root).Params(raw).Error().Block(
		jen.List(jen.Id("_"), jen.Err()).Op(":=").Id("decode"+e.root).Call(jen.Id("raw")),
		jen.Return(jen.Err()),
	)
	e.f.Line()
}

// rootReader emits the function that reads a root which is no struct.
func (e *schemaEmitter) rootReader(path string, s *ir.Schema) {
	e.f.Commentf("read%s reads v and reports to it what does not fit.", e.root)
	e.f.Func().Id("read" + e.root).Params(valueParam()).Id(e.root).BlockFunc(func(g *jen.Group) {
		out := local("out")
		if s.Nullable && s.Kind != ir.SchemaAny {
			g.Var().Id("out").Id(e.root)
			out = into(jen.Id("out"))
		}
		e.read(g, path, s, jen.Id("v"), out, 1)
		g.Line()
		g.Return(jen.Id("out"))
	})
	e.f.Line()
}

func valueParam() jen.Code { return jen.Id("v").Op("*").Add(in("Value")) }

// nested calls visit for each schema directly below s with its path and its place in words.
func nested(path, place string, s *ir.Schema, visit func(path, place string, s *ir.Schema)) {
	for _, p := range s.Properties {
		below := p.Name.Value
		if place != "" {
			below = place + "." + below
		}
		visit(names.SchemaProperty(path, p), below, p.Schema)
	}
	if s.Additional != nil {
		visit(names.SchemaAdditional(path), place+"[name]", s.Additional)
	}
	if s.Items != nil {
		visit(names.SchemaItem(path), place+"[]", s.Items)
	}
}
