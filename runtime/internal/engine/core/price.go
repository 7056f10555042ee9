package core

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/budget"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Price is what a model costs, in millionths of a US dollar for a million tokens: 3_000_000 is
// three dollars.
type Price struct {
	Input, Output int64
	// Cached and Stored are for input that came from the provider's cache, and that was put into
	// it; 0: as Input, -1: nothing.
	Cached, Stored int64
	// Listed reports whether it is a list price.
	Listed bool
}

// costOf is what a turn costs, in millionths of a US dollar, rounded up.
func (p Price) costOf(u model.Usage) int64 {
	cached := min(max(u.Cached, 0), max(u.Input, 0))
	stored := min(max(u.Stored, 0), max(u.Input, 0)-cached)
	cost := budget.AddAmounts(multiplyPrice(p.Input, u.Input-cached-stored), multiplyPrice(p.Output, u.Output))

	return budget.AddAmounts(cost, budget.AddAmounts(multiplyPrice(cmp.Or(p.Cached, p.Input), cached), multiplyPrice(cmp.Or(p.Stored, p.Input), stored)))
}

// multiplyPrice is the price of a number of tokens. It does not overflow.
func multiplyPrice(price int64, tokens int) int64 {
	if price <= 0 || tokens <= 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(price), uint64(tokens))
	low, carry := bits.Add64(low, 999_999, 0)
	high += carry
	if high >= 1_000_000 {
		return math.MaxInt64
	}
	cost, _ := bits.Div64(high, low, 1_000_000)

	return int64(min(cost, math.MaxInt64))
}

// priceReply sets the cost of a reply, unless the provider has set it, or nothing was used. known
// is false if the price is unknown. listed reports whether it is a list price.
func (r *run) priceReply(request *model.Request, reply *model.Reply) (known, listed bool) {
	if reply.Cost != 0 || reply.Usage == (model.Usage{}) {
		return true, false
	}
	p, known := r.priceOfTurn(modelName(request), reply.Model)
	if known {
		reply.Cost = p.costOf(reply.Usage)
	}

	return known, p.Listed
}

// priceOfTurn returns the price of a model that was called by one name and has answered by another:
// the first own price, else the first list price.
func (r *run) priceOfTurn(names ...string) (price Price, known bool) {
	if r.priceOf == nil {
		return Price{}, false
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		p, found := r.priceOf(name)
		if found && !p.Listed {
			return p, true
		}
		if found && !known {
			price, known = p, true
		}
	}

	return price, known
}

// modelName returns the model of a request, as provider:model; "" if one model answers for every
// agent.
func modelName(request *model.Request) string {
	if request.Model == nil {
		return ""
	}

	return request.Model.Name
}

// checkPrice returns a *MissingPriceError if money is limited and the cost of the model, or of a
// fallback, is unknown. A script costs nothing.
func (t *modelTurn) checkPrice(request *model.Request) error {
	if !t.fx.scope.LimitsMoney() || t.first.isPlayed() {
		return nil
	}
	names := []string{modelName(request)}
	for m := t.first.next; m != nil; m = m.next {
		names = append(names, m.choice.Name)
	}
	for _, name := range names {
		if !t.fx.run.knowsPrice(name) {
			return &MissingPriceError{Model: name, Agents: []string{request.Agent}}
		}
	}

	return nil
}

// checkPrices finds the models whose prices are unknown although some budget limits what they may
// cost.
func (r *run) checkPrices(reached []*compiled.Agent) []error {
	budget := r.program.Budget
	isRunLimited := budget != nil && budget.USD > 0
	if !isRunLimited && !slices.ContainsFunc(reached, (*compiled.Agent).LimitsMoney) {
		return nil
	}
	spenders := make([]compiled.Spender, len(reached))
	for i, a := range reached {
		spenders[i] = a.Spender()
	}
	limited := compiled.LimitedConversations(isRunLimited, spenders)
	if len(limited) == 0 {
		return nil
	}

	var wants missing
	for _, a := range reached {
		for _, c := range a.Conversations() {
			for _, name := range r.pricedModels(c.Model) {
				if limited[c.Name] && !r.knowsPrice(name) {
					wants.add(c.Name, &MissingPriceError{Model: name})
				}
			}
		}
	}

	return wants.errors()
}

// pricedModels returns the models that a choice means, with their fallbacks. Models that cost
// nothing are left out, and so are missing ones, which are reported elsewhere.
func (r *run) pricedModels(choice *model.Choice) (names []string) {
	switch {
	case choice == nil:
		return nil
	case r.engine.config.Model != nil:
		return []string{choice.Name}
	}
	m, err := Resolve(r.program, choice, r.engine.config.Env)
	if err != nil || isPlayed(m.Provider) {
		return nil
	}
	for _, each := range append([]model.Model{m}, m.Fallback...) {
		names = append(names, each.Name)
	}

	return names
}

func (r *run) knowsPrice(model string) bool {
	if r.priceOf == nil {
		return false
	}
	_, known := r.priceOf(model)

	return known
}
