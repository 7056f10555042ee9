package verify

import (
	"go/ast"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// compareKeys compares the constants of the keys of an agent: the keys of its machine's rows, and
// typed, its final keys.
func (r *reader) compareKeys(a *ir.Agent, typed []ir.Text) {
	var keys []ir.Text
	if m := a.MachineOf(); m != nil {
		keys = names.Keys(m)
	}
	final, other := names.FinalConstants(a, typed)
	keyType := names.KeyType(r.agent)
	want := ir.Map(append(keys, other...), func(key ir.Text) row {
		return row{does: names.Key(r.agent, key.Value) + " " + keyType + " = " + strconv.Quote(key.Value)}
	})
	r.compareRows("the keys", want, r.constants[keyType])

	want = ir.Map(final, func(constant string) row { return row{does: constant} })
	r.compareRows("the final keys", want, r.listElements(names.FinalKeys(r.agent)))
}

// listElements returns the elements of a list variable.
func (r *reader) listElements(variable string) []row {
	list, isList := r.values[variable].(*ast.CompositeLit)
	if !isList {
		return nil
	}

	return ir.Map(list.Elts, func(element ast.Expr) row { return row{does: r.sourceText(element)} })
}
