package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Verdict says whether a budget can be used up. One with which no run ends is an error of check.
type Verdict string

// The verdicts.
const (
	// Proved: no run uses the budget up.
	Proved Verdict = "proved"
	// Reachable: the bound is higher, so that a run may end because of the budget.
	Reachable Verdict = "reachable"
)

// Proof compares a limit of a budget with the bound of what it limits.
type Proof struct {
	// Of is the agent; "" for the whole run.
	Of string `json:"agent,omitempty"`
	// Limit is calls, tokens or usd; Max and Most are in calls, tokens, or millionths of a dollar.
	Limit string `json:"limit"`
	Max   Amount `json:"max"`
	Most  Amount `json:"at_most"`
	// Verdict is what is proved, and By the part of the bound that is the largest.
	Verdict Verdict `json:"verdict"`
	By      string  `json:"by,omitempty"`
}

// proofs compares the budgets of the run and of the agents that it reaches with the bounds of what they limit.
func (x *analysis) proofs(start *ir.Agent, whole bound) []Proof {
	proofs := proof("", x.program.Budget, whole)
	for _, a := range ir.ReachableFrom(start) {
		proofs = append(proofs, proof(a.Name.Value, a.Budget, x.own[a])...)
	}

	return proofs
}

func proof(of string, budget *ir.Budget, b bound) []Proof {
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
	add("usd", b.most.Micro, Micro(budget.USD))

	return proofs
}
