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
	// funcs are the bodies of functions, by name, and of methods, by receiver type and name:
	// App.runX.
	funcs map[string][]ast.Stmt
	// values are the values of constants and variables, and the definitions of types, by name.
	values map[string]ast.Expr
	// constants are the constants of each type.
	constants map[string][]row

	agent string
	fixed names.Fixed
	// index maps the state constants of the current machine to their positions in the source.
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
				name = strings.TrimPrefix(r.sourceText(decl.Recv.List[0].Type), "*") + "." + name
			}
			r.funcs[name] = decl.Body.List
		case *ast.GenDecl:
			r.readGeneral(decl)
		}
	}

	return r, nil
}

// readGeneral reads constants, variables and types.
func (r *reader) readGeneral(decl *ast.GenDecl) {
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
				typ = r.sourceText(spec.Type)
				declared += " " + typ + " = " + r.sourceText(r.values[declared])
			}
			if typ != "" {
				r.constants[typ] = append(r.constants[typ], row{does: declared})
			}
		}
	}
}

// recordMismatch records a mismatch, unless there is one.
func (r *reader) recordMismatch(where, want, got string) {
	if r.err == nil {
		r.err = &MismatchError{Machine: r.agent, Where: where, Want: want, Got: got}
	}
}

// compareRows records a mismatch if two tables differ.
func (r *reader) compareRows(where string, want, got []row) {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			r.recordMismatch(where, want[i].String(), "none")
		case i >= len(want):
			r.recordMismatch(where, "no more rows", got[i].String())
		case want[i] != got[i]:
			r.recordMismatch(fmt.Sprintf("%s, row %d", where, i+1), want[i].String(), got[i].String())
		}
	}
}

// functionBody returns the statements of a function; nil if there are none.
func (r *reader) functionBody(name string) []ast.Stmt {
	if len(r.funcs[name]) == 0 {
		r.recordMismatch(name, "a function", "none")
	}

	return r.funcs[name]
}

// requireAbsent records a mismatch if a function exists.
func (r *reader) requireAbsent(name string) {
	if r.funcs[name] != nil {
		r.recordMismatch(name, "no function", "one")
	}
}

// sourceText returns the source of a node on one line; "" for nil. No text of a table contains a
// line break.
func (r *reader) sourceText(n ast.Node) string {
	if n == nil {
		return ""
	}
	file := r.set.File(n.Pos())
	lines := strings.Split(string(r.source[file.Offset(n.Pos()):file.Offset(n.End())]), "\n")

	return strings.Join(ir.Map(lines, strings.TrimSpace), " ")
}

// unquoteConstant returns the value of a string constant; "" for another expression.
func unquoteConstant(e ast.Expr) string {
	lit, isLit := e.(*ast.BasicLit)
	if !isLit || lit.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(lit.Value)

	return text
}
