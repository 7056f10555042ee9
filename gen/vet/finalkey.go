package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// FinalKey reports a comparison of the key with which an agent finished with a text that is none of its keys.
var FinalKey = analyzer("finalkey", func(pass *analysis.Pass, known *known) {
	for _, file := range written(pass) {
		ast.Inspect(file, func(n ast.Node) bool {
			checkFinalKeys(pass, known, n)

			return true
		})
	}
})

// checkFinalKeys reports the texts with which a node compares a final key.
func checkFinalKeys(pass *analysis.Pass, known *known, n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op != token.EQL && n.Op != token.NEQ {
			return
		}
		checkFinalKey(pass, known, finalKeyIn(pass, n.X), n.Y, isSame)
		checkFinalKey(pass, known, finalKeyIn(pass, n.Y), n.X, isSame)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			return
		}
		key := finalKeyIn(pass, n.Tag)
		for _, stmt := range n.Body.List {
			for _, expr := range stmt.(*ast.CaseClause).List {
				checkFinalKey(pass, known, key, expr, isSame)
			}
		}
	case *ast.CallExpr:
		is, isSelector := n.Fun.(*ast.SelectorExpr)
		if isSelector && is.Sel.Name == "Is" && len(n.Args) == 1 {
			checkFinalKey(pass, known, finalKeyType(pass.TypesInfo.TypeOf(is.X)), n.Args[0], isFoldedSame)
		}
	}
}

// finalKeyIn returns the type of the key if an expression is the Key of a runtime.Keyed; else nil.
func finalKeyIn(pass *analysis.Pass, expr ast.Expr) *types.TypeName {
	selector, isSelector := ast.Unparen(expr).(*ast.SelectorExpr)
	if !isSelector || selector.Sel.Name != "Key" {
		return nil
	}

	return finalKeyType(pass.TypesInfo.TypeOf(selector.X))
}

func isSame(text, key string) bool { return text == key }

func isFoldedSame(text, key string) bool {
	return strings.EqualFold(strings.TrimSpace(text), strings.TrimSpace(key))
}

// checkFinalKey reports a constant text with which a final key is compared and that equals none. Analyzer keytext reports those
// that are one letter away from a key.
func checkFinalKey(pass *analysis.Pass, known *known, key *types.TypeName, expr ast.Expr, equals func(text, key string) bool) {
	value := pass.TypesInfo.Types[expr].Value
	if key == nil || value == nil || value.Kind() != constant.String {
		return
	}
	fact := known.machineTypes[key]
	if fact == nil {
		return
	}
	written := constant.StringVal(value)
	var keys []string
	for _, c := range fact.Constants {
		isReported := isNear(written, c.Value) && !isFoldedSame(written, c.Value)
		if equals(written, c.Value) || isReported {
			return
		}
		keys = append(keys, c.Value)
	}

	pass.ReportRangef(expr, "the agent never finishes with the key %q; %s has %s", written, shown(pass, key.Pkg(), key.Name()), listed(keys))
}
