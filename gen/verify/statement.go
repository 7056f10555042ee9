package verify

import (
	"go/ast"
	"strconv"
)

// statement is a statement as it should be written.
type statement struct {
	// where says which one it is.
	where string
	// text is the statement, or what stands before its body.
	text string
	// body is nil for a statement without one.
	body []statement
}

// statements compares statements one by one, and so in their bodies.
func (r *reader) statements(where string, want []statement, got []ast.Stmt) {
	if r.err == nil && len(want) != len(got) {
		r.fail(where, strconv.Itoa(len(want))+" statements", strconv.Itoa(len(got)))
	}
	for i, s := range want {
		if r.err != nil {
			return
		}
		here := where + ", " + s.where
		if s.body == nil {
			r.written(here, s.text, got[i])
			continue
		}
		body := bodyOf(got[i])
		if body == nil {
			r.fail(here, s.text+" and a body", r.text(got[i]))
			return
		}
		r.writtenText(here, s.text, r.between(got[i].Pos(), body.Lbrace))
		r.statements(here, s.body, body.List)
	}
}

// bodyOf returns the body with which a statement ends; nil if it has none, or an else.
func bodyOf(stmt ast.Stmt) *ast.BlockStmt {
	var body *ast.BlockStmt
	switch stmt := stmt.(type) {
	case *ast.ForStmt:
		body = stmt.Body
	case *ast.RangeStmt:
		body = stmt.Body
	case *ast.IfStmt:
		if stmt.Else == nil {
			body = stmt.Body
		}
	}

	return body
}
