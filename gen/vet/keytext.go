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
var KeyText = analyzer("keytext", func(pass *analysis.Pass, known *known) {
	for _, file := range written(pass) {
		ast.Inspect(file, keyTexts{pass, file, known}.visit)
	}
})

// keyTexts looks for texts of keys in a file.
type keyTexts struct {
	pass  *analysis.Pass
	file  *ast.File
	known *known
}

func (k keyTexts) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			k.comparison(n)
		}
	case *ast.SwitchStmt:
		k.textSwitch(n)
	}
	if expr, ok := n.(ast.Expr); ok {
		return !k.text(expr)
	}

	return true
}

// text reports an expression that makes a key of a constant text. done says that nothing in it is
// left to be looked at.
func (k keyTexts) text(expr ast.Expr) (done bool) {
	value := k.pass.TypesInfo.Types[expr].Value
	key, machine := k.known.keyType(k.pass.TypesInfo.TypeOf(expr))
	if value == nil || machine == nil {
		return false
	}
	if !k.isText(expr) {
		return true
	}
	if name := machine.constant(text(value)); name != "" {
		k.report(expr, k.constantFor(expr, key, name), "the key %q is written as text; %s stops the build when the key goes",
			constant.StringVal(value), shown(k.pass, key.Pkg(), name))
	} else {
		k.misspelled(expr, key, machine)
	}

	return true
}

// misspelled reports a constant text that is no key and nearly one. The machine never has it: what
// is written for it never happens.
func (k keyTexts) misspelled(expr ast.Expr, key *types.TypeName, machine *machineType) {
	value := constant.StringVal(k.pass.TypesInfo.Types[expr].Value)
	isSame := func(c machineConstant) bool { return strings.EqualFold(strings.TrimSpace(value), c.Value) } // as an answer is read
	if slices.ContainsFunc(machine.Constants, isSame) {
		return
	}
	for _, c := range machine.Constants {
		if isNear(value, c.Value) {
			k.report(expr, nil, "no key is %q; %s is %q", value, shown(k.pass, key.Pkg(), c.Name), c.Value)
			return
		}
	}
}

// isNear reports whether one slip of the fingers makes one text of the other. Most words of two
// letters are nearly another one.
func isNear(a, b string) bool {
	const least = 3

	return max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) >= least && diag.Distance(a, b) == 1
}

// comparison reports string(key) == "open".
func (k keyTexts) comparison(c *ast.BinaryExpr) {
	for _, sides := range [][2]ast.Expr{{c.X, c.Y}, {c.Y, c.X}} {
		if key := k.keyOf(sides[0]); key == nil {
			continue
		} else if name := k.constantOf(key, sides[1]); name != "" {
			k.report(c, nil, "this compares the text of a key; compare the key itself with %s", shown(k.pass, key.Pkg(), name))
		}
	}
}

// textSwitch reports a switch over the text of a key that has a case for one of its constants.
func (k keyTexts) textSwitch(s *ast.SwitchStmt) {
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
		k.report(s.Tag, nil, "this switch is over the text of a key; switch over the key itself with the constants of %s",
			shown(k.pass, key.Pkg(), key.Name()))
	}
}

// keyOf returns the type of the key that expr is the text of: string(key); nil for anything else.
func (k keyTexts) keyOf(expr ast.Expr) *types.TypeName {
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	if !ok || !k.pass.TypesInfo.Types[call.Fun].IsType() || !types.Identical(k.pass.TypesInfo.TypeOf(call.Fun), types.Typ[types.String]) {
		return nil
	}
	// A comparison with the text of a constant asks how the key is written.
	key, machine := k.known.keyType(k.pass.TypesInfo.TypeOf(call.Args[0]))
	if machine == nil || k.pass.TypesInfo.Types[call.Args[0]].Value != nil {
		return nil
	}

	return key
}

// constantOf returns the name of the key's constant whose text expr is; "" if it is none. A text
// that is nearly one is reported.
func (k keyTexts) constantOf(key *types.TypeName, expr ast.Expr) string {
	value := k.pass.TypesInfo.Types[expr].Value
	if value == nil || value.Kind() != constant.String || !k.isText(expr) {
		return ""
	}
	machine := k.known.machineTypes[key]
	name := machine.constant(text(value))
	if name == "" {
		k.misspelled(expr, key, machine)
	}

	return name
}

// isText reports whether a constant expression is made of texts alone: no part of it is a constant
// of a key.
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

// constantFor is the fix that writes a constant of the key's machine instead of expr; none if the
// file cannot name it.
func (k keyTexts) constantFor(expr ast.Expr, key *types.TypeName, name string) []analysis.SuggestedFix {
	spelled, ok := spelling{k.pass, k.file, expr.Pos()}.of(key.Pkg(), name)
	if !ok {
		return nil
	}
	edit := analysis.TextEdit{Pos: expr.Pos(), End: expr.End(), NewText: []byte(spelled)}

	return []analysis.SuggestedFix{{Message: "Use the constant", TextEdits: []analysis.TextEdit{edit}}}
}

func (k keyTexts) report(expr ast.Expr, fixes []analysis.SuggestedFix, format string, args ...any) {
	k.pass.Report(analysis.Diagnostic{
		Pos: expr.Pos(), End: expr.End(), Message: fmt.Sprintf(format, args...), SuggestedFixes: fixes,
	})
}
