package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// emitSchemaTypes emits the Go types of s under the name root, and
//
//	func read<root>(v *rt.JSON) <root>
//
// which decodes a value and records what does not fit. A schema that is neither an object nor an enum of strings becomes an alias of
// the plain Go type.
func emitSchemaTypes(f *jen.File, root string, s *ir.Schema) {
	if s == nil {
		return
	}
	e := newSchemaEmitter(f, root, s)
	e.rootTypes(s)
	e.functions(s)
}

// emitSchemaOutput emits the Go types of s under the name root for a value that the user's Go makes, and
//
//	func encode<root>(out <root>) (json.RawMessage, error)
//
// which encodes and then checks, with a *runtime.ValueError. In its types a required list or map that was never filled is
// encoded as an empty one and not as null, and a default is a remark.
func emitSchemaOutput(f *jen.File, root string, s *ir.Schema) {
	if s == nil {
		return
	}
	e := newSchemaEmitter(f, root, s)
	e.encodes = true
	e.rootTypes(s)
	e.encode(s)
	e.functions(s)
}

// schemaEmitter emits one schema.
type schemaEmitter struct {
	f    *jen.File
	root string
	// paths are those of what references mean.
	paths map[*ir.Schema]string
	// encodes says that users make values of the types.
	encodes bool
}

func newSchemaEmitter(f *jen.File, root string, s *ir.Schema) *schemaEmitter {
	path := names.SchemaRoot(root, s)
	e := &schemaEmitter{f: f, root: root, paths: map[*ir.Schema]string{s: path}}
	for _, d := range s.Definitions {
		e.paths[d.Schema] = names.SchemaProperty(path, d)
	}

	return e
}

// followed returns what a reference means and its path; any other schema as it is.
func (e *schemaEmitter) followed(path string, s *ir.Schema) (string, *ir.Schema) {
	if s.Kind == ir.SchemaRef {
		path = e.paths[s.Target]
	}

	return path, s.Followed()
}

// encode emits encode<root>.
func (e *schemaEmitter) encode(s *ir.Schema) {
	root := e.root
	result := []jen.Code{jen.Qual("encoding/json", "RawMessage"), jen.Error()}
	declare(e.f, "encode"+root+" encodes out as JSON and checks that it fits its schema.",
		jen.Func().Id("encode"+root).Params(jen.Id("out").Id(root)).Params(result...).BlockFunc(func(g *jen.Group) {
			if !s.Nullable && (isList(s) || isMap(s)) {
				g.If(jen.Id("out").Op("==").Nil()).Block(jen.Id("out").Op("=").Id(root).Values())
				g.Line()
			}
			g.Return(in("rt.EncodeValue").Call(jen.Id("out"), jen.Id("read"+root)))
		}))
}

// rootTypes emits the types.
func (e *schemaEmitter) rootTypes(s *ir.Schema) {
	path := names.SchemaRoot(e.root, s)
	e.types(path, s, "")
	if path != e.root || !names.IsSchemaType(s) {
		declare(e.f, rootComment(e.root, s), jen.Type().Id(e.root).Op("=").Add(e.goType(path, s)))
	}
}

// functions emits what reads a value.
func (e *schemaEmitter) functions(s *ir.Schema) {
	path := names.SchemaRoot(e.root, s)
	if path != e.root || !names.HasSchemaReader(s) {
		e.rootReader(path, s)
	}
	e.readers(path, s)
	e.patterns(path, s)
}

// checkOf returns the function that checks a value of the type root as JSON.
func checkOf(root string) *jen.Statement { return in("rt.CheckValue").Call(jen.Id("read" + root)) }

// rootReader emits the function that reads a root which is not a struct.
func (e *schemaEmitter) rootReader(path string, s *ir.Schema) {
	e.readFunc(e.root, func(g *jen.Group) {
		out := local("out")
		if s.Nullable && s.Kind != ir.SchemaAny {
			g.Var().Id("out").Id(e.root)
			out = into(jen.Id("out"))
		}
		e.read(g, path, s, jen.Id("v"), out, 1)
		g.Line()
		g.Return(jen.Id("out"))
	})
}

// readFunc emits the function that reads a value of a type.
func (e *schemaEmitter) readFunc(typ string, body func(g *jen.Group)) {
	declare(e.f, "read"+typ+" decodes v and records on it what does not fit.",
		jen.Func().Id("read"+typ).Params(jen.Id("v").Op("*").Add(in("rt.JSON"))).Id(typ).BlockFunc(body))
}

// schemaText emits the JSON Schema of something as a constant.
func schemaText(f *jen.File, name, of string, s *ir.Schema) {
	if s == nil {
		return
	}
	declare(f, name+" is the JSON Schema of "+of+".", jen.Const().Id(name).Op("=").Add(code(s.JSON)))
}
