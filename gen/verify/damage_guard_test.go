package verify_test

import (
	"go/ast"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
)

// guards damages how guards are asked: in which order, which of them, and what they say.
func (d *damager) guards(tree *ast.File, m *ir.Machine) {
	if !m.Guarded() {
		return
	}
	for _, decl := range tree.Decls {
		fn, isFunc := decl.(*ast.FuncDecl)
		if !isFunc || !strings.HasPrefix(strings.ToLower(fn.Name.Name), "next") {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CaseClause:
				d.tries(n.Body)
			case *ast.CallExpr:
				if selector, is := n.Fun.(*ast.SelectorExpr); is && d.text(selector.X) == "g" {
					d.asks(n, selector)
				}
			}

			return true
		})
	}
}

// tries takes rows away, and changes their order.
func (d *damager) tries(body []ast.Stmt) {
	for i, stmt := range body {
		guarded, isIf := stmt.(*ast.IfStmt)
		if !isIf {
			continue
		}
		d.add("guarded row removed", stmt.Pos(), stmt.End(), "")
		d.add("guard removed", stmt.Pos(), guarded.Body.Lbrace, "if true ")
		d.everything(guarded.Body)
		if i > 0 && d.text(stmt) != d.text(body[i-1]) {
			d.swap("guarded rows swapped", body[i-1], "\n", stmt)
		}
	}
}

// asks changes which guard is asked, and how.
func (d *damager) asks(call *ast.CallExpr, method *ast.SelectorExpr) {
	for _, other := range []string{"Ask", "AskNot", "Else", "CatchAll"} {
		if other != method.Sel.Name {
			d.add("question", method.Sel.Pos(), method.Sel.End(), other)
		}
	}
	for _, arg := range call.Args {
		d.everything(arg)
		d.add("question", arg.Pos(), arg.End(), "false")
	}
}
