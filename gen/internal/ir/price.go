package ir

import "strings"

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
