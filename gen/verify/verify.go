package verify

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
	"github.com/agentc-dev/agentc/gen/parallel"
)

// MismatchError says where emitted Go is not the program.
type MismatchError struct {
	// Machine is the agent's name.
	Machine string
	// Where is the place in it, such as `Next, state "draft", key "needs-work"`.
	Where string
	// Want is what the program says, Got what was emitted.
	Want, Got string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("agentc emitted Go for %s that is not its source, please report it: %s: want %s, got %s",
		e.Machine, e.Where, e.Want, e.Got)
}

// Files compares the emitted files with the program they come from.
func Files(p *ir.Program, files []emit.File) error {
	byName := make(map[string]*emit.File, len(files))
	for i := range files {
		byName[files[i].Name] = &files[i]
	}

	errs := make([]error, len(p.Agents)+5)
	parallel.Do(len(errs), func(i int) {
		switch i {
		case len(p.Agents):
			errs[i] = shared(p, byName)
		case len(p.Agents) + 1:
			errs[i] = tests(p, byName)
		case len(p.Agents) + 2:
			errs[i] = providers(p, byName)
		case len(p.Agents) + 3:
			errs[i] = recordings(p, byName)
		case len(p.Agents) + 4:
			errs[i] = servers(p, byName)
		default:
			errs[i] = agent(p.Agents[i], byName)
		}
	})
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
	d, err := parse(f)
	if _, isWorkflow := a.Node.(*ir.Workflow); isWorkflow && err == nil {
		d, err = d.explicit(f, names.RunType(a.Name.Value))
	}
	if err != nil {
		return err
	}

	r := &reader{decls: d, agent: a.Name.Value}
	switch n := a.Node.(type) {
	case *ir.Machine:
		m := &machine{reader: r, of: a, ir: n, name: r.agent, title: r.agent}
		m.all()
		m.live()
	case *ir.Flow:
		f := &flow{reader: r, of: a, ir: n}
		f.all()
	case *ir.Workflow:
		newWorkflow(r, n).all()
	default:
		r.caller(a)
	}
	for _, c := range conversations(a) {
		r.told(c)
	}
	r.info(a)
	r.budget(a)

	return r.err
}

// decls are the declarations of a file.
type decls struct {
	source []byte
	set    *token.FileSet
	// imports are the paths of what is imported, in the order of the file.
	imports []string
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
		source: f.Content, set: set,
		funcs: map[string]*ast.FuncDecl{}, types: map[string]ast.Expr{}, values: map[string]ast.Expr{},
	}
	for _, spec := range file.Imports {
		imported, _ := literal(spec.Path)
		d.imports = append(d.imports, imported)
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

	return receiverOf(decl) + "." + decl.Name.Name
}

// receiverOf returns the type of a method's receiver.
func receiverOf(decl *ast.FuncDecl) string {
	receiver := decl.Recv.List[0].Type
	if star, isPointer := receiver.(*ast.StarExpr); isPointer {
		receiver = star.X
	}
	if id, isIdent := receiver.(*ast.Ident); isIdent {
		return id.Name
	}

	return "?"
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
func (d *decls) text(n ast.Node) string { return d.between(n.Pos(), n.End()) }

func (d *decls) between(from, to token.Pos) string {
	file := d.set.File(from)

	return string(d.source[file.Offset(from):file.Offset(to)])
}
