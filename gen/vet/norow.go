package vet

import (
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// NoRow reports a call of Next whose state has no row for the key, where both are constants.
var NoRow = analyzer("norow", func(pass *analysis.Pass, known *known) {
	for _, file := range written(pass) {
		if strings.HasSuffix(pass.Fset.File(file.FileStart).Name(), "_test.go") {
			continue // a test may check that there is no row
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, isCall := n.(*ast.CallExpr); isCall {
				checkRow(pass, known, call)
			}

			return true
		})
	}
})

// checkRow reports a call of Next that finds no row.
func checkRow(pass *analysis.Pass, known *known, call *ast.CallExpr) {
	next, isSelector := call.Fun.(*ast.SelectorExpr)
	if !isSelector || next.Sel.Name != "Next" || len(call.Args) == 0 {
		return
	}
	state, machine := known.machineType(pass.TypesInfo.TypeOf(next.X))
	stateValue, keyValue := pass.TypesInfo.Types[next.X].Value, pass.TypesInfo.Types[call.Args[0]].Value
	if machine == nil || machine.Key || stateValue == nil || keyValue == nil {
		return
	}
	name := machine.constant(text(stateValue))
	rows := machine.rowsIn(text(stateValue))
	if name == "" || rows.Any || slices.Contains(rows.Keys, text(keyValue)) {
		return
	}

	shownState := shown(pass, state.Pkg(), name)
	if len(rows.Keys) == 0 {
		pass.ReportRangef(call, "%s has no rows: Next never finds a state", shownState)
		return
	}
	pass.ReportRangef(call, "%s has no row for the key %q; it has rows for %s", shownState, text(keyValue), listed(rows.Keys))
}

// rowsIn returns the rows of the state with a value.
func (m *machineType) rowsIn(state string) stateRows {
	for _, rows := range m.Rows {
		if rows.State == state {
			return rows
		}
	}

	return stateRows{State: state}
}
