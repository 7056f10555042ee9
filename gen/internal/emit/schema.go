package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// schemaEmitter emits one schema.
type schemaEmitter struct {
	f *jen.File
	// root is the name of the type of the schema itself, of whose it is.
	root, of string
	// paths are those of what references mean.
	paths map[*ir.Schema]string
	// encodes says that users make values of the types.
	encodes bool
}

// emitSchema emits the Go types of s under the name root, and
//
//	func read<root>(v *rt.JSON) <root>
//
// which decodes a value and records what does not fit; nothing without a schema. of is whose schema
// it is. A schema that is neither an object nor an enum of strings becomes an alias of the plain Go
// type. With encodes, the user's Go makes such values: in the types a required list or map that was
// never filled is encoded as an empty one and not as null, and a default is a remark.
func emitSchema(f *jen.File, root, of string, s *ir.Schema, encodes bool) {
	if s == nil {
		return
	}
	path := names.SchemaRoot(root, s)
	e := &schemaEmitter{f: f, root: root, of: of, paths: map[*ir.Schema]string{s: path}, encodes: encodes}
	for _, d := range s.Definitions {
		e.paths[d.Schema] = names.SchemaProperty(path, d)
	}

	parts := names.SchemaParts(path, s)
	e.emitTypes(parts)
	if path != root || !names.IsSchemaType(s) {
		emitDeclaration(f, joinSentence(root+" is "+s.Expected(), s.Description), jen.Type().Id(root).Op("=").Add(e.goType(path, s)))
	}
	if path != root || !names.HasSchemaReader(s) {
		e.emitReadFunc(root, func(g *jen.Group) {
			e.addRead(g, path, s, jen.Id("v"), jen.Id("out"), ":=")
			g.Line()
			g.Return(jen.Id("out"))
		})
	}
	e.emitReaders(parts)
	e.emitPatterns(parts)
}

// followReference returns what a reference means and its path; any other schema as it is.
func (e *schemaEmitter) followReference(path string, s *ir.Schema) (string, *ir.Schema) {
	if s.Kind == ir.SchemaRef {
		path = e.paths[s.Target]
	}

	return path, s.Followed()
}

// checkFunc returns the function that checks a value of the type root as JSON.
func checkFunc(root string) *jen.Statement { return readerCode(root).Dot("Check") }

// readerCode returns what decodes, checks and encodes values of the type root.
func readerCode(root string) *jen.Statement {
	return inRuntime("rt.Reader").Types(jen.Id(root)).Parens(jen.Id("read" + root))
}

// emitReadFunc emits the function that reads a value of a type.
func (e *schemaEmitter) emitReadFunc(typ string, body func(g *jen.Group)) {
	emitDeclaration(e.f, "read"+typ+" decodes v and records on it what does not fit.",
		jen.Func().Id("read"+typ).Params(jen.Id("v").Op("*").Add(inRuntime("rt.JSON"))).Id(typ).BlockFunc(body))
}

// emitSchemaText emits the JSON Schema of something as a constant.
func emitSchemaText(f *jen.File, name, of string, s *ir.Schema) {
	if s == nil {
		return
	}
	emitConst(f, name, "is the JSON Schema of "+of, codeLiteral(s.JSON))
}
