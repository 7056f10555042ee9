package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	runtimemodel "github.com/agentc-dev/agentc/runtime/model"
)

// Amount is a number of calls, tokens or millionths of a US dollar.
type Amount = amount.Number

// Unbounded represents itself and every larger number.
const Unbounded = amount.Unbounded

// size returns the maximal number of tokens in texts, by their length in bytes.
func size(texts ...string) Amount {
	sum := Amount(0)
	for _, text := range texts {
		sum = sum.Plus(amount.Of(len(text)))
	}

	return (sum + runtimemodel.BytesPerToken - 1) / runtimemodel.BytesPerToken
}

// Spend is the maximal use of an operation.
type Spend struct {
	// Calls are calls of models without retries. Tools are calls of tools.
	Calls Amount `json:"model_calls"`
	Tools Amount `json:"tool_calls"`
	// Input and Output are tokens.
	Input  Amount `json:"input_tokens"`
	Output Amount `json:"output_tokens"`
	// Micro is the cost in millionths of a US dollar.
	Micro Amount `json:"micro_usd"`
}

// Numbers returns the five numbers, in the order of [Columns].
func (s *Spend) Numbers() [5]*Amount {
	return [...]*Amount{&s.Calls, &s.Tools, &s.Input, &s.Output, &s.Micro}
}

// combine combines each number with the one of another spend.
func (s Spend) combine(t Spend, combine func(a, b Amount) Amount) Spend {
	others := t.Numbers()
	for i, n := range s.Numbers() {
		*n = combine(*n, *others[i])
	}

	return s
}

// add and max do not use combine, because they take most of the time in large machines.
func (s Spend) add(t Spend) Spend {
	return Spend{s.Calls.Plus(t.Calls), s.Tools.Plus(t.Tools), s.Input.Plus(t.Input), s.Output.Plus(t.Output), s.Micro.Plus(t.Micro)}
}

func (s Spend) times(n Amount) Spend { return s.combine(Spend{n, n, n, n, n}, Amount.Times) }

func (s Spend) max(t Spend) Spend {
	return Spend{max(s.Calls, t.Calls), max(s.Tools, t.Tools), max(s.Input, t.Input), max(s.Output, t.Output), max(s.Micro, t.Micro)}
}

func (s Spend) capAt(t Spend) Spend {
	return s.combine(t, func(a, b Amount) Amount { return min(a, b) })
}

// bound is the maximal use of an operation, with the traits that budgets need.
type bound struct {
	// most is for all runs, done for runs that end well. canEndWell reports whether there are any.
	most, done Spend
	canEndWell bool
	traits
}

// traits are the properties of an operation that budgets and explanations need.
type traits struct {
	limits
	main term
}

// limits are the traits that are largest where one of some operations has them.
type limits struct {
	// turn is the maximal use of one call of a model, and width the number of parallel calls.
	turn  Spend
	width Amount
	// rate is the highest price of a token, in millionths of a dollar for a million.
	rate Amount
	// fail is the size of the text of an error.
	fail Amount
	// isCapped is set if a budget or the context of a model determines the bound.
	isCapped bool
}

// nothing uses nothing, and ends well.
var nothing = bound{canEndWell: true}

// withoutFailure returns the bound of an operation whose failure does not end the surrounding
// operation.
func (b bound) withoutFailure() bound {
	b.done, b.canEndWell = b.most, true

	return b
}

// term is a part of a bound: its text and its use.
type term struct {
	text  string
	spend Spend
}

// dominant returns the costlier part by money, then tokens, then calls. Parts with the same text
// are added.
func (t term) dominant(u term) term {
	switch {
	case t.text == u.text:
		return term{t.text, t.spend.add(u.spend)}
	case t.spend.costsLess(u.spend):
		return u
	}

	return t
}

// costsLess reports whether a spend is smaller by money, then tokens, then calls.
func (s Spend) costsLess(t Spend) bool {
	if s.Micro != t.Micro {
		return s.Micro < t.Micro
	}
	tokens, others := s.Input.Plus(s.Output), t.Input.Plus(t.Output)
	if tokens != others {
		return tokens < others
	}

	return s.Calls < t.Calls
}

// merge returns the traits of two operations.
func (t traits) merge(u traits) traits {
	return traits{t.limits.merge(u.limits), t.main.dominant(u.main)}
}

// merge returns the limits of two operations.
func (l limits) merge(m limits) limits {
	return limits{
		turn: l.turn.max(m.turn), width: max(l.width, m.width), rate: max(l.rate, m.rate), fail: max(l.fail, m.fail),
		isCapped: l.isCapped || m.isCapped,
	}
}

// either returns the bound of one of two operations.
func (b bound) either(c bound) bound {
	both := bound{traits: b.traits.merge(c.traits)}
	both.most, both.done, both.canEndWell = b.most.max(c.most), b.done.max(c.done), b.canEndWell || c.canEndWell
	if b.main.text == c.main.text {
		both.main = b.main
	}

	return both
}

// inParallel returns the bound of two parallel operations. One of them has to end well. The zero
// bound is neutral.
func (b bound) inParallel(c bound) bound {
	both := bound{traits: b.traits.merge(c.traits)}
	both.most, both.width, both.canEndWell = b.most.add(c.most), b.width.Plus(c.width), b.canEndWell || c.canEndWell
	if b.canEndWell {
		both.done = b.done.add(c.most)
	}
	if c.canEndWell {
		both.done = both.done.max(c.done.add(b.most))
	}

	return both
}

// parallelCopies returns the bound of n parallel copies. One of them has to end well.
func (b bound) parallelCopies(n Amount, unit string) bound {
	all := b.withoutFailure().repeated(n, unit)
	if n == 0 {
		return all
	}
	all.done, all.canEndWell = Spend{}, b.canEndWell
	if b.canEndWell {
		all.done = b.done.add(b.most.times(n - 1))
	}

	return all
}

// repeated returns the bound of n sequential runs. unit is the plural of what is counted.
func (b bound) repeated(n Amount, unit string) bound {
	switch {
	case n == 0:
		return nothing
	case n > 1 && b.canEndWell:
		b.most = b.most.max(b.done.times(n - 1).add(b.most))
		b.done = b.done.times(n)
	}
	b.main.spend = b.main.spend.times(n)
	b.main = b.main.withCount(n, unit)

	return b
}

// underBudget returns the bound under a budget. A budget of calls is exact. Calls in progress may
// exceed a budget of tokens or money.
func (b bound) underBudget(budget *ir.Budget) bound {
	if budget == nil {
		return b
	}
	limited := b.traits.applyBudget(b.most, budget)
	if limited != b.most {
		b.most, b.done = limited, b.done.capAt(limited)
		b.isCapped = true
		b.main.spend = b.main.spend.capAt(limited)
	}

	return b
}

// applyBudget returns the use of an operation under a budget, given its use without one.
func (t traits) applyBudget(most Spend, budget *ir.Budget) Spend {
	if budget.Calls > 0 {
		limit := t.turn.times(amount.Of(budget.Calls))
		limit.Calls = amount.Of(budget.Calls)
		most = most.capAt(limit)
	}
	if budget.Tokens > 0 {
		tokens := amount.Of(budget.Tokens).Plus(t.turn.Input.Plus(t.turn.Output).Times(t.width))
		most.Input, most.Output = min(most.Input, tokens), min(most.Output, tokens)
		most.Micro = min(most.Micro, tokenPrice(tokens, t.rate).Plus(most.Calls))
	}
	if budget.USD > 0 {
		most.Micro = min(most.Micro, MicroUSD(budget.USD).Plus(t.turn.Micro.Times(t.width)))
	}

	return most
}

// tokenPrice returns the price of tokens, rounded up. rate is the price in millionths of a dollar
// for a million tokens.
func tokenPrice(tokens, rate Amount) Amount {
	const million = 1_000_000
	whole, rest := tokens/million, tokens%million
	if tokens == Unbounded && rate > 0 {
		return Unbounded
	}

	return whole.Times(rate).Plus((rest.Times(rate).Plus(million - 1)) / million)
}

// MicroUSD converts dollars to millionths, as the engine does.
func MicroUSD(usd float64) Amount {
	if usd*1e6 >= float64(Unbounded) {
		return Unbounded
	}

	return Amount(usd*1e6 + 0.5)
}
