package ir

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/model"
)

// ModelNames returns the names of all models, each as provider:model: models of the config with
// their fallbacks, and those of agents, of their steps, and of the agents that workflows declare. A
// name is empty if a role selects the model.
func (p *Program) ModelNames() []*Text {
	var names []*Text
	for _, m := range p.Models {
		names = append(names, &m.Name)
		for i := range m.Fallback {
			names = append(names, &m.Fallback[i])
		}
	}
	for _, a := range p.Agents {
		names = append(names, &a.Call.Name)
		switch node := a.Node.(type) {
		case *Flow:
			names = append(names, stepModels(node.Conversations)...)
		}
	}

	return names
}

func stepModels(steps []*Step) []*Text {
	return Map(steps, func(step *Step) *Text { return &step.Call.Name })
}

// Prefixes of the names of models that a file of the project answers, and no provider.
const (
	ScriptPrefix = "script:"
	ReplayPrefix = "replay:"
)

// IsFileModel reports whether a file of the project answers for the model, so that no provider is
// called.
func IsFileModel(model string) bool {
	return strings.HasPrefix(model, ScriptPrefix) || strings.HasPrefix(model, ReplayPrefix)
}

// ProviderNames returns the providers that the project names, sorted, each once: those of models,
// and those in the config, because the environment may select one of their models.
func (p *Program) ProviderNames() []string {
	var names []string
	for _, model := range p.ModelNames() {
		provider, _, named := strings.Cut(model.Value, ":")
		if named && !IsFileModel(model.Value) {
			names = append(names, provider)
		}
	}
	names = append(names, Map(p.Providers, func(p *Provider) string { return p.Name.Value })...)

	return Sorted(names)
}

// Prices are the prices of models, for budgets of money.
type Prices struct {
	// AsOf is the day of the prices, such as 2026-11-22.
	AsOf string
	// Models are sorted by name.
	Models []*ModelPrice
}

// ModelPrice is the price of a model, in millionths of a US dollar for a million tokens.
type ModelPrice struct {
	// Name is provider:model. A name that ends in * means all models with the prefix.
	Name                          Text
	Input, Output, Cached, Stored int64
	// Context bounds a request, in tokens: the provider refuses a longer one. It is 0 if it is not
	// known.
	Context int `shape:"-"`
}

// PriceOf returns the price of a model: the price in the project, otherwise the list price; nil if
// neither is known. listed reports whether it is the list price. Without a context in the project,
// the context is the one of the list.
func (p *Program) PriceOf(name string) (price *ModelPrice, listed bool) {
	own := p.Prices.Of(name)
	list, known := model.ListPrice(name)
	switch {
	case own != nil && (own.Context > 0 || !known):
		return own, false
	case own != nil:
		price := *own
		price.Context = list.Context
		return &price, false
	case !known:
		return nil, false
	}

	return &ModelPrice{
		Name: Text{Value: list.Name}, Input: list.Input, Output: list.Output, Cached: list.Cached, Stored: list.Stored, Context: list.Context,
	}, true
}

// Of returns the price of a model: the entry with its name, otherwise the one with the longest
// prefix; nil without one.
func (p *Prices) Of(model string) *ModelPrice {
	if p == nil {
		return nil
	}
	var found *ModelPrice
	for _, m := range p.Models {
		start, open := strings.CutSuffix(m.Name.Value, "*")
		switch {
		case m.Name.Value == model:
			return m
		case open && strings.HasPrefix(model, start) && (found == nil || len(m.Name.Value) > len(found.Name.Value)):
			found = m
		}
	}

	return found
}
