package vet

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// StateSwitch reports a switch over the states or keys of a machine that omits one.
var StateSwitch = analyzer("stateswitch", func(pass *analysis.Pass, known *known) {
	for _, file := range written(pass) {
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SwitchStmt); ok && s.Tag != nil {
				checkSwitch(pass, file, known, s)
			}

			return true
		})
	}
})

// checkSwitch reports s if it is over a type of a machine and misses a constant.
func checkSwitch(pass *analysis.Pass, file *ast.File, machines *known, s *ast.SwitchStmt) {
	name, machine := machines.machineType(pass.TypesInfo.TypeOf(s.Tag))
	if machine == nil {
		return
	}
	values, listsAll := caseValues(pass, s)
	if !listsAll {
		return
	}

	constants := machine.Constants
	if finalKeyIn(pass, s.Tag) != nil {
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
			shown(pass, name.Pkg(), name.Name()), listed(missing)),
		SuggestedFixes: addCases(pass, file, s, name.Pkg(), missing),
	})
}

// caseValues returns the values of all cases. listsAll is false if they are not all that the switch
// handles: it has a default, or a case whose value only a run knows.
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
			values[text(value)] = true
		}
	}

	return values, true
}

// addCases is the fix that adds an empty case for each constant; none if the file cannot write
// their names there.
func addCases(pass *analysis.Pass, file *ast.File, s *ast.SwitchStmt, pkg *types.Package, constants []string) []analysis.SuggestedFix {
	var cases bytes.Buffer
	if onOneLine(pass, s) {
		cases.WriteByte('\n')
	}
	for _, constant := range constants {
		spelled, ok := spelling{pass, file, s.Body.Rbrace}.of(pkg, constant)
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

// onOneLine reports whether the closing brace of s follows something else in its line.
func onOneLine(pass *analysis.Pass, s *ast.SwitchStmt) bool {
	before := s.Body.Lbrace
	if n := len(s.Body.List); n > 0 {
		before = s.Body.List[n-1].End()
	}

	return pass.Fset.Position(before).Line == pass.Fset.Position(s.Body.Rbrace).Line
}
