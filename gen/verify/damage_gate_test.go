package verify_test

import (
	"go/ast"
	"slices"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// gate damages the file of a gated agent: its gate as a machine, where a run stands in the gate, and what is compared of any agent.
func (d *damager) gate(tree *ast.File, g *ir.Gate, compared []string) {
	name := d.agent.Name.Value
	own := []string{names.StateType(name), names.KeyType(name)}
	of := &ast.File{}
	for _, decl := range tree.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			switch receiver := receiverOf(decl); {
			case slices.Contains(own, receiver), slices.Contains([]string{names.ParseState(name), names.ParseKey(name)}, decl.Name.Name):
				of.Decls = append(of.Decls, decl)
			case receiver == names.Gate(name), decl.Name.Name == names.NewGate(name):
				d.head(decl)
				d.everything(decl.Body)
			}
		case *ast.GenDecl:
			if decl.Lparen.IsValid() {
				of.Decls = append(of.Decls, decl) // the states and the keys
			}
		}
	}
	d.machine(of, g.Machine)
	d.declarations(tree, append(compared, names.Gate(name), names.GuardsType(name),
		names.LiveMachine(name), names.LiveMemory(name), names.LiveSpec(name)))
}

// receiverOf is the type of a method's receiver; "" for a function.
func receiverOf(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return ""
	}
	receiver := decl.Recv.List[0].Type
	if star, isPointer := receiver.(*ast.StarExpr); isPointer {
		receiver = star.X
	}
	id, isIdent := receiver.(*ast.Ident)
	if !isIdent {
		return ""
	}

	return id.Name
}
