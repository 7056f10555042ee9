package gen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// findOwnNames returns the names, with their positions, that the user's Go files in the output
// folder declare in the generated package. A file that does not parse declares nothing: the Go
// compiler reports it. The error is about a file or folder that could not be read.
func findOwnNames(fsys fs.FS, p *ir.Program) ([]ir.Text, error) {
	files, err := source.Names(fsys, p.Output)
	if err != nil {
		return nil, err
	}
	var own []ir.Text
	for _, name := range files {
		isGenerated := strings.HasSuffix(name, "_gen.go") || strings.HasSuffix(name, "_gen_test.go")
		file := path.Join(p.Output, name)
		if path.Ext(name) != ".go" || isGenerated || !source.IsFile(fsys, file) {
			continue
		}
		content, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, err
		}
		own = append(own, declaredNames(source.NewFile(file, content), p.Package)...)
	}

	return own, nil
}

// declaredNames returns the names that a Go file declares in a package, and its methods and fields
// as Type.name. It returns nil for a file of another package.
func declaredNames(f *source.File, pkg string) []ir.Text {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, f.Path, f.Bytes, parser.SkipObjectResolution)
	if err != nil || file.Name.Name != pkg {
		return nil
	}
	var declared []ir.Text
	add := func(prefix string, ids ...*ast.Ident) {
		for _, id := range ids {
			at := set.Position(id.Pos()).Offset
			declared = append(declared, ir.Text{Value: prefix + id.Name, Span: source.Span{File: f, Start: at, End: at + len(id.Name)}})
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv != nil {
				add(baseName(decl.Recv.List[0].Type)+".", decl.Name)
			} else if decl.Name.Name != "init" {
				add("", decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add("", spec.Name)
					add(spec.Name.Name+".", structFields(spec)...)
				case *ast.ValueSpec:
					add("", spec.Names...)
				}
			}
		}
	}

	return declared
}

// structFields returns the names of the fields and embedded types of a struct; nil for another
// type.
func structFields(spec *ast.TypeSpec) []*ast.Ident {
	structType, isStruct := spec.Type.(*ast.StructType)
	if !isStruct {
		return nil
	}
	var fields []*ast.Ident
	for _, field := range structType.Fields.List {
		fields = append(fields, field.Names...)
		if embedded := baseIdent(field.Type); field.Names == nil && embedded != nil {
			fields = append(fields, embedded)
		}
	}

	return fields
}

// baseName returns the name of the type of a receiver, or "".
func baseName(receiver ast.Expr) string {
	if id := baseIdent(receiver); id != nil {
		return id.Name
	}

	return ""
}

// baseIdent returns the name of a type without pointers, type arguments and the package, or nil.
func baseIdent(typ ast.Expr) *ast.Ident {
	switch t := typ.(type) {
	case *ast.Ident:
		return t
	case *ast.StarExpr:
		return baseIdent(t.X)
	case *ast.ParenExpr:
		return baseIdent(t.X)
	case *ast.IndexExpr:
		return baseIdent(t.X)
	case *ast.IndexListExpr:
		return baseIdent(t.X)
	case *ast.SelectorExpr:
		return t.Sel
	}

	return nil
}

// reportTakenNames reports the names of the user's Go that the generated files declare too.
func reportTakenNames(files []emit.File, own []ir.Text, p *ir.Program, list *diag.List) {
	t := &takenNames{program: p, declaredIn: map[string]emit.File{}, own: map[string]bool{}}
	for _, f := range files {
		for _, name := range declaredNames(source.NewFile(f.Name, f.Content), p.Package) {
			t.declaredIn[name.Value] = f
		}
	}
	for _, name := range own {
		t.own[name.Value] = true
	}
	for _, name := range own {
		typ, _, isMember := strings.Cut(name.Value, ".")
		ofTakenType := isMember && t.isTaken(typ)
		if ofTakenType || !t.isTaken(name.Value) {
			continue
		}
		f := t.declaredIn[name.Value]
		list.Add(diag.New(diag.DuplicateName, name.Span, "%s is declared here, and in %s, which is generated from %s", name.Value, f.Name, f.Source).
			WithHint("%s", t.renameHint(name.Value)))
	}
}

// takenNames are the names that the user's Go and the generated files declare. Methods and fields
// are Type.name.
type takenNames struct {
	program    *ir.Program
	declaredIn map[string]emit.File
	own        map[string]bool
}

// isTaken reports whether both declare a name.
func (t *takenNames) isTaken(name string) bool {
	_, isGenerated := t.declaredIn[name]

	return isGenerated && t.own[name] && name != "_"
}

// isFree reports whether neither declares a name.
func (t *takenNames) isFree(name string) bool {
	_, isGenerated := t.declaredIn[name]

	return !isGenerated && !t.own[name]
}

// renameHint returns the advice for a name that is taken.
func (t *takenNames) renameHint(name string) string {
	const ownFolder = "name a folder for the generated Go alone: output in agentc.yaml"
	if typ, _, isMember := strings.Cut(name, "."); isMember {
		return "rename it: the generated methods and fields of " + typ + " keep their names"
	}
	renames := names.SuggestRenames(t.program, t.isTaken, t.isFree)
	if slices.ContainsFunc(renames, func(r names.Rename) bool { return r.Now == name }) {
		line := ir.Map(renames, func(r names.Rename) string { return r.From + ": " + r.To })
		return "rename it, or write in agentc.yaml: rename: {" + strings.Join(line, ", ") + "}"
	}
	if agent := t.namingAgent(name); agent != "" {
		return fmt.Sprintf("rename it, or agent %q, from whose name it is made, or %s", agent, ownFolder)
	}

	return "rename it, or " + ownFolder
}

// namingAgent returns the agent whose name is part of a generated name, or "".
func (t *takenNames) namingAgent(name string) string {
	identifiers, _ := names.Of(t.program)
	for _, id := range identifiers {
		if id.Scope != names.Package || id.Go != name {
			continue
		}
		for _, a := range t.program.Agents {
			if a.Name == id.From || a.Name == id.Owner {
				return a.Name.Value
			}
		}
	}

	return ""
}
