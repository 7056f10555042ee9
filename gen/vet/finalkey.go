package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// FinalKey reports a comparison of the key with which an agent finished with a text that is none of
// its keys.
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
		for _, sides := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
			checkFinalKey(pass, known, finalKeyIn(pass, sides[0]), sides[1], isSame)
			checkFinalKey(pass, known, writtenKeyIn(pass, sides[0]), sides[1], isFoldedSame)
		}
	case *ast.SwitchStmt:
		if n.Tag == nil {
			return
		}
		key, writtenKey := finalKeyIn(pass, n.Tag), writtenKeyIn(pass, n.Tag)
		for _, stmt := range n.Body.List {
			for _, expr := range stmt.(*ast.CaseClause).List {
				checkFinalKey(pass, known, key, expr, isSame)
				checkFinalKey(pass, known, writtenKey, expr, isFoldedSame)
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

// writtenKeyIn returns the type of the key if an expression is the key of a runtime.Keyed as the
// agent wrote it, such as fin.Finish.Key; else nil.
func writtenKeyIn(pass *analysis.Pass, expr ast.Expr) *types.TypeName {
	selector, isSelector := ast.Unparen(expr).(*ast.SelectorExpr)
	if !isSelector || selector.Sel.Name != "Key" {
		return nil
	}
	finish, isSelector := ast.Unparen(selector.X).(*ast.SelectorExpr)
	if !isSelector || finish.Sel.Name != "Finish" {
		return nil
	}

	return finalKeyType(pass.TypesInfo.TypeOf(finish.X))
}

func isSame(text, key string) bool { return text == key }

func isFoldedSame(text, key string) bool {
	return strings.EqualFold(strings.TrimSpace(text), strings.TrimSpace(key))
}

// checkFinalKey reports a constant with which a final key is compared and that equals none.
// Analyzer keytext reports the texts of a key's type that are one letter away from a key.
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
	_, keyType := known.keyType(pass.TypesInfo.TypeOf(expr))
	if keyType != nil && fact.isMisspelled(written) {
		return
	}
	var keys []string
	for _, c := range fact.finalConstants() {
		if equals(written, c.Value) {
			return
		}
		keys = append(keys, c.Value)
	}

	pass.ReportRangef(expr, "the agent never finishes with the key %q; %s has %s", written, shown(pass, key.Pkg(), key.Name()), listed(keys))
}

// isMisspelled reports whether a text is no key and one letter away from one.
func (m *machineType) isMisspelled(text string) bool {
	isMeant := func(c machineConstant) bool { return isFoldedSame(text, c.Value) }
	isNearly := func(c machineConstant) bool { return isNear(text, c.Value) }

	return !slices.ContainsFunc(m.Constants, isMeant) && slices.ContainsFunc(m.Constants, isNearly)
}
