package ir

import "strings"

// Prices are what models cost, for budgets of money.
type Prices struct {
	// AsOf is the day for which somebody looked them up, such as 2026-11-22.
	AsOf string
	// Models are sorted by name.
	Models []*ModelPrice
}

// ModelPrice is what a model costs, in millionths of a US dollar for a million tokens.
type ModelPrice struct {
	// Name is provider:model; one that ends in * stands for all models that begin so.
	Name                          Text
	Input, Output, Cached, Stored int64
	// Context bounds a request, in tokens: the provider refuses a longer one; 0 where that is not known.
	Context int `shape:"-"`
}

// Know reports whether a model has a price.
func (p *Prices) Know(model string) bool {
	for _, m := range p.Models {
		if start, open := strings.CutSuffix(m.Name.Value, "*"); m.Name.Value == model || open && strings.HasPrefix(model, start) {
			return true
		}
	}

	return false
}
