package vet

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// StateSwitch reports a switch over the states or keys of a machine that omits one.
var StateSwitch = newAnalyzer("stateswitch", func(pass *analysis.Pass, known *generatedTypes) {
	for _, file := range handwrittenFiles(pass) {
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SwitchStmt); ok && s.Tag != nil {
				checkSwitch(pass, file, known, s)
			}

			return true
		})
	}
})

// checkSwitch reports s if it is over a type of a machine and misses a constant.
func checkSwitch(pass *analysis.Pass, file *ast.File, machines *generatedTypes, s *ast.SwitchStmt) {
	name, machine := machines.machineType(pass.TypesInfo.TypeOf(s.Tag))
	if machine == nil {
		return
	}
	values, listsAll := caseValues(pass, s)
	if !listsAll {
		return
	}

	constants := machine.Constants
	if finalKeyOf(pass, s.Tag) != nil {
		constants = machine.finalConstants()
	}
	var missing []string
	for _, c := range constants {
		if !values[c.Value] {
			missing = append(missing, c.Name)
		}
	}
	if len(missing) == 0 {
		return
	}

	pass.Report(analysis.Diagnostic{
		Pos: s.Pos(), End: s.Tag.End(),
		Message: fmt.Sprintf("this switch over %s has no case for %s, and no default",
			displayName(pass, name.Pkg(), name.Name()), joinNames(missing)),
		SuggestedFixes: missingCasesFix(pass, file, s, name.Pkg(), missing),
	})
}

// caseValues returns the values of all cases. listsAll is false if the switch handles other values:
// it has a default, or a case whose value is not constant.
func caseValues(pass *analysis.Pass, s *ast.SwitchStmt) (values map[string]bool, listsAll bool) {
	values = map[string]bool{}
	for _, stmt := range s.Body.List {
		clause := stmt.(*ast.CaseClause)
		if clause.List == nil {
			return nil, false
		}
		for _, expr := range clause.List {
			value := pass.TypesInfo.Types[expr].Value
			if value == nil {
				return nil, false
			}
			values[factValue(value)] = true
		}
	}

	return values, true
}

// missingCasesFix returns the fix that adds an empty case for each constant, or nil if the file
// cannot refer to them.
func missingCasesFix(pass *analysis.Pass, file *ast.File, s *ast.SwitchStmt, pkg *types.Package, constants []string) []analysis.SuggestedFix {
	var cases bytes.Buffer
	if isOnOneLine(pass, s) {
		cases.WriteByte('\n')
	}
	for _, constant := range constants {
		spelled, ok := spelling{pass, file, s.Body.Rbrace}.spell(pkg, constant)
		if !ok {
			return nil
		}
		fmt.Fprintf(&cases, "case %s:\n", spelled)
	}

	return []analysis.SuggestedFix{{
		Message:   "Add the missing cases",
		TextEdits: []analysis.TextEdit{{Pos: s.Body.Rbrace, End: s.Body.Rbrace, NewText: cases.Bytes()}},
	}}
}

// isOnOneLine reports whether the closing brace of s is not at the beginning of its line.
func isOnOneLine(pass *analysis.Pass, s *ast.SwitchStmt) bool {
	before := s.Body.Lbrace
	if n := len(s.Body.List); n > 0 {
		before = s.Body.List[n-1].End()
	}

	return pass.Fset.Position(before).Line == pass.Fset.Position(s.Body.Rbrace).Line
}
