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
	for _, a := range p.Agents {
		name := a.Name.Value
		if names.File(name) == f.Name {
			return []string{
				"App." + names.Run(name), "App." + names.RunAt(name), "App." + names.Info(name), names.Spec(name), names.Prompt(name),
				names.OutputSchema(name), names.Temperature(name), names.MaxTokens(name),
			}
		}
	}

	return nil
}

func comparedInShared(p *ir.Program) []string {
	list := []string{"App.Run", "App.Program", "App.callTool"}
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
			if decl.Recv != nil && slices.Contains(compared, "App."+name) {
				d.add("name", decl.Name.Pos(), decl.Name.End(), "another")
				d.everything(decl.Type)
				d.everything(decl.Body)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				value, isValue := spec.(*ast.ValueSpec)
				if isValue && slices.Contains(compared, value.Names[0].Name) {
					d.add("name", value.Names[0].Pos(), value.Names[0].End(), "another")
					d.everything(value.Values[0])
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
		case *ast.BasicLit:
			altered := `"altered"`
			if n.Kind != token.STRING {
				altered = "77"
			}
			d.add("value", n.Pos(), n.End(), altered)
		case *ast.CompositeLit:
			d.items(n)
		case *ast.SwitchStmt:
			d.cases(n)
		case *ast.KeyValueExpr:
			return !d.free(n)
		}
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
			d.add("item swapped", item.Pos(), list[i+1].End(), d.text(list[i+1])+", "+d.text(item))
		}
	}
}

// free reports whether a field is not compared: the hashes, and whether there is a picture.
func (d *damager) free(e ast.Expr) bool {
	text := d.text(e)

	return strings.HasPrefix(text, "Shape:") || strings.HasPrefix(text, "Text: ") && !strings.HasPrefix(text, "Text: out") &&
		!strings.HasPrefix(text, "Text: string") || strings.HasPrefix(text, "Graph:")
}
