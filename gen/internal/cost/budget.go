package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Verdict is whether a budget can be exhausted. A budget with which no run ends is an error of the
// checks.
type Verdict string

// The verdicts.
const (
	// Proved means that no run exhausts the budget.
	Proved Verdict = "proved"
	// Reachable means that the bound is higher, so a run may end because of the budget.
	Reachable Verdict = "reachable"
)

// Proof compares a limit of a budget with the bound of the limited operation.
type Proof struct {
	// Of is the agent; "" for the whole run.
	Of string `json:"agent,omitempty"`
	// Limit is calls, tokens or usd. Max and Most are in calls, tokens, or millionths of a dollar.
	Limit string `json:"limit"`
	Max   Amount `json:"max"`
	Most  Amount `json:"at_most"`
	// Verdict is the result, and By the largest part of the bound.
	Verdict Verdict `json:"verdict"`
	By      string  `json:"by,omitempty"`
}

// budgetProofs compares the budgets of the run and of its agents with the bounds of what they
// limit.
func (x *analysis) budgetProofs(start *ir.Agent, whole bound) []Proof {
	proofs := compareBudget("", x.program.Budget, whole)
	for _, a := range ir.ReachableFrom(start) {
		proofs = append(proofs, compareBudget(a.Name.Value, a.Budget, x.agentBounds[a])...)
	}

	return proofs
}

func compareBudget(of string, budget *ir.Budget, b bound) []Proof {
	if budget == nil {
		return nil
	}
	var proofs []Proof
	add := func(limit string, most, limited Amount) {
		p := Proof{Of: of, Limit: limit, Max: limited, Most: most, Verdict: Reachable, By: b.main.text}
		switch {
		case limited == 0:
			return
		case most < limited || limit == "calls" && most == limited:
			p.Verdict, p.By = Proved, ""
		}
		proofs = append(proofs, p)
	}
	add("calls", b.most.Calls, amount.Of(budget.Calls))
	add("tokens", b.most.Input.Plus(b.most.Output), amount.Of(budget.Tokens))
	add("usd", b.most.Micro, MicroUSD(budget.USD))

	return proofs
}
