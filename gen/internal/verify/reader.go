package verify

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// reader reads the declarations of one agent and keeps the first mismatch.
type reader struct {
	source []byte
	set    *token.FileSet
	// funcs are what functions do, by name, and methods, by receiver type and name: App.runX.
	funcs map[string][]ast.Stmt
	// values are constants, variables and what types are, by name.
	values map[string]ast.Expr
	// constants are those of each type.
	constants map[string][]row

	agent string
	fixed names.Fixed
	// index is where the states of the machine at hand are in the source, by their constants.
	index map[string]int
	err   error
}

func newReader(agent string, fixed names.Fixed, f *emit.File) (*reader, error) {
	r := &reader{
		source: f.Content, set: token.NewFileSet(), agent: agent, fixed: fixed,
		funcs: map[string][]ast.Stmt{}, values: map[string]ast.Expr{}, constants: map[string][]row{},
	}
	file, err := parser.ParseFile(r.set, f.Name, f.Content, parser.SkipObjectResolution)
	if err != nil {
		return nil, &emit.BrokenError{Name: f.Name, Source: f.Content, Err: err}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			name := decl.Name.Name
			if decl.Recv != nil {
				name = strings.TrimPrefix(r.text(decl.Recv.List[0].Type), "*") + "." + name
			}
			r.funcs[name] = decl.Body.List
		case *ast.GenDecl:
			r.general(decl)
		}
	}

	return r, nil
}

// general reads constants, variables and types.
func (r *reader) general(decl *ast.GenDecl) {
	typ := ""
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			r.values[spec.Name.Name] = spec.Type
		case *ast.ValueSpec:
			declared := spec.Names[0].Name
			if len(spec.Values) > 0 {
				r.values[declared] = spec.Values[0]
			}
			if spec.Type != nil {
				typ = r.text(spec.Type)
				declared += " " + typ + " = " + r.text(r.values[declared])
			}
			if typ != "" {
				r.constants[typ] = append(r.constants[typ], row{does: declared})
			}
		}
	}
}

// fail records a mismatch, unless there is one.
func (r *reader) fail(where, want, got string) {
	if r.err == nil {
		r.err = &MismatchError{Machine: r.agent, Where: where, Want: want, Got: got}
	}
}

// same records a mismatch if two tables differ.
func (r *reader) same(where string, want, got []row) {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			r.fail(where, want[i].String(), "none")
		case i >= len(want):
			r.fail(where, "no more rows", got[i].String())
		case want[i] != got[i]:
			r.fail(fmt.Sprintf("%s, row %d", where, i+1), want[i].String(), got[i].String())
		}
	}
}

// function returns the statements of a function; nil after a failure.
func (r *reader) function(name string) []ast.Stmt {
	if len(r.funcs[name]) == 0 {
		r.fail(name, "a function", "none")
	}

	return r.funcs[name]
}

// absent records a mismatch if there is a function that should not be.
func (r *reader) absent(name string) {
	if r.funcs[name] != nil {
		r.fail(name, "no function", "one")
	}
}

// text returns the source of a node on one line; "" without a node. No text of a table has a line
// break in it.
func (r *reader) text(n ast.Node) string {
	if n == nil {
		return ""
	}
	file := r.set.File(n.Pos())
	lines := strings.Split(string(r.source[file.Offset(n.Pos()):file.Offset(n.End())]), "\n")

	return strings.Join(ir.Map(lines, strings.TrimSpace), " ")
}

// constant returns the value of a constant text; "" for another expression.
func constant(e ast.Expr) string {
	lit, isLit := e.(*ast.BasicLit)
	if !isLit || lit.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(lit.Value)

	return text
}
