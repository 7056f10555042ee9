package core

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
	"github.com/agentc-dev/agentc/runtime/model"
)

// priceReply sets the cost of a reply, unless the provider has set it, or nothing was used. known
// is false if the price is unknown. listed reports whether it is a list price.
func (r *run) priceReply(request *model.Request, reply *model.Reply) (known, listed bool) {
	if reply.Cost != 0 || reply.Usage == (model.Usage{}) {
		return true, false
	}
	p, known := r.priceOfTurn(modelName(request), reply.Model)
	if known {
		reply.Cost = p.CostOf(reply.Usage)
	}

	return known, p.Listed
}

// priceOfTurn returns the price of a model that was called by one name and has answered by another:
// the first own price, else the first list price.
func (r *run) priceOfTurn(names ...string) (price pricing.Price, known bool) {
	if r.priceOf == nil {
		return pricing.Price{}, false
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
