package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// schemaEmitter emits one schema.
type schemaEmitter struct {
	f *jen.File
	// root is the name of the type of the schema itself, of describes its owner.
	root, of string
	// paths are the paths of the targets of references.
	paths map[*ir.Schema]string
	// encodes is set if users make values of the types.
	encodes bool
}

// emitSchema emits the Go types of s under the name root, and
//
//	func read<root>(v *rt.JSON) <root>
//
// which decodes a value and records its problems; it emits nothing without a schema. of describes
// the owner of the schema. A schema that is neither an object nor an enum of strings becomes an
// alias of the plain Go type. With encodes, the user's Go makes the values: then a nil list or map
// that is required is encoded as an empty one and not as null, and a default is only a remark.
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
		emitDeclaration(f, joinSentence(root+" is "+s.ExpectedText(), s.Description), jen.Type().Id(root).Op("=").Add(e.goType(path, s)))
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

// followReference returns the target of a reference and its path; any other schema unchanged.
func (e *schemaEmitter) followReference(path string, s *ir.Schema) (string, *ir.Schema) {
	if s.Kind == ir.SchemaRef {
		path = e.paths[s.Target]
	}

	return path, s.Resolved()
}

// checkFunc returns the function that checks a JSON value of the type root.
func checkFunc(root string) *jen.Statement { return readerCode(root).Dot("Check") }

// readerCode returns the value that decodes, checks and encodes values of the type root.
func readerCode(root string) *jen.Statement {
	return inRuntime("rt.Reader").Types(jen.Id(root)).Parens(jen.Id("read" + root))
}

// emitReadFunc emits the function that reads a value of a type.
func (e *schemaEmitter) emitReadFunc(typ string, body func(g *jen.Group)) {
	emitDeclaration(e.f, "read"+typ+" decodes v, and records on v the parts that do not fit.",
		jen.Func().Id("read"+typ).Params(jen.Id("v").Op("*").Add(inRuntime("rt.JSON"))).Id(typ).BlockFunc(body))
}

// emitSchemaText emits a JSON Schema as a constant.
func emitSchemaText(f *jen.File, name, of string, s *ir.Schema) {
	if s == nil {
		return
	}
	emitConst(f, name, "is the JSON Schema of "+of, codeLiteral(s.JSON))
}
