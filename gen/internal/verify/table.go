package verify

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// row is a row of a table that switches make: the cases that it is in, "" where it is in none or in that of all others, the guard
// before it, and what is done.
type row struct{ state, key, guard, does string }

func (r row) String() string {
	return strings.Join(slices.DeleteFunc([]string{r.state, r.key, r.guard, r.does}, func(part string) bool { return part == "" }), ": ")
}

// rows reads the rows of some statements, in their order. at is the cases and the guard around them.
func (r *reader) rows(at row, body []ast.Stmt) []row {
	var rows []row
	for _, stmt := range body {
		one := at
		switch stmt := stmt.(type) {
		case *ast.SwitchStmt:
			rows = append(rows, r.cases(at, stmt)...)
			continue
		case *ast.IfStmt:
			if stmt.Init == nil && stmt.Else == nil {
				one.guard = r.guard(stmt.Cond)
				rows = append(rows, r.rows(one, stmt.Body.List)...)
				continue
			}
		}
		one.does = r.text(stmt)
		rows = append(rows, one)
	}

	return rows
}

// cases reads the rows of a switch over states, over keys or events, or over conditions.
func (r *reader) cases(at row, sw *ast.SwitchStmt) []row {
	var rows []row
	tag := ""
	if sw.Tag != nil {
		tag = r.text(sw.Tag)
	}
	for _, stmt := range sw.Body.List {
		clause := stmt.(*ast.CaseClause)
		values := []string{""}
		if clause.List != nil {
			values = r.texts(clause.List)
		}
		for _, value := range values {
			one := at
			switch {
			case sw.Init != nil:
				one.guard = r.text(sw.Init)
			case tag == "s" || tag == "state":
				one.state = value
			case tag == "key" || tag == "on":
				one.key = value
			default:
				one.guard = tag + value
			}
			rows = append(rows, r.rows(one, clause.Body)...)
		}
	}

	return rows
}

// guard is a condition. One that is an expression of the source is the text that it was made of.
func (r *reader) guard(condition ast.Expr) string {
	call, isCall := condition.(*ast.CallExpr)
	if isCall && len(call.Args) > 1 {
		if of, isSelector := call.Fun.(*ast.SelectorExpr); isSelector && of.Sel.Name == "Allows" {
			return constant(call.Args[1])
		}
	}

	return r.text(condition)
}

// overState reads the switches over the state in a function.
func (r *reader) overState(body []ast.Stmt) []row {
	var rows []row
	ast.Inspect(&ast.BlockStmt{List: body}, func(n ast.Node) bool {
		sw, isSwitch := n.(*ast.SwitchStmt)
		if isSwitch && sw.Tag != nil && r.text(sw.Tag) == "state" {
			rows = append(rows, r.cases(row{}, sw)...)
		}
		return true
	})

	return rows
}

// table reads a method, or the pieces that it was cut into: each has the states up to a bound. The rows are in the order of the states.
func (r *reader) table(typ, name string) []row {
	body := r.function(typ + "." + name)
	if body == nil {
		return nil
	}
	sw, isSwitch := body[0].(*ast.SwitchStmt)
	if !isSwitch || sw.Tag != nil {
		return r.ordered(r.byState(body))
	}

	var rows []row
	from := 0
	for _, piece := range r.rows(row{}, body) {
		to := len(r.index)
		if bound, isBound := strings.CutPrefix(piece.guard, "s <= "); isBound {
			to = r.index[bound] + 1
		}
		call, _, _ := strings.Cut(strings.TrimPrefix(piece.does, "return s."), "(")
		for _, row := range r.byState(r.function(typ + "." + call)) {
			if i, known := r.index[row.state]; known && (i < from || i >= to) {
				r.fail(name, "each state in its piece", row.String())
			}
			rows = append(rows, row)
		}
		from = to
	}
	if from < len(r.index) {
		r.fail(name, "a last piece", "none")
	}

	return r.ordered(rows)
}

// byState reads a switch over the states, and what is behind it. The states that its cases begin with are in the order of the source.
func (r *reader) byState(body []ast.Stmt) []row {
	last := -1
	for _, stmt := range body {
		sw, isSwitch := stmt.(*ast.SwitchStmt)
		if !isSwitch {
			continue
		}
		for _, stmt := range sw.Body.List {
			if list := stmt.(*ast.CaseClause).List; list != nil {
				first := r.index[r.text(list[0])]
				if first <= last {
					r.fail(r.text(list[0]), "cases in the order of the states", "another")
				}
				last = first
			}
		}
	}

	return r.rows(row{}, body)
}

// ordered brings rows into the order of their states; those without one, which end each piece alike, are one at the end.
func (r *reader) ordered(rows []row) []row {
	at := func(one row) int {
		if i, known := r.index[one.state]; known {
			return i
		}
		return len(r.index)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(at(a), at(b)) })

	return slices.CompactFunc(rows, func(a, b row) bool { return a.state == "" && a == b })
}

// sameRows records a mismatch if two tables differ.
func (r *reader) sameRows(where string, want, got []row) {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			r.fail(where, want[i].String(), "none")
		case i >= len(want):
			r.fail(where, "no more rows", got[i].String())
		case want[i] != got[i]:
			r.fail(fmt.Sprintf("%s, row %d", where, i+1), want[i].String(), got[i].String())
		}
	}
}

// valueOf is what a composite literal has in a field, wherever it is in a function; "" without one.
func (r *reader) valueOf(field string, body []ast.Stmt) (value string) {
	ast.Inspect(&ast.BlockStmt{List: body}, func(n ast.Node) bool {
		if pair, isPair := n.(*ast.KeyValueExpr); isPair && r.text(pair.Key) == field {
			value += r.text(pair.Value)
		}
		return true
	})

	return value
}

// assigned is the statement of a function that defines a variable; "" without one.
func (r *reader) assigned(variable string, body []ast.Stmt) string {
	for _, stmt := range body {
		if define, isAssign := stmt.(*ast.AssignStmt); isAssign && define.Tok == token.DEFINE && r.text(define.Lhs[0]) == variable {
			return r.text(stmt)
		}
	}

	return ""
}
