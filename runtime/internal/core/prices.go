package core

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// pricesVariable names a file whose prices count instead of those that the program was built with: prices change more often than programs.
const pricesVariable = "AGENTC_PRICES"

// findPrices finds what models cost in a run: what Go code says, else the file that the environment names, else what the program knows.
func (r *run) findPrices() error {
	if r.priceOf != nil {
		return nil
	}
	var prices *model.Prices
	if r.program != nil {
		prices = r.program.Prices
	}
	if file, ok := r.engine.config.Env(pricesVariable); ok && file != "" {
		var err error
		if prices, err = readPrices(file); err != nil {
			return &runtime.BadSettingError{Name: pricesVariable, Value: file, Problem: "cannot be used: " + err.Error()}
		}
	}
	if prices != nil {
		r.priceOf = PriceIn(prices.Models)
	}

	return nil
}

// PriceIn looks up what models cost, by their names.
func PriceIn(models []model.Price) func(name string) (price Price, known bool) {
	return func(name string) (Price, bool) { return priceIn(models, name) }
}

// priceIn is the price of a model: that of its own entry, else of the longest one that ends in * and that its name begins with.
func priceIn(models []model.Price, name string) (price Price, known bool) {
	longest := -1
	for i := range models {
		m := &models[i]
		start, open := strings.CutSuffix(m.Name, "*")
		switch {
		case !open && m.Name == name:
			return priceOf(m), true
		case open && strings.HasPrefix(name, start) && len(start) > longest:
			price, known, longest = priceOf(m), true, len(start)
		}
	}

	return price, known
}

// priceOf is a price whose every part is said.
func priceOf(m *model.Price) Price {
	said := func(n int64) int64 {
		if n == 0 {
			return -1
		}

		return n
	}

	return Price{Input: m.Input, Output: m.Output, Cached: said(m.Cached), Stored: said(m.Stored)}
}
