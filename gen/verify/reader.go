package verify

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
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

// declaration returns a function that has a body; nil after a failure.
func (r *reader) declaration(name string) *ast.FuncDecl {
	if r.err != nil {
		return nil
	}
	fn := r.funcs[name]
	if fn == nil || fn.Body == nil {
		r.fail(name, "a function", "none")
		return nil
	}

	return fn
}

// function returns the statements of a function; nil after a failure.
func (r *reader) function(name string) []ast.Stmt {
	fn := r.declaration(name)
	if fn == nil {
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

// written records a mismatch if a node is not written as want, apart from white space and comments.
func (r *reader) written(where, want string, n ast.Node) {
	if r.err == nil {
		r.writtenText(where, want, r.text(n))
	}
}

// writtenText is written for a text of the file.
func (r *reader) writtenText(where, want, text string) {
	expected, got := tokens(want), tokens(text)
	for i, t := range expected {
		if i == len(got) || got[i] != t {
			found := "its end"
			if i < len(got) {
				found = got[i]
			}
			r.fail(fmt.Sprintf("%s, token %d", where, i+1), t, found)
			return
		}
	}
	if len(got) > len(expected) {
		r.fail(fmt.Sprintf("%s, token %d", where, len(expected)+1), "its end", got[len(expected)])
	}
}

// writtenFunc compares a whole function.
func (r *reader) writtenFunc(name, want string) {
	if fn := r.declaration(name); fn != nil {
		r.writtenText(name, want, r.between(fn.Type.Func, fn.End()))
	}
}

// head compares what stands before the body of a function.
func (r *reader) head(name, want string) {
	if fn := r.declaration(name); fn != nil {
		r.writtenText(name+", the head", want, r.between(fn.Type.Func, fn.Body.Lbrace))
	}
}

// tokens returns the tokens of Go text. Semicolons, a comma before a closing bracket, how a text is quoted and cut, and how a
// number is written that is not whole, belong to the layout.
func tokens(text string) []string {
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, 0)

	var list []string
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return list
		case tok == token.SEMICOLON:
			continue
		case tok == token.STRING:
			text, _ := strconv.Unquote(literal)
			if n := len(list); n > 1 && list[n-1] == "+" && strings.HasPrefix(list[n-2], `"`) {
				before, _ := strconv.Unquote(list[n-2])
				text, list = before+text, list[:n-2]
			}
			literal = strconv.Quote(text)
		case tok == token.FLOAT:
			if number, err := strconv.ParseFloat(literal, 64); err == nil {
				literal = strconv.FormatFloat(number, 'g', -1, 64)
			}
		case literal == "":
			literal = tok.String()
		}
		closes := tok == token.RPAREN || tok == token.RBRACE || tok == token.RBRACK
		if n := len(list); closes && n > 0 && list[n-1] == "," {
			list = list[:n-1]
		}
		list = append(list, literal)
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

// results returns what the only statement of a case, or the last one of a function, returns: n expressions.
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

// constant returns the value of a constant text: a literal, or literals that are joined.
func constant(e ast.Expr) (string, bool) {
	var parts []string
	for {
		joined, isJoined := e.(*ast.BinaryExpr)
		if !isJoined {
			break
		}
		part, ok := literal(joined.Y)
		if !ok || joined.Op != token.ADD {
			return "", false
		}
		parts = append(parts, part)
		e = joined.X
	}
	first, ok := literal(e)
	parts = append(parts, first)
	slices.Reverse(parts)

	return strings.Join(parts, ""), ok
}

func literal(e ast.Expr) (string, bool) {
	lit, isLit := e.(*ast.BasicLit)
	if !isLit || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)

	return text, err == nil
}

// field is a field of a literal, as it should be written.
type field struct{ name, value string }

// fields compares a composite literal, field by field.
func (r *reader) fields(where, typ string, want []field, e ast.Expr) {
	if r.err != nil {
		return
	}
	literal, isLiteral := e.(*ast.CompositeLit)
	if !isLiteral {
		r.fail(where, "a "+typ, "something else")
		return
	}
	r.written(where, typ, literal.Type)
	for i := range max(len(want), len(literal.Elts)) {
		switch {
		case i >= len(literal.Elts):
			r.fail(where, "field "+want[i].name, "none")
		case i >= len(want):
			r.fail(where, "no more fields", r.text(literal.Elts[i]))
		default:
			r.written(where+", field "+want[i].name, want[i].name+": "+want[i].value, literal.Elts[i])
		}
	}
}

// textOf compares a constant text.
func (r *reader) textOf(name, want string) {
	if r.err != nil {
		return
	}
	got, isText := constant(r.values[name])
	if !isText {
		r.fail(name, "a text", "something else")
		return
	}
	r.equal(name, want, got)
}

// numberOf compares a variable that holds a number.
func (r *reader) numberOf(name string, want float64) {
	if r.err != nil {
		return
	}
	lit, isLit := r.values[name].(*ast.BasicLit)
	if isLit {
		if got, err := strconv.ParseFloat(lit.Value, 64); err == nil && got == want {
			return
		}
	}
	r.fail(name, strconv.FormatFloat(want, 'g', -1, 64), "another value")
}
