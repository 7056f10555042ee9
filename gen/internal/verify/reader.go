package verify

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// reader reads the declarations of one agent and keeps the first mismatch.
type reader struct {
	source []byte
	set    *token.FileSet
	// funcs are functions by name, and methods by receiver type and name: App.runX.
	funcs map[string]*ast.FuncDecl
	// types, and constants and variables by name.
	types, values map[string]ast.Expr
	// groups are the parenthesized constants.
	groups []*ast.GenDecl

	agent string
	// index is where the states of the machine at hand are in the source, by their constants.
	index map[string]int
	err   error
}

func newReader(agent string, f *emit.File) (*reader, error) {
	r := &reader{
		source: f.Content, set: token.NewFileSet(), agent: agent,
		funcs: map[string]*ast.FuncDecl{}, types: map[string]ast.Expr{}, values: map[string]ast.Expr{},
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
			r.funcs[name] = decl
		case *ast.GenDecl:
			r.general(decl)
		}
	}

	return r, nil
}

func (r *reader) general(decl *ast.GenDecl) {
	if decl.Tok == token.CONST && decl.Lparen.IsValid() {
		r.groups = append(r.groups, decl)
	}
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			r.types[spec.Name.Name] = spec.Type
		case *ast.ValueSpec:
			for i, name := range spec.Names {
				if i < len(spec.Values) {
					r.values[name.Name] = spec.Values[i]
				}
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

// equal records a mismatch if two texts differ.
func (r *reader) equal(where, want, got string) {
	if want != got {
		r.fail(where, strconv.Quote(want), strconv.Quote(got))
	}
}

// same records a mismatch if two lists differ.
func (r *reader) same(where string, want, got []string) {
	if !slices.Equal(want, got) {
		r.fail(where, fmt.Sprintf("%q", want), fmt.Sprintf("%q", got))
	}
}

// function returns the statements of a function; nil after a failure.
func (r *reader) function(name string) []ast.Stmt {
	fn := r.funcs[name]
	if fn == nil || fn.Body == nil || len(fn.Body.List) == 0 {
		r.fail(name, "a function", "none")
		return nil
	}

	return fn.Body.List
}

// absent records a mismatch if there is a function that should not be.
func (r *reader) absent(name string) {
	if r.funcs[name] != nil {
		r.fail(name, "no function", "one")
	}
}

// text returns the source of a node on one line; "" without a node. No text of a table has a line break in it.
func (r *reader) text(n ast.Node) string {
	if n == nil {
		return ""
	}
	file := r.set.File(n.Pos())
	lines := strings.Split(string(r.source[file.Offset(n.Pos()):file.Offset(n.End())]), "\n")

	return strings.Join(ir.Map(lines, strings.TrimSpace), " ")
}

// texts returns the sources of nodes.
func (r *reader) texts(list []ast.Expr) []string {
	return ir.Map(list, func(e ast.Expr) string { return r.text(e) })
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
