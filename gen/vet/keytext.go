package vet

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"

	"github.com/agentc-dev/agentc/gen/diag"
)

// KeyText reports the text of a key if there is a constant for the key.
var KeyText = newAnalyzer("keytext", func(pass *analysis.Pass, known *generatedTypes) {
	for _, file := range handwrittenFiles(pass) {
		ast.Inspect(file, keyTexts{pass, file, known}.checkNode)
	}
})

// keyTexts finds texts of keys in a file.
type keyTexts struct {
	pass  *analysis.Pass
	file  *ast.File
	known *generatedTypes
}

func (k keyTexts) checkNode(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			k.checkComparison(n)
		}
	case *ast.SwitchStmt:
		k.checkTextSwitch(n)
	}
	if expr, ok := n.(ast.Expr); ok {
		return !k.checkKeyText(expr)
	}

	return true
}

// checkKeyText reports an expression that converts a constant text to a key. done is true if
// nothing in it remains to be checked.
func (k keyTexts) checkKeyText(expr ast.Expr) (done bool) {
	value := k.pass.TypesInfo.Types[expr].Value
	key, machine := k.known.keyType(k.pass.TypesInfo.TypeOf(expr))
	if value == nil || machine == nil {
		return false
	}
	if !k.isText(expr) {
		return true
	}
	if name := machine.constantName(factValue(value)); name != "" {
		k.reportKeyText(expr, k.constantFix(expr, key, name), "the key %q is written as text; %s stops the build when the key goes",
			constant.StringVal(value), displayName(k.pass, key.Pkg(), name))
	} else {
		k.checkSpelling(expr, key, machine)
	}

	return true
}

// checkSpelling reports a constant text that is nearly a key. The machine never has such a key, so
// the code for it never runs.
func (k keyTexts) checkSpelling(expr ast.Expr, key *types.TypeName, machine *machineType) {
	value := constant.StringVal(k.pass.TypesInfo.Types[expr].Value)
	isSame := func(c machineConstant) bool { return strings.EqualFold(strings.TrimSpace(value), c.Value) } // answers are read this way
	if slices.ContainsFunc(machine.Constants, isSame) {
		return
	}
	for _, c := range machine.Constants {
		if isNear(value, c.Value) {
			k.reportKeyText(expr, nil, "no key is %q; %s is %q", value, displayName(k.pass, key.Pkg(), c.Name), c.Value)
			return
		}
	}
}

// isNear reports whether one typing error makes one text of the other. It is false for short words,
// which are often near each other.
func isNear(a, b string) bool {
	const least = 3

	return max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) >= least && diag.Distance(a, b) == 1
}

// checkComparison reports string(key) == "open".
func (k keyTexts) checkComparison(c *ast.BinaryExpr) {
	for _, sides := range [][2]ast.Expr{{c.X, c.Y}, {c.Y, c.X}} {
		if key := k.keyOf(sides[0]); key == nil {
			continue
		} else if name := k.constantOf(key, sides[1]); name != "" {
			k.reportKeyText(c, nil, "this compares the text of a key; compare the key itself with %s", displayName(k.pass, key.Pkg(), name))
		}
	}
}

// checkTextSwitch reports a switch over the text of a key that has a case for one of its constants.
func (k keyTexts) checkTextSwitch(s *ast.SwitchStmt) {
	key := k.keyOf(s.Tag)
	if key == nil {
		return
	}
	found := false
	for _, stmt := range s.Body.List {
		for _, expr := range stmt.(*ast.CaseClause).List {
			found = k.constantOf(key, expr) != "" || found
		}
	}
	if found {
		k.reportKeyText(s.Tag, nil, "this switch is over the text of a key; switch over the key itself with the constants of %s",
			displayName(k.pass, key.Pkg(), key.Name()))
	}
}

// keyOf returns the type of the key if expr is its text, as in string(key), else nil.
func (k keyTexts) keyOf(expr ast.Expr) *types.TypeName {
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	if !ok || !k.pass.TypesInfo.Types[call.Fun].IsType() || !types.Identical(k.pass.TypesInfo.TypeOf(call.Fun), types.Typ[types.String]) {
		return nil
	}
	// A comparison with the text of a constant is about the spelling of the key.
	key, machine := k.known.keyType(k.pass.TypesInfo.TypeOf(call.Args[0]))
	if machine == nil || k.pass.TypesInfo.Types[call.Args[0]].Value != nil {
		return nil
	}

	return key
}

// constantOf returns the name of the key's constant with the text expr, or "". It reports a text
// that is nearly one.
func (k keyTexts) constantOf(key *types.TypeName, expr ast.Expr) string {
	value := k.pass.TypesInfo.Types[expr].Value
	if value == nil || value.Kind() != constant.String || !k.isText(expr) {
		return ""
	}
	machine := k.known.machineTypes[key]
	name := machine.constantName(factValue(value))
	if name == "" {
		k.checkSpelling(expr, key, machine)
	}

	return name
}

// isText reports whether a constant expression consists of texts only, without constants of keys.
func (k keyTexts) isText(expr ast.Expr) bool {
	texts := true
	ast.Inspect(expr, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if c, ok := k.pass.TypesInfo.Uses[id].(*types.Const); ok {
				_, machine := k.known.keyType(c.Type())
				texts = texts && machine == nil
			}
		}

		return texts
	})

	return texts
}

// constantFix returns the fix that replaces expr by a constant, or nil if the file cannot refer to
// it.
func (k keyTexts) constantFix(expr ast.Expr, key *types.TypeName, name string) []analysis.SuggestedFix {
	spelled, ok := spelling{k.pass, k.file, expr.Pos()}.spell(key.Pkg(), name)
	if !ok {
		return nil
	}
	edit := analysis.TextEdit{Pos: expr.Pos(), End: expr.End(), NewText: []byte(spelled)}

	return []analysis.SuggestedFix{{Message: "Use the constant", TextEdits: []analysis.TextEdit{edit}}}
}

func (k keyTexts) reportKeyText(expr ast.Expr, fixes []analysis.SuggestedFix, format string, args ...any) {
	k.pass.Report(analysis.Diagnostic{
		Pos: expr.Pos(), End: expr.End(), Message: fmt.Sprintf(format, args...), SuggestedFixes: fixes,
	})
}
