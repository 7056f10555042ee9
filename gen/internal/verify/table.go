package verify

import (
	"cmp"
	"go/ast"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// row is a row of a table, read from switches, lists and declarations. state and key are the values
// of its cases, "" outside of a case or in a default. guard is its condition, and does its
// statement or value.
type row struct{ state, key, guard, does string }

func (r row) String() string {
	return strings.Join(slices.DeleteFunc([]string{r.state, r.key, r.guard, r.does}, func(part string) bool { return part == "" }), ": ")
}

// readRows reads the rows of statements, in their order. outer has the cases and the guard around
// them.
func (r *reader) readRows(outer row, body []ast.Stmt) []row {
	var rows []row
	for _, stmt := range body {
		one := outer
		switch stmt := stmt.(type) {
		case *ast.ForStmt:
			rows = append(rows, r.readRows(outer, stmt.Body.List)...)
			continue
		case *ast.SwitchStmt:
			rows = append(rows, r.readCases(outer, stmt)...)
			continue
		case *ast.IfStmt:
			if stmt.Init == nil && stmt.Else == nil {
				one.guard = r.readGuard(stmt.Cond)
				rows = append(rows, r.readRows(one, stmt.Body.List)...)
				continue
			}
		}
		one.does = r.sourceText(stmt)
		rows = append(rows, one)
	}

	return rows
}

// readCases reads the rows of a switch over states, keys, events or conditions.
func (r *reader) readCases(outer row, sw *ast.SwitchStmt) []row {
	var rows []row
	tag := ""
	if sw.Tag != nil {
		tag = r.sourceText(sw.Tag)
	}
	for _, stmt := range sw.Body.List {
		clause := stmt.(*ast.CaseClause)
		values := []string{""}
		if clause.List != nil {
			values = ir.Map(clause.List, func(e ast.Expr) string { return r.sourceText(e) })
		}
		for _, value := range values {
			one := outer
			switch tag {
			case "s", "state":
				one.state = value
			case "key", "on":
				one.key = value
			default:
				one.guard = tag + value
			}
			rows = append(rows, r.readRows(one, clause.Body)...)
		}
	}

	return rows
}

// readGuard returns the text of a condition. For an expression of the source it returns the source
// text.
func (r *reader) readGuard(condition ast.Expr) string {
	call, isCall := condition.(*ast.CallExpr)
	if isCall && len(call.Args) > 1 {
		if selector, isSelector := call.Fun.(*ast.SelectorExpr); isSelector && selector.Sel.Name == "Allows" {
			return unquoteConstant(call.Args[1])
		}
	}

	return r.sourceText(condition)
}

// readTable reads a function, or the pieces that a method of states was cut into. Each piece has
// the states up to a bound.
func (r *reader) readTable(function string) []row {
	body := r.functionBody(function)
	r.checkOrder(body)
	typ, _, _ := strings.Cut(function, ".")
	var rows []row
	from := 0
	for _, one := range r.readRows(row{}, body) {
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
		pieceRows := r.readTable(typ + "." + piece)
		for _, row := range pieceRows {
			if i, isState := r.index[row.state]; isState && (i < from || i >= to) {
				r.recordMismatch(function, "each state in its piece", row.String())
			}
		}
		rows = append(rows, pieceRows...)
		from = to
	}

	return r.sortRows(rows)
}

// checkOrder records a mismatch if the cases of a switch are not in the order of the states.
func (r *reader) checkOrder(body []ast.Stmt) {
	last := -1
	for _, stmt := range body {
		sw, isSwitch := stmt.(*ast.SwitchStmt)
		if !isSwitch || sw.Tag == nil {
			continue
		}
		for _, stmt := range sw.Body.List {
			if list := stmt.(*ast.CaseClause).List; list != nil {
				first := r.index[r.sourceText(list[0])]
				if first <= last {
					r.recordMismatch(r.sourceText(list[0]), "cases in the order of the states", "another")
				}
				last = first
			}
		}
	}
}

// sortRows sorts rows by their states. The rows without a state, which end each piece alike, become
// one row at the end.
func (r *reader) sortRows(rows []row) []row {
	position := func(one row) int {
		if i, isState := r.index[one.state]; isState {
			return i
		}
		return len(r.index)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(position(a), position(b)) })

	return slices.CompactFunc(rows, func(a, b row) bool { return a.state == "" && a == b })
}

// readFields returns the fields of all composite literals in statements or a value, by name or
// index.
func (r *reader) readFields(within ast.Node) []row {
	var rows []row
	if within == nil {
		return nil
	}
	ast.Inspect(within, func(n ast.Node) bool {
		if pair, isPair := n.(*ast.KeyValueExpr); isPair {
			rows = append(rows, row{state: r.sourceText(pair.Key), does: r.sourceText(pair.Value)})
		}
		return true
	})

	return rows
}

// readEntries returns the fields of the outermost composite literals in a value, by name or index.
func (r *reader) readEntries(within ast.Node) []row {
	var rows []row
	if within == nil {
		return nil
	}
	ast.Inspect(within, func(n ast.Node) bool {
		pair, isPair := n.(*ast.KeyValueExpr)
		if isPair {
			rows = append(rows, row{state: r.sourceText(pair.Key), does: r.sourceText(pair.Value)})
		}
		return !isPair
	})

	return rows
}
