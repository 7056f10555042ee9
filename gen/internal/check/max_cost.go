package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/cost"
)

// maxCost finds entry points whose runs may cost more than max_cost. Programs with errors are not
// analyzed.
var maxCost = Pass{Name: "max-cost", run: func(u *unit) {
	if u.program.MaxCost == 0 || u.list.HasErrors() {
		return
	}
	most := cost.MicroUSD(u.program.MaxCost)
	for _, e := range cost.BoundEntries(u.program, cost.Options{}) {
		if e.Most.Micro <= most {
			continue
		}
		d := diag.New(diag.MaxCost, u.program.MaxCostAt, "a run of %q may cost %s USD, but max_cost is %s USD",
			e.Name, cost.Dollars(e.Most.Micro), cost.Dollars(most)).WithHint("most of it: %s", e.Main)
		if e.Most.Micro == cost.Unbounded {
			d = diag.New(diag.MaxCost, u.program.MaxCostAt, "the cost of a run of %q has no bound, but max_cost is %s USD",
				e.Name, cost.Dollars(most))
			for _, reason := range e.Unbounded {
				d.Note(noSpan, "no bound: %s; set %s", reason.What, reason.Field)
			}
		}
		if e.ListPrices != "" {
			d.Note(noSpan, "%s", e.PricesNote())
		}
		u.report(d)
	}
}}
