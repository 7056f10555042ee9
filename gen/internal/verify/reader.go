package verify

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// reader reads the declarations of one agent and keeps the first mismatch. Its methods do nothing once there is one.
type reader struct {
	*decls
	agent string
	err   error
}

// fail records a mismatch.
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
	if r.err != nil {
		return nil
	}
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

// clauses returns the cases of a switch with this tag. A switch with an init statement, or another tag, is a mismatch.
func (r *reader) clauses(where, tag string, stmt ast.Stmt) []*ast.CaseClause {
	sw, isSwitch := stmt.(*ast.SwitchStmt)
	if r.err != nil {
		return nil
	}
	if !isSwitch || sw.Init != nil || (sw.Tag == nil) != (tag == "") || sw.Tag != nil && ident(sw.Tag) != tag {
		r.fail(where, "switch "+tag, "something else")
		return nil
	}

	var clauses []*ast.CaseClause
	for _, stmt := range sw.Body.List {
		clauses = append(clauses, stmt.(*ast.CaseClause))
	}

	return clauses
}

// switches returns the cases of each switch over tag in some statements, however deep, and the number of these switches.
func switches(tag string, body []ast.Stmt) (clauses []*ast.CaseClause, n int) {
	ast.Inspect(&ast.BlockStmt{List: body}, func(node ast.Node) bool {
		sw, isSwitch := node.(*ast.SwitchStmt)
		if !isSwitch || sw.Tag == nil || ident(sw.Tag) != tag {
			return true
		}
		n++
		for _, stmt := range sw.Body.List {
			clauses = append(clauses, stmt.(*ast.CaseClause))
		}
		return true
	})

	return clauses, n
}

// results returns what the only one of some statements returns: n expressions.
func (r *reader) results(where string, n int, body ...ast.Stmt) []ast.Expr {
	if r.err != nil {
		return nil
	}
	if len(body) == 1 {
		if ret, isReturn := body[0].(*ast.ReturnStmt); isReturn && len(ret.Results) == n {
			return ret.Results
		}
	}
	r.fail(where, "a return of "+strconv.Itoa(n), "something else")

	return nil
}

// callOf returns the call of a method or function with this name in a node; nil without one.
func callOf(name string, n ast.Node) *ast.CallExpr {
	var found *ast.CallExpr
	ast.Inspect(n, func(n ast.Node) bool {
		if call, isCall := n.(*ast.CallExpr); isCall && called(call) == name {
			found = call
		}
		return found == nil
	})

	return found
}

// called is the name of the method or function that is called.
func called(call *ast.CallExpr) string {
	if selector, isSelector := call.Fun.(*ast.SelectorExpr); isSelector {
		return selector.Sel.Name
	}

	return ident(call.Fun)
}

// member returns the value of a field of a struct literal; nil without one.
func member(literal ast.Expr, name string) ast.Expr {
	composite, isComposite := literal.(*ast.CompositeLit)
	if !isComposite {
		return nil
	}
	for _, e := range composite.Elts {
		if pair, isPair := e.(*ast.KeyValueExpr); isPair && ident(pair.Key) == name {
			return pair.Value
		}
	}

	return nil
}

// ident returns the name of an identifier; "" for another expression.
func ident(e ast.Expr) string {
	if id, isIdent := e.(*ast.Ident); isIdent {
		return id.Name
	}

	return ""
}

// number returns the text of a number; "" for another expression.
func number(e ast.Expr) string {
	if lit, isLit := e.(*ast.BasicLit); isLit && lit.Kind == token.INT {
		return lit.Value
	}

	return ""
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

// constants returns the values of constant texts.
func constants(list []ast.Expr) []string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = constant(e)
	}

	return texts
}
