package vet

import (
	"go/ast"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// readRows returns the rows of a type of states. It reads the generated variable with the keys of
// the rows, and CanonicalKey.
func readRows(pass *analysis.Pass, state types.Type) []stateRows {
	r := &rowReader{pass: pass, state: state, at: map[string]int{}}
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.GenDecl:
				r.readKeyLists(decl)
			case *ast.FuncDecl:
				if decl.Name.Name == "CanonicalKey" && decl.Recv != nil && types.Identical(pass.TypesInfo.TypeOf(decl.Recv.List[0].Type), state) {
					r.readCatchAlls(decl)
				}
			}
		}
	}

	return r.rows
}

// rowReader collects the rows of a type of states. at maps the value of a state to the index of its
// rows.
type rowReader struct {
	pass  *analysis.Pass
	state types.Type
	rows  []stateRows
	at    map[string]int
}

// rowsFor returns the rows of a state, which it adds if necessary.
func (r *rowReader) rowsFor(state string) *stateRows {
	i, isKnown := r.at[state]
	if !isKnown {
		i = len(r.rows)
		r.at[state] = i
		r.rows = append(r.rows, stateRows{State: state})
	}

	return &r.rows[i]
}

// readKeyLists reads the keys by state from a variable of type rt.KeyLists.
func (r *rowReader) readKeyLists(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		value, isValue := spec.(*ast.ValueSpec)
		if !isValue || len(value.Values) != 1 {
			continue
		}
		list, isList := value.Values[0].(*ast.CompositeLit)
		if !isList || !r.isKeyLists(r.pass.TypesInfo.TypeOf(list)) {
			continue
		}
		for _, element := range list.Elts {
			pair, isPair := element.(*ast.KeyValueExpr)
			if !isPair {
				continue
			}
			rows := r.rowsFor(r.constantValue(pair.Key))
			if keys, isList := pair.Value.(*ast.CompositeLit); isList {
				for _, key := range keys.Elts {
					rows.Keys = append(rows.Keys, r.constantValue(key))
				}
			}
		}
	}
}

func (r *rowReader) isKeyLists(t types.Type) bool {
	lists, isNamed := types.Unalias(t).(*types.Named)

	return isNamed && lists.Obj().Name() == "KeyLists" && lists.TypeArgs().Len() > 0 && types.Identical(lists.TypeArgs().At(0), r.state)
}

// readCatchAlls reads the states with a row for every key: the cases of CanonicalKey.
func (r *rowReader) readCatchAlls(method *ast.FuncDecl) {
	ast.Inspect(method.Body, func(n ast.Node) bool {
		if clause, isClause := n.(*ast.CaseClause); isClause {
			for _, state := range clause.List {
				r.rowsFor(r.constantValue(state)).Any = true
			}
		}

		return true
	})
}

// constantValue returns the value of a constant as facts contain it, or "".
func (r *rowReader) constantValue(expr ast.Expr) string {
	value := r.pass.TypesInfo.Types[expr].Value
	if value == nil || value.Kind() == constant.Unknown {
		return ""
	}

	return factValue(value)
}
