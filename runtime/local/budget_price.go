package local

import (
	"math"
	"math/bits"

	"github.com/agentc-dev/agentc/runtime"
)

// Price is what a model costs, in millionths of a US dollar for a million tokens: 3_000_000 is three dollars.
type Price struct {
	Input, Output int64
}

// of is what a turn costs, in millionths of a US dollar, rounded up.
func (p Price) of(u runtime.Usage) int64 {
	return add(times(p.Input, u.Input), times(p.Output, u.Output))
}

// times is the price of some tokens. What is too much to be counted is the most that can be.
func times(price int64, tokens int) int64 {
	if price <= 0 || tokens <= 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(price), uint64(tokens))
	low, carry := bits.Add64(low, 999_999, 0)
	if high += carry; high >= 1_000_000 {
		return math.MaxInt64
	}
	cost, _ := bits.Div64(high, low, 1_000_000)

	return int64(min(cost, math.MaxInt64))
}

func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}

	return a + b
}

// price says what a turn has cost, unless the provider has.
func (e *Engine) price(request *runtime.ModelRequest, reply *runtime.ModelReply) {
	if reply.Cost != 0 || e.config.Price == nil {
		return
	}
	if p, known := e.config.Price(modelName(request)); known {
		reply.Cost = p.of(reply.Usage)
	} else if p, known := e.config.Price(reply.Model); known {
		reply.Cost = p.of(reply.Usage)
	}
}

// modelName is the model that is asked, as provider:model; "" where one thing answers for everybody.
func modelName(request *runtime.ModelRequest) string {
	if request.Model == nil {
		return ""
	}

	return request.Model.Name
}

// knowsPrice reports, as *runtime.MissingPriceError, that money is limited and nobody knows what the model costs. A script costs
// nothing.
func (f *Effects) knowsPrice(request *runtime.ModelRequest) error {
	if !f.budget.paid || f.run.script != nil || f.player != nil {
		return nil
	}
	name := modelName(request)
	if price := f.run.engine.config.Price; price != nil {
		if _, known := price(name); known {
			return nil
		}
	}

	return &runtime.MissingPriceError{Model: name, Agents: []string{request.Agent}}
}
