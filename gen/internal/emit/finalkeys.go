package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// emitFinalKeys emits the type and the constants of the final keys of an agent, if they are known.
// They share the type of the keys of a machine's rows.
func emitFinalKeys(f *jen.File, a *ir.Agent, typed []ir.Text) {
	constants, beside := names.FinalConstants(a, typed)
	if constants == nil {
		return
	}
	name := a.Name.Value
	typ := names.KeyType(name)
	what := "The keys with which " + name + " finishes."
	if a.MachineOf() == nil {
		emitDeclaration(f, typ+" is a key with which "+name+" finishes.", jen.Type().Id(typ).String())
	} else {
		what = "The keys with which " + name + " finishes, without the keys of its rows."
	}
	if len(beside) > 0 {
		emitDeclaration(f, what, jen.Const().DefsFunc(func(g *jen.Group) {
			for _, key := range beside {
				g.Add(jen.Id(names.Key(name, key.Value))).Id(typ).Op("=").Lit(key.Value)
			}
		}))
	}
	emitVar(f, names.FinalKeys(name), "are the keys with which "+name+" finishes",
		jen.Index().Id(typ).Values(wrapItems(constants)))
}
