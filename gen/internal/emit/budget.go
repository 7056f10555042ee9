package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// budget returns the fields of a budget, on one line if they fit there.
func budget(depth int, b *ir.Budget, of *jen.Statement) *jen.Statement {
	return fieldsOf("Tokens", b.Tokens, "USD", b.USD, "Calls", b.Calls, "Time", b.Time).literal(depth, of)
}

// budgetOf emits what a run of an agent may spend.
func budgetOf(f *jen.File, a *ir.Agent) {
	if a.Budget == nil {
		return
	}
	name := names.Budget(a.Name.Value)
	declare(f, name+" is what a run of "+a.Name.Value+" may spend, with all that it starts.",
		jen.Var().Id(name).Op("=").Add(budget(1, a.Budget, in("Budget"))))
}

// limited emits the statement that limits what the rest of a function may spend.
func limited(g *jen.Group, a *ir.Agent) {
	if a.Budget == nil {
		return
	}
	name := a.Name.Value
	g.Defer().Add(in("Limit")).Call(jen.Id("fx"), jen.Lit(name), jen.Op("&").Id(names.Budget(name))).Call()
	g.Line()
}

// budget adds limits, which are no matter of shape: a run that has come to one goes on under a higher one.
func (d *digest) budget(b *ir.Budget) {
	if b != nil {
		d.add("budget", strconv.Itoa(b.Tokens), dollars(b.USD), strconv.Itoa(b.Calls), b.Time.String())
	}
}

func dollars(usd float64) string { return strconv.FormatFloat(usd, 'g', -1, 64) }
