package verify

import (
	"go/ast"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// keys compares the constants of the keys of an agent: those of its machine's rows, and typed,
// those with which it finishes.
func (r *reader) keys(a *ir.Agent, typed []ir.Text) {
	var keys []ir.Text
	if m := a.MachineOf(); m != nil {
		keys = names.Keys(m)
	}
	final, beside := names.FinalConstants(a, typed)
	keyType := names.KeyType(r.agent)
	want := ir.Map(append(keys, beside...), func(key ir.Text) row {
		return row{does: names.Key(r.agent, key.Value) + " " + keyType + " = " + strconv.Quote(key.Value)}
	})
	r.same("the keys", want, r.constants[keyType])

	want = ir.Map(final, func(constant string) row { return row{does: constant} })
	r.same("the final keys", want, r.elements(names.FinalKeys(r.agent)))
}

// elements returns the elements of a variable that is a list.
func (r *reader) elements(variable string) []row {
	list, isList := r.values[variable].(*ast.CompositeLit)
	if !isList {
		return nil
	}

	return ir.Map(list.Elts, func(element ast.Expr) row { return row{does: r.text(element)} })
}
