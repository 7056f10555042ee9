package pricing

import (
	"cmp"
	"math"
	"math/bits"
	"strings"

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

// CostOf returns what a turn costs, in millionths of a US dollar, rounded up.
func (p Price) CostOf(u model.Usage) int64 {
	cached := min(max(u.Cached, 0), max(u.Input, 0))
	stored := min(max(u.Stored, 0), max(u.Input, 0)-cached)
	cost := budget.AddAmounts(multiplyPrice(p.Input, u.Input-cached-stored), multiplyPrice(p.Output, u.Output))

	return budget.AddAmounts(cost, budget.AddAmounts(multiplyPrice(cmp.Or(p.Cached, p.Input), cached), multiplyPrice(cmp.Or(p.Stored, p.Input), stored)))
}

// multiplyPrice returns the price of a number of tokens. It does not overflow.
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

// Lookup returns a function that looks up prices by the names of models. List prices are for
// models without one.
func Lookup(models []model.Price) func(name string) (price Price, known bool) {
	return func(name string) (Price, bool) {
		if price, known := findPrice(models, name); known {
			return price, true
		}
		listed, known := model.ListPrice(name)
		price := withAllParts(&listed)
		price.Listed = known

		return price, known
	}
}

// findPrice returns the price of a model: its own entry, else the entry with the longest prefix of
// its name, which ends in *.
func findPrice(models []model.Price, name string) (price Price, known bool) {
	longest := -1
	for i := range models {
		m := &models[i]
		start, open := strings.CutSuffix(m.Name, "*")
		switch {
		case !open && m.Name == name:
			return withAllParts(m), true
		case open && strings.HasPrefix(name, start) && len(start) > longest:
			price, known, longest = withAllParts(m), true, len(start)
		}
	}

	return price, known
}

// withAllParts returns a price with all of its parts.
func withAllParts(m *model.Price) Price {
	orNothing := func(n int64) int64 {
		if n == 0 {
			return -1
		}

		return n
	}

	return Price{Input: m.Input, Output: m.Output, Cached: orNothing(m.Cached), Stored: orNothing(m.Stored)}
}
