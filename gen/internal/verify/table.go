package verify

import (
	"cmp"
	"go/ast"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// row is a row of a table that switches, lists and declarations make: the cases that it is in, ""
// where it is in none or in that of all others, the guard before it, and what is done, or said.
type row struct{ state, key, guard, does string }

func (r row) String() string {
	return strings.Join(slices.DeleteFunc([]string{r.state, r.key, r.guard, r.does}, func(part string) bool { return part == "" }), ": ")
}

// rows reads the rows of some statements, in their order. at is the cases and the guard around
// them.
func (r *reader) rows(at row, body []ast.Stmt) []row {
	var rows []row
	for _, stmt := range body {
		one := at
		switch stmt := stmt.(type) {
		case *ast.ForStmt:
			rows = append(rows, r.rows(at, stmt.Body.List)...)
			continue
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
			values = ir.Map(clause.List, func(e ast.Expr) string { return r.text(e) })
		}
		for _, value := range values {
			one := at
			switch tag {
			case "s", "state":
				one.state = value
			case "key", "on":
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

// table reads a function, or the pieces that a method of states was cut into: each has the states
// up to a bound.
func (r *reader) table(function string) []row {
	body := r.function(function)
	r.inOrder(body)
	typ, _, _ := strings.Cut(function, ".")
	var rows []row
	from := 0
	for _, one := range r.rows(row{}, body) {
		call, isPiece := strings.CutPrefix(one.does, "return s.")
		if !isPiece {
			rows = append(rows, one)
			continue
		}
		to := len(r.index)
		if bound, isBound := strings.CutPrefix(one.guard, "s <= "); isBound {
			to = r.index[bound] + 1
		}
		piece, _, _ := strings.Cut(call, "(")
		inside := r.table(typ + "." + piece)
		for _, row := range inside {
			if i, known := r.index[row.state]; known && (i < from || i >= to) {
				r.fail(function, "each state in its piece", row.String())
			}
		}
		rows = append(rows, inside...)
		from = to
	}

	return r.ordered(rows)
}

// inOrder records a mismatch if the states that the cases of a switch begin with are not in the
// order of the source.
func (r *reader) inOrder(body []ast.Stmt) {
	last := -1
	for _, stmt := range body {
		sw, isSwitch := stmt.(*ast.SwitchStmt)
		if !isSwitch || sw.Tag == nil {
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
}

// ordered brings rows into the order of their states; those without one, which end each piece
// alike, are one at the end.
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

// fields are what composite literals have, by name or index, wherever they are in some statements
// or a value.
func (r *reader) fields(within ast.Node) []row {
	var rows []row
	if within == nil {
		return nil
	}
	ast.Inspect(within, func(n ast.Node) bool {
		if pair, isPair := n.(*ast.KeyValueExpr); isPair {
			rows = append(rows, row{state: r.text(pair.Key), does: r.text(pair.Value)})
		}
		return true
	})

	return rows
}
