package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// budget returns the fields of a budget.
func budget(b *ir.Budget, of *jen.Statement) *jen.Statement {
	return of.Add(fieldsOf("Tokens", b.Tokens, "USD", b.USD, "Calls", b.Calls, "Time", b.Time).line())
}

// budgetOf emits what a run of an agent may spend.
func budgetOf(f *jen.File, a *ir.Agent) {
	if a.Budget == nil {
		return
	}
	name := names.Budget(a.Name.Value)
	declare(f, name+" is what a run of "+a.Name.Value+" may spend, with all that it starts.",
		jen.Var().Id(name).Op("=").Add(budget(a.Budget, in("Budget"))))
}

// limited emits the statement that limits what the rest of a function may spend.
func limited(g *jen.Group, a *ir.Agent) {
	if a.Budget == nil {
		return
	}
	name := a.Name.Value
	g.Defer().Add(in("rt.Limit")).Call(jen.Id("fx"), jen.Lit(name), jen.Op("&").Id(names.Budget(name))).Call()
	g.Line()
}
