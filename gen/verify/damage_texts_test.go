package verify_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// comparedIn returns the declarations of a file that are compared token by token, besides those of a machine.
func comparedIn(p *ir.Program, f emit.File) []string {
	if f.Name == names.SharedFile {
		return comparedInShared(p)
	}
	if f.Name == names.ProvidersFile {
		return []string{names.ProviderParts}
	}
	if f.Name == names.RecordingsFile {
		var list []string
		for _, r := range p.Recordings {
			list = append(list, names.Recording(r.Path))
		}
		return list
	}
	for _, a := range p.Agents {
		name := a.Name.Value
		if names.File(name) == f.Name {
			return comparedInAgent(a)
		}
	}

	return nil
}

func comparedInAgent(a *ir.Agent) []string {
	name := a.Name.Value
	list := []string{"App." + names.Run(name), "App." + names.RunAt(name), "App." + names.Info(name)}
	for _, s := range a.Conversations() {
		of := s.Label(name)
		list = append(list, names.Spec(of), names.Prompt(of), names.OutputSchema(of), names.Temperature(of), names.MaxTokens(of))
	}
	if f, isFlow := a.Node.(*ir.Flow); isFlow {
		ir.Walk(f.Body, func(op ir.Op) {
			if run, isRun := op.(*ir.Run); isRun {
				list = append(list, names.Place(name, run.At.State))
			}
		})
	}

	return list
}

func comparedInShared(p *ir.Program) []string {
	list := []string{"App", "New", "Funcs", "Guards", names.NamedGuards, "App.Run", "App.Program", "App.callTool", "App." + names.FuncByName}
	for _, f := range p.Funcs {
		list = append(list, "App."+names.ApplyFunc(f.Name.Value))
	}
	for _, tool := range p.Tools {
		name := tool.Name.Value
		list = append(list, "App."+names.CallTool(name), names.Tool(name), names.ToolInputSchema(name), names.ToolOutputSchema(name))
	}
	for _, skill := range p.Skills {
		list = append(list, names.Skill(skill.Name.Value), names.SkillBody(skill.Name.Value))
	}
	for _, m := range p.Models {
		list = append(list, names.RoleTemperature(m.Role.Value), names.RoleMaxTokens(m.Role.Value))
	}
	for _, script := range p.Scripts {
		list = append(list, names.Script(script.Path))
	}

	return list
}

// declarations damages whatever can be told apart in these declarations: names, texts, numbers, fields, items and cases.
func (d *damager) declarations(tree *ast.File, compared []string) {
	for _, decl := range tree.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			name := decl.Name.Name
			if decl.Recv != nil {
				name = "App." + name
			}
			if d.file.Name == names.TestFile || slices.Contains(compared, name) {
				d.add("name", decl.Name.Pos(), decl.Name.End(), "another")
				d.everything(decl.Type)
				d.everything(decl.Body)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					if slices.Contains(compared, spec.Names[0].Name) {
						d.add("name", spec.Names[0].Pos(), spec.Names[0].End(), "another")
						d.everything(spec.Values[0])
					}
				case *ast.TypeSpec:
					if slices.Contains(compared, spec.Name.Name) {
						d.everything(spec)
					}
				}
			}
		}
	}
}

func (d *damager) everything(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			d.add("name", n.Pos(), n.End(), "another")
			d.others("exchanged", n, d.exchanged[n.Name])
		case *ast.BasicLit:
			altered := `"altered"`
			if n.Kind != token.STRING {
				altered = "77"
			}
			d.add("value", n.Pos(), n.End(), altered)
		case *ast.CompositeLit:
			d.items(n)
		case *ast.CallExpr:
			d.arguments(n)
		case *ast.SwitchStmt:
			d.cases(n)
		case *ast.StructType:
			d.members(n.Fields.List)
		case *ast.InterfaceType:
			d.members(n.Methods.List)
		case *ast.KeyValueExpr:
			return !d.free(n)
		}
		d.order(n)
		return true
	})
}

// items removes each item of a literal, and swaps each with the next.
func (d *damager) items(literal *ast.CompositeLit) {
	list := literal.Elts
	for i, item := range list {
		if d.free(item) {
			continue
		}
		switch {
		case i+1 < len(list):
			d.add("item removed", item.Pos(), list[i+1].Pos(), "")
		case i > 0:
			d.add("item removed", list[i-1].End(), item.End(), "")
		default:
			d.add("item removed", item.Pos(), literal.Rbrace, "")
		}
		if i+1 < len(list) && !d.free(list[i+1]) {
			d.swap("item swapped", item, ", ", list[i+1])
		}
	}
}

// members removes each field of a struct or method of an interface, and swaps each with the next.
func (d *damager) members(list []*ast.Field) {
	for i, member := range list {
		d.add("member removed", member.Pos(), member.End(), "")
		if i > 0 {
			d.swap("member swapped", list[i-1], "\n", member)
		}
	}
}

// order damages which statements there are, and how their parts are joined.
func (d *damager) order(n ast.Node) {
	switch n := n.(type) {
	case *ast.BlockStmt:
		if len(n.List) > 0 && !isCase(n.List[0]) {
			d.statements(n.List)
		}
	case *ast.CaseClause:
		d.statements(n.Body)
	case *ast.UnaryExpr:
		d.add("operator", n.OpPos, n.X.Pos(), "")
	case *ast.BinaryExpr:
		d.operator(n)
	case *ast.AssignStmt:
		d.assignment(n)
	}
}

// isCase reports whether a statement is a case of a switch, which is damaged by itself.
func isCase(stmt ast.Stmt) bool {
	_, is := stmt.(*ast.CaseClause)

	return is
}

// arguments removes each argument of a call, and swaps each with the next.
func (d *damager) arguments(call *ast.CallExpr) {
	for i, arg := range call.Args {
		if len(call.Args) == 1 && !call.Ellipsis.IsValid() {
			d.add("argument removed", arg.Pos(), call.Rparen, "")
		}
		if i > 0 {
			d.add("argument removed", call.Args[i-1].End(), arg.End(), "")
			d.swap("argument swapped", call.Args[i-1], ", ", arg)
		}
	}
}

// statements removes each statement of a body, and swaps each with the next.
func (d *damager) statements(list []ast.Stmt) {
	for i, stmt := range list {
		d.add("statement removed", stmt.Pos(), stmt.End(), "")
		if i > 0 {
			d.swap("statement swapped", list[i-1], "\n", stmt)
		}
	}
}

// swap swaps two neighbours that differ.
func (d *damager) swap(what string, first ast.Node, between string, second ast.Node) {
	if a, b := d.text(first), d.text(second); a != b {
		d.add(what, first.Pos(), second.End(), b+between+a)
	}
}

// operator turns a comparison around. Texts that are joined are one text, whichever the operator between them would be.
func (d *damager) operator(e *ast.BinaryExpr) {
	another := map[token.Token]string{
		token.EQL: "!=", token.NEQ: "==", token.LEQ: "<", token.LSS: "<=", token.GEQ: ">", token.GTR: ">=", token.LAND: "||",
		token.LOR: "&&",
	}[e.Op]
	if another != "" {
		d.add("operator", e.OpPos, e.OpPos+token.Pos(len(e.Op.String())), another)
	}
}

// assignment makes a new variable of an old one, and the other way round.
func (d *damager) assignment(stmt *ast.AssignStmt) {
	another := ":="
	if stmt.Tok == token.DEFINE {
		another = "="
	}
	d.add("operator", stmt.TokPos, stmt.TokPos+token.Pos(len(stmt.Tok.String())), another)
}

// free reports whether a field is not compared: whether there is a picture.
func (d *damager) free(e ast.Expr) bool { return strings.HasPrefix(d.text(e), "Graph:") }
