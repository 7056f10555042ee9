package vet

import (
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// NoRow reports calls of Next with a constant state and a constant key that have no row.
var NoRow = newAnalyzer("norow", func(pass *analysis.Pass, known *generatedTypes) {
	for _, file := range handwrittenFiles(pass) {
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
func checkRow(pass *analysis.Pass, known *generatedTypes, call *ast.CallExpr) {
	next, isSelector := call.Fun.(*ast.SelectorExpr)
	if !isSelector || next.Sel.Name != "Next" || len(call.Args) == 0 {
		return
	}
	state, machine := known.machineType(pass.TypesInfo.TypeOf(next.X))
	stateValue, keyValue := pass.TypesInfo.Types[next.X].Value, pass.TypesInfo.Types[call.Args[0]].Value
	if machine == nil || machine.Key || stateValue == nil || keyValue == nil {
		return
	}
	name := machine.constantName(factValue(stateValue))
	rows := machine.rowsOfState(factValue(stateValue))
	if name == "" || rows.Any || slices.Contains(rows.Keys, factValue(keyValue)) {
		return
	}

	shownState := displayName(pass, state.Pkg(), name)
	if len(rows.Keys) == 0 {
		pass.ReportRangef(call, "%s has no rows: Next never finds a state", shownState)
		return
	}
	pass.ReportRangef(call, "%s has no row for the key %q; it has rows for %s", shownState, factValue(keyValue), joinNames(rows.Keys))
}

// rowsOfState returns the rows of a state.
func (m *machineType) rowsOfState(state string) stateRows {
	for _, rows := range m.Rows {
		if rows.State == state {
			return rows
		}
	}

	return stateRows{State: state}
}
