package ir

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/model"
)

// ModelNames returns the names of all models, provider:model each: those of the config with their fallbacks, of agents, of their
// steps, and of the agents that workflows declare. A name is empty where a role counts.
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
			names = append(names, modelsOf(node.Conversations)...)
		}
	}

	return names
}

func modelsOf(steps []*Step) []*Text {
	return Map(steps, func(step *Step) *Text { return &step.Call.Name })
}

// Prefixes of the names of models that no provider answers, but a file of the project.
const (
	ScriptPrefix = "script:"
	ReplayPrefix = "replay:"
)

// Answered reports whether a model is a file of the project, so that no provider is asked.
func Answered(model string) bool {
	return strings.HasPrefix(model, ScriptPrefix) || strings.HasPrefix(model, ReplayPrefix)
}

// ProviderNames returns the providers that the project names, sorted, each once: those of models, and those of which the config says
// something, for the environment may choose a model of theirs.
func (p *Program) ProviderNames() []string {
	var names []string
	for _, model := range p.ModelNames() {
		provider, _, named := strings.Cut(model.Value, ":")
		if named && !Answered(model.Value) {
			names = append(names, provider)
		}
	}
	names = append(names, Map(p.Providers, func(p *Provider) string { return p.Name.Value })...)

	return Sorted(names)
}

// Prices are what models cost, for budgets of money.
type Prices struct {
	// AsOf is the day for which they were looked up, such as 2026-11-22.
	AsOf string
	// Models are sorted by name.
	Models []*ModelPrice
}

// ModelPrice is what a model costs, in millionths of a US dollar for a million tokens.
type ModelPrice struct {
	// Name is provider:model; one that ends in * means all models that begin so.
	Name                          Text
	Input, Output, Cached, Stored int64
	// Context bounds a request, in tokens: the provider refuses a longer one; 0 where that is not known.
	Context int `shape:"-"`
}

// PriceOf returns what a model costs: as the project says, else at the list price; nil if neither is known. listed says that it is the list
// price. The context is that of the list where the project says none.
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

// Of returns the price of a model: that of its own entry, else of the longest one that its name begins with; nil without any.
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
