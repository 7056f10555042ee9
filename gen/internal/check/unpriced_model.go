package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// unpricedModel finds models without a price in prices.yaml or the list prices while a budget
// limits money: a run that may use one does not begin. It is a warning, because the environment may
// set other prices and models.
var unpricedModel = Pass{Name: "unpriced-model", run: func(u *unit) {
	if !u.limitsMoney() {
		return
	}
	reported := map[source.Span]bool{}
	for _, model := range u.program.ModelNames() {
		name := model.Value
		price, _ := u.program.PriceOf(name)
		costsNothing := name == "" || ir.IsFileModel(name)
		isSaid := reported[model.Span] || u.faulty[model.Span]
		if costsNothing || isSaid || price != nil {
			continue
		}
		reported[model.Span] = true
		problem, add := "prices.yaml has no price for %q, although money is limited", "add it"
		if u.program.Prices == nil {
			problem, add = "%q has no list price, and there is no prices.yaml, although money is limited", "add it to prices.yaml"
		}
		u.report(diag.New(diag.UnpricedModel, model.Span, problem, name).
			WithHint(add+": %q: {input: DOLLARS, output: DOLLARS} for a million tokens each", name))
	}
}}

// limitsMoney reports whether a budget of the program limits money.
func (u *unit) limitsMoney() bool {
	return u.program.Budget.LimitsMoney() || slices.ContainsFunc(u.program.Agents, func(a *ir.Agent) bool {
		return a.Budget.LimitsMoney() || len(a.Priced()) > 0
	})
}
