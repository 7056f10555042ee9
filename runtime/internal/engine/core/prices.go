package core

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
	"github.com/agentc-dev/agentc/runtime/model"
)

// pricesVariable names a file whose prices replace those with which the program was built: prices
// change more often than programs.
const pricesVariable = "AGENTC_PRICES"

// findPrices finds the prices of a run: those of Go code, else of the file that the environment
// names, else of the program. List prices are for models that these do not have.
func (r *run) findPrices() error {
	if r.priceOf != nil {
		return nil
	}
	prices := &model.Prices{}
	if r.program != nil && r.program.Prices != nil {
		prices = r.program.Prices
	}
	if file, ok := r.engine.config.Env(pricesVariable); ok && file != "" {
		var err error
		prices, err = pricing.ReadFile(file)
		if err != nil {
			return &runtime.BadSettingError{Name: pricesVariable, Value: file, Problem: "cannot be used: " + err.Error()}
		}
	}
	r.priceOf = pricing.Lookup(prices.Models)

	return nil
}
