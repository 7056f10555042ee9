package verify

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/parallel"
)

// MismatchError reports a table of an emitted machine that is not that of its source.
type MismatchError struct {
	// Machine is the agent's name.
	Machine string
	// Where is the position in it, such as `Next, state "draft", key "needs-work"`.
	Where string
	// Want is what the program says, Got what was emitted.
	Want, Got string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("agentc emitted Go for %s that is not its source, please report it: %s: want %s, got %s",
		e.Machine, e.Where, e.Want, e.Got)
}

// Files compares the tables of the emitted files with the program they come from.
func Files(p *ir.Program, files []emit.File) error {
	byName := make(map[string]*emit.File, len(files))
	for i := range files {
		byName[files[i].Name] = &files[i]
	}

	errs := make([]error, len(p.Agents))
	parallel.Do(len(errs), func(i int) { errs[i] = agent(p.Agents[i], byName) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}

	return nil
}

// agent compares the file of one agent.
func agent(a *ir.Agent, files map[string]*emit.File) error {
	name := names.File(a.Name.Value)
	f := files[name]
	if f == nil {
		return &MismatchError{Machine: a.Name.Value, Where: name, Want: "a file", Got: "none"}
	}
	compare := comparison(a)
	if compare == nil {
		return nil
	}
	d, err := parse(f)
	if err != nil {
		return err
	}

	r := &reader{decls: d, agent: a.Name.Value}
	compare(r)

	return r.err
}

// comparison returns what compares the file of an agent; nil for one without a table.
func comparison(a *ir.Agent) func(*reader) {
	switch n := a.Node.(type) {
	case *ir.Machine:
		return func(r *reader) { r.machine(n) }
	case *ir.Flow:
		return func(r *reader) { r.flow(n) }
	case *ir.Workflow:
		return func(r *reader) { r.workflow(n) }
	case *ir.React:
		if n.Gate != nil {
			return func(r *reader) { r.gate(n.Gate.Machine) }
		}
	}

	return nil
}

// decls are the declarations of a file.
type decls struct {
	source []byte
	set    *token.FileSet
	file   *ast.File
	// funcs are functions by name, and methods by receiver type and name: App.runX.
	funcs map[string]*ast.FuncDecl
	// types, and constants and variables by name.
	types  map[string]ast.Expr
	values map[string]ast.Expr
	// groups are the parenthesized constants.
	groups []*ast.GenDecl
}

func parse(f *emit.File) (*decls, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, f.Name, f.Content, parser.SkipObjectResolution)
	if err != nil {
		return nil, &emit.BrokenError{Name: f.Name, Source: f.Content, Err: err}
	}

	d := &decls{
		source: f.Content, set: set, file: file,
		funcs: map[string]*ast.FuncDecl{}, types: map[string]ast.Expr{}, values: map[string]ast.Expr{},
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			d.funcs[funcName(decl)] = decl
		case *ast.GenDecl:
			d.general(decl)
		}
	}

	return d, nil
}

func funcName(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return decl.Name.Name
	}
	receiver := decl.Recv.List[0].Type
	if star, isPointer := receiver.(*ast.StarExpr); isPointer {
		receiver = star.X
	}

	return ident(receiver) + "." + decl.Name.Name
}

func (d *decls) general(decl *ast.GenDecl) {
	if decl.Tok == token.CONST && decl.Lparen.IsValid() {
		d.groups = append(d.groups, decl)
	}
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			d.types[spec.Name.Name] = spec.Type
		case *ast.ValueSpec:
			for i, name := range spec.Names {
				if i < len(spec.Values) {
					d.values[name.Name] = spec.Values[i]
				}
			}
		}
	}
}

// text returns the source of a node.
func (d *decls) text(n ast.Node) string {
	file := d.set.File(n.Pos())

	return string(d.source[file.Offset(n.Pos()):file.Offset(n.End())])
}
