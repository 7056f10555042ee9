package gen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// findOwnNames returns what the user's Go files in the output folder declare in the package of the generated code, each at its
// place. A file that does not parse declares nothing: the Go compiler reports it. The error is that of a file or folder which
// could not be read.
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

// declaredNames returns the names that a Go file declares in a package; none if it is of another package.
func declaredNames(f *source.File, pkg string) []ir.Text {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, f.Path, f.Bytes, parser.SkipObjectResolution)
	if err != nil || file.Name.Name != pkg {
		return nil
	}
	var names []ir.Text
	add := func(id *ast.Ident) {
		at := set.Position(id.Pos()).Offset
		names = append(names, ir.Text{Value: id.Name, Span: source.Span{File: f, Start: at, End: at + len(id.Name)}})
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil && decl.Name.Name != "init" {
				add(decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id)
					}
				}
			}
		}
	}

	return names
}

// reportTakenNames reports the names of the user's Go that the generated files declare too.
func reportTakenNames(files []emit.File, own []ir.Text, pkg string, list *diag.List) {
	declaredIn := map[string]emit.File{}
	for _, f := range files {
		for _, name := range declaredNames(source.NewFile(f.Name, f.Content), pkg) {
			declaredIn[name.Value] = f
		}
	}
	for _, name := range own {
		f, isTaken := declaredIn[name.Value]
		if !isTaken || name.Value == "_" {
			continue
		}
		list.Add(diag.New(diag.DuplicateName, name.Span, "%s is declared here, and in %s, which is generated from %s", name.Value, f.Name, f.Source).
			WithHint("rename it, or name a folder for the generated Go alone: output in agentc.yaml"))
	}
}
