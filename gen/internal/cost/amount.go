package cost

import (
	"cmp"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	runtimemodel "github.com/agentc-dev/agentc/runtime/model"
)

// Amount is a number of calls, tokens or millionths of a US dollar.
type Amount = amount.Number

// Unbounded is itself and every larger number.
const Unbounded = amount.Unbounded

// size is how many tokens texts have at most, by their length in bytes.
func size(texts ...string) Amount {
	sum := Amount(0)
	for _, text := range texts {
		sum = sum.Plus(amount.Of(len(text)))
	}

	return (sum + runtimemodel.BytesPerToken - 1) / runtimemodel.BytesPerToken
}

// Spend is what something uses at most.
type Spend struct {
	// Calls are those of models, each counted once, however often it is tried; Tools are calls of tools.
	Calls Amount `json:"model_calls"`
	Tools Amount `json:"tool_calls"`
	// Input and Output are tokens.
	Input  Amount `json:"input_tokens"`
	Output Amount `json:"output_tokens"`
	// Micro is money, in millionths of a US dollar.
	Micro Amount `json:"micro_usd"`
}

// Numbers are the five numbers, in the order of [Heads].
func (s *Spend) Numbers() [5]*Amount {
	return [...]*Amount{&s.Calls, &s.Tools, &s.Input, &s.Output, &s.Micro}
}

// with combines each number with that of another.
func (s Spend) with(t Spend, combine func(a, b Amount) Amount) Spend {
	others := t.Numbers()
	for i, n := range s.Numbers() {
		*n = combine(*n, *others[i])
	}

	return s
}

// plus and or, of which machines with many rows need most of the time, do without with.
func (s Spend) plus(t Spend) Spend {
	return Spend{s.Calls.Plus(t.Calls), s.Tools.Plus(t.Tools), s.Input.Plus(t.Input), s.Output.Plus(t.Output), s.Micro.Plus(t.Micro)}
}

func (s Spend) times(n Amount) Spend { return s.with(Spend{n, n, n, n, n}, Amount.Times) }

func (s Spend) or(t Spend) Spend {
	return Spend{max(s.Calls, t.Calls), max(s.Tools, t.Tools), max(s.Input, t.Input), max(s.Output, t.Output), max(s.Micro, t.Micro)}
}

func (s Spend) atMost(t Spend) Spend {
	return s.with(t, func(a, b Amount) Amount { return min(a, b) })
}

// bound is what an operation uses at most, with what budgets need to know of it.
type bound struct {
	// most is for all runs of it, done for those after which something else can follow; ends says that there are such.
	most, done Spend
	ends       bool
	traits
}

// traits are what budgets and explanations need to know of an operation.
type traits struct {
	// turn is what one call of a model uses at most, and width how many of them are made at a time.
	turn  Spend
	width Amount
	// rate is the price of the dearest token, in millionths of a dollar for a million.
	rate Amount
	// fail is the size of the text of an error.
	fail Amount
	// capped says that a budget or the context of a model is what bounds it.
	capped bool
	main   term
}

// nothing is what uses nothing, and always ends.
var nothing = bound{ends: true}

// settled is the bound of an operation whose failure is no end of what is around it.
func (b bound) settled() bound {
	b.done, b.ends = b.most, true

	return b
}

// term is a part of a bound: what it is, as text, and what it uses.
type term struct {
	text  string
	spend Spend
}

// heavier returns the part that costs more: money counts most, then tokens, then calls. Two of the same text are added.
func (t term) heavier(u term) term {
	if t.text == u.text {
		return term{t.text, t.spend.plus(u.spend)}
	}
	tokens := func(s Spend) Amount { return s.Input.Plus(s.Output) }
	order := cmp.Or(
		cmp.Compare(t.spend.Micro, u.spend.Micro), cmp.Compare(tokens(t.spend), tokens(u.spend)), cmp.Compare(t.spend.Calls, u.spend.Calls))
	if order < 0 {
		return u
	}

	return t
}

// join returns the traits of two operations.
func (t traits) join(u traits) traits {
	return traits{
		turn: t.turn.or(u.turn), width: max(t.width, u.width), rate: max(t.rate, u.rate), fail: max(t.fail, u.fail),
		capped: t.capped || u.capped, main: t.main.heavier(u.main),
	}
}

// then is the bound of one operation after the other, which is done only if the first one ends well.
func (b bound) then(c bound) bound {
	both := bound{traits: b.traits.join(c.traits)}
	both.most, both.ends = b.most, b.ends && c.ends
	if b.ends {
		both.most = b.most.or(b.done.plus(c.most))
	} else {
		both.main = b.main
	}
	if both.ends {
		both.done = b.done.plus(c.done)
	}

	return both
}

// or is the bound of one of two operations, it is not known which.
func (b bound) or(c bound) bound {
	both := bound{traits: b.traits.join(c.traits)}
	both.most, both.done, both.ends = b.most.or(c.most), b.done.or(c.done), b.ends || c.ends
	if b.main.text == c.main.text {
		both.main = b.main
	}

	return both
}

// beside is the bound of two operations side by side, of which one has to end well. A bound of nothing that ends is its zero value.
func (b bound) beside(c bound) bound {
	both := bound{traits: b.traits.join(c.traits)}
	both.most, both.width, both.ends = b.most.plus(c.most), b.width.Plus(c.width), b.ends || c.ends
	if b.ends {
		both.done = b.done.plus(c.most)
	}
	if c.ends {
		both.done = both.done.or(c.done.plus(b.most))
	}

	return both
}

// copies is the bound of the same operation n times side by side, of which one has to end well.
func (b bound) copies(n Amount, unit string) bound {
	all := b.settled().times(n, unit)
	if n == 0 {
		return all
	}
	all.done, all.ends = Spend{}, b.ends
	if b.ends {
		all.done = b.done.plus(b.most.times(n - 1))
	}

	return all
}

// times is the bound of the same operation n times; unit names what is counted, in the plural.
func (b bound) times(n Amount, unit string) bound {
	switch {
	case n == 0:
		return nothing
	case n > 1 && b.ends:
		b.most = b.most.or(b.done.times(n - 1).plus(b.most))
		b.done = b.done.times(n)
	}
	b.main.spend = b.main.spend.times(n)
	b.main = b.main.counted(n, unit)

	return b
}

// within is the bound under a budget. Calls end at their number; of tokens and money the calls that are under way when the budget is
// used up come on top of it.
func (b bound) within(budget *ir.Budget) bound {
	if budget == nil {
		return b
	}
	limited := b.traits.limit(b.most, budget)
	if limited != b.most {
		b.most, b.done = limited, b.done.atMost(limited)
		b.capped = true
		b.main.spend = b.main.spend.atMost(limited)
	}

	return b
}

// limit returns what an operation uses under a budget that uses so much without one.
func (t traits) limit(most Spend, budget *ir.Budget) Spend {
	if budget.Calls > 0 {
		limit := t.turn.times(amount.Of(budget.Calls))
		limit.Calls = amount.Of(budget.Calls)
		most = most.atMost(limit)
	}
	if budget.Tokens > 0 {
		tokens := amount.Of(budget.Tokens).Plus(t.turn.Input.Plus(t.turn.Output).Times(t.width))
		most.Input, most.Output = min(most.Input, tokens), min(most.Output, tokens)
		most.Micro = min(most.Micro, priceOf(tokens, t.rate).Plus(most.Calls))
	}
	if budget.USD > 0 {
		most.Micro = min(most.Micro, Micro(budget.USD).Plus(t.turn.Micro.Times(t.width)))
	}

	return most
}

// priceOf is what tokens cost, rounded up, at a price in millionths of a dollar for a million of them.
func priceOf(tokens, rate Amount) Amount {
	const million = 1_000_000
	whole, rest := tokens/million, tokens%million
	if tokens == Unbounded && rate > 0 {
		return Unbounded
	}

	return whole.Times(rate).Plus((rest.Times(rate).Plus(million - 1)) / million)
}

// Micro returns dollars as millionths of one, as the engine reads them.
func Micro(usd float64) Amount {
	if usd*1e6 >= float64(Unbounded) {
		return Unbounded
	}

	return Amount(usd*1e6 + 0.5)
}
