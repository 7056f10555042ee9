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
	if !f.budget.paid || f.run.script != nil || f.player != nil || f.replay != nil {
		return nil
	}
	name := modelName(request)
	if f.run.engine.knowsPrice(name) {
		return nil
	}

	return &runtime.MissingPriceError{Model: name, Agents: []string{request.Agent}}
}

// checkPrices finds the models whose prices nobody knows, though the money for them is limited: by the budget of the run or of an
// agent, for all that it reaches, or by that of a step.
func (r *run) checkPrices(reached []*runtime.AgentInfo) []error {
	limited := map[string]bool{}
	limit := func(agents []*runtime.AgentInfo) {
		for _, a := range agents {
			for _, c := range a.Conversations() {
				limited[c.Name] = true
			}
		}
	}
	if b := r.program.Budget; b != nil && b.USD > 0 {
		limit(reached)
	}
	for _, a := range reached {
		if a.Budget != nil && a.Budget.USD > 0 {
			limit(reach(r.program, a))
		}
		for _, name := range a.Priced {
			limited[name] = true
			for i := range r.program.Agents {
				if r.program.Agents[i].Name == name {
					limit(reach(r.program, &r.program.Agents[i]))
				}
			}
		}
	}
	if len(limited) == 0 {
		return nil
	}

	var wants missing
	for _, a := range reached {
		for _, c := range a.Conversations() {
			if name, paid := r.paid(c.Model); limited[c.Name] && paid && !r.engine.knowsPrice(name) {
				wants.add(c.Name, &runtime.MissingPriceError{Model: name})
			}
		}
	}

	return wants.errors()
}

// paid is the model that a choice means; false if it costs nothing, or is missing, which is reported as that.
func (r *run) paid(choice *runtime.ModelChoice) (name string, paid bool) {
	switch {
	case choice == nil:
		return "", false
	case r.engine.config.Model != nil:
		return choice.Name, true
	}
	m, err := Resolve(r.program, choice, r.engine.config.Env)

	return m.Name, err == nil && !isPlayed(m.Provider)
}

func (e *Engine) knowsPrice(model string) bool {
	if e.config.Price == nil {
		return false
	}
	_, known := e.config.Price(model)

	return known
}
