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

// FinalKey reports comparisons of the final key of an agent with a text that is not one of its
// keys.
var FinalKey = newAnalyzer("finalkey", func(pass *analysis.Pass, known *generatedTypes) {
	for _, file := range handwrittenFiles(pass) {
		ast.Inspect(file, func(n ast.Node) bool {
			checkFinalKeys(pass, known, n)

			return true
		})
	}
})

// checkFinalKeys reports the texts that a node compares with a final key.
func checkFinalKeys(pass *analysis.Pass, known *generatedTypes, n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op != token.EQL && n.Op != token.NEQ {
			return
		}
		for _, sides := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
			checkFinalKey(pass, known, finalKeyOf(pass, sides[0]), sides[1], isEqual)
			checkFinalKey(pass, known, writtenKeyOf(pass, sides[0]), sides[1], isEqualIgnoringCase)
		}
	case *ast.SwitchStmt:
		if n.Tag == nil {
			return
		}
		key, writtenKey := finalKeyOf(pass, n.Tag), writtenKeyOf(pass, n.Tag)
		for _, stmt := range n.Body.List {
			for _, expr := range stmt.(*ast.CaseClause).List {
				checkFinalKey(pass, known, key, expr, isEqual)
				checkFinalKey(pass, known, writtenKey, expr, isEqualIgnoringCase)
			}
		}
	case *ast.CallExpr:
		is, isSelector := n.Fun.(*ast.SelectorExpr)
		if isSelector && is.Sel.Name == "Is" && len(n.Args) == 1 {
			checkFinalKey(pass, known, finalKeyType(pass.TypesInfo.TypeOf(is.X)), n.Args[0], isEqualIgnoringCase)
		}
	}
}

// finalKeyOf returns the type of the key if an expression is the Key of a runtime.Keyed, else nil.
func finalKeyOf(pass *analysis.Pass, expr ast.Expr) *types.TypeName {
	selector, isSelector := ast.Unparen(expr).(*ast.SelectorExpr)
	if !isSelector || selector.Sel.Name != "Key" {
		return nil
	}

	return finalKeyType(pass.TypesInfo.TypeOf(selector.X))
}

// writtenKeyOf returns the type of the key if an expression is the key of a runtime.Keyed as the
// agent wrote it, such as fin.Finish.Key, else nil.
func writtenKeyOf(pass *analysis.Pass, expr ast.Expr) *types.TypeName {
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

func isEqual(text, key string) bool { return text == key }

func isEqualIgnoringCase(text, key string) bool {
	return strings.EqualFold(strings.TrimSpace(text), strings.TrimSpace(key))
}

// checkFinalKey reports a constant that is compared with a final key and equals none. Analyzer
// keytext reports texts of a key's type that are one letter away from a key.
func checkFinalKey(pass *analysis.Pass, known *generatedTypes, key *types.TypeName, expr ast.Expr, equals func(text, key string) bool) {
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

	pass.ReportRangef(expr, "the agent never finishes with the key %q; %s has %s", written, displayName(pass, key.Pkg(), key.Name()), joinNames(keys))
}

// isMisspelled reports whether a text is one letter away from a key, and not a key.
func (m *machineType) isMisspelled(text string) bool {
	isMeant := func(c machineConstant) bool { return isEqualIgnoringCase(text, c.Value) }
	isNearly := func(c machineConstant) bool { return isNear(text, c.Value) }

	return !slices.ContainsFunc(m.Constants, isMeant) && slices.ContainsFunc(m.Constants, isNearly)
}
