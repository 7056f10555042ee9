package cost

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// roundings is the rounding error of a reply's price in millionths of a dollar. Each kind of tokens
// is rounded up.
const roundings = 4

// defaultReply bounds the replies of Anthropic's models without another bound, as their provider
// does.
const defaultReply = 32_000

// model is a model that a conversation calls.
type model struct {
	// name is provider:model, or "role NAME" if the project names no model. role is the role in the
	// config; "" for an agent's own model.
	name, role string
	// reply bounds a reply, and context a request, in tokens.
	reply, context Amount
	// input and output are the highest prices of a token, in millionths of a dollar for a million.
	// isPriced reports whether they are known.
	input, output Amount
	isPriced      bool
	// isFree is set if a file of the project answers, without cost.
	isFree bool
}

func (m *model) highestPrice() Amount { return max(m.input, m.output) }

// requestSpend returns the use of one call with its retries.
func (m *model) requestSpend(attempts, input Amount) Spend {
	if m.isFree {
		return Spend{}
	}
	input = min(input, m.context)
	s := Spend{Input: input, Output: m.reply}
	s.Micro = tokenPrice(input, m.input).Plus(tokenPrice(m.reply, m.output)).Plus(roundings)
	if !m.isPriced {
		s.Micro = Unbounded
	}

	return s.times(attempts)
}

// requestsSpend returns the use of calls with growing input.
func (m *model) requestsSpend(attempts, first Amount, g growth) Spend {
	if g.turns == 0 {
		return Spend{}
	}
	// Inputs that fit the context grow. The others fill it.
	growing := g.turns
	switch {
	case first >= m.context:
		growing = 0
	case g.by > 0:
		growing = min(g.turns, (m.context-first)/g.by+1)
	}
	pairs := growing.Times(growing-min(growing, 1)) / 2
	input := amount.Sum(first.Times(growing), g.by.Times(pairs))
	if growing.Times(growing) == Unbounded && g.by > 0 {
		input = Unbounded
	}
	if full := g.turns - growing; full > 0 {
		input = input.Plus(m.context.Times(full))
	}
	if input == 0 && m.isFree {
		return Spend{}
	}
	one := m.requestSpend(attempts, 0)
	s := one.times(g.turns)
	if m.isFree {
		return s
	}
	s.Input = input.Times(attempts)
	if m.isPriced {
		s.Micro = s.Micro.Plus(tokenPrice(s.Input, m.input)).Plus(g.turns.Times(attempts))
	}

	return s
}

// modelChain returns the models of a conversation: its own, and the fallbacks.
func (x *analysis) modelChain(call ir.Call) []*model {
	key := modelKey{name: call.Name.Value, role: call.Role.Value}
	if call.MaxTokens != nil {
		key.reply = *call.MaxTokens
	}
	if known := x.chains[key]; known != nil {
		return known
	}
	names, role, reply := []string{call.Name.Value}, "", key.reply
	if call.Name.Value == "" {
		names, role = []string{x.options.Model}, cmp.Or(call.Role.Value, "default")
		if m := x.roleConfig(role); m != nil {
			names, role = append([]string{m.Name.Value}, ir.Values(m.Fallback)...), m.Role.Value
			if reply == 0 && m.MaxTokens != nil {
				reply = *m.MaxTokens
			}
		}
	}
	chain := ir.Map(names, func(name string) *model { return x.newModel(name, role, reply) })
	x.chains[key] = chain

	return chain
}

// AssumesModel reports whether a model of [Options] is used: where a file answers, or no model is
// named.
func AssumesModel(p *ir.Program) bool {
	x := &analysis{program: p}
	for _, a := range p.Agents {
		for _, step := range a.Conversations() {
			names := []string{step.Call.Name.Value}
			if names[0] == "" {
				role := x.roleConfig(cmp.Or(step.Call.Role.Value, "default"))
				if role == nil {
					return true
				}
				names = append(ir.Values(role.Fallback), role.Name.Value)
			}
			if slices.ContainsFunc(names, ir.IsFileModel) {
				return true
			}
		}
	}

	return false
}

type modelKey struct {
	name, role string
	reply      int
}

// roleConfig returns the config of a role or of the default role; nil without both.
func (x *analysis) roleConfig(name string) *ir.Model {
	named := func(name string) *ir.Model {
		return ir.First(x.program.Models, func(m *ir.Model) bool { return m.Role.Value == name })
	}

	return cmp.Or(named(name), named("default"))
}

// newModel returns the properties of a model.
func (x *analysis) newModel(name, role string, reply int) *model {
	if ir.IsFileModel(name) && x.options.Model != "" {
		name = x.options.Model
	}
	m := &model{name: cmp.Or(name, "role "+role), role: role, context: Unbounded, reply: amount.Of(cmp.Or(reply, x.options.MaxTokens))}
	if ir.IsFileModel(name) {
		m.isFree, m.isPriced, m.reply = true, true, x.answerSize(name)
		return m
	}
	if m.reply == 0 && strings.HasPrefix(name, "anthropic:") {
		m.reply = defaultReply
	}
	m.reply = cmp.Or(m.reply, Unbounded)
	if price, listed := x.program.PriceOf(name); price != nil {
		m.isPriced = true
		x.usesListPrices = x.usesListPrices || listed
		m.input, m.output = Amount(max(price.Input, price.Cached, price.Stored, 0)), Amount(max(price.Output, 0))
		if price.Context > 0 {
			m.context = amount.Of(price.Context)
		}
	}

	return m
}

// answerSize returns the size of a file that answers for a model. No reply is longer.
func (x *analysis) answerSize(name string) Amount {
	for _, s := range x.program.Scripts {
		if ir.ScriptPrefix+s.Path == name {
			return size(s.JSON)
		}
	}
	for _, r := range x.program.Recordings {
		if ir.ReplayPrefix+r.Path == name && r.File != nil {
			return amount.Of(len(r.File.Bytes))
		}
	}

	return Unbounded
}

// Reason is a value without a bound, and the field that would bound it.
type Reason struct {
	// What has no bound. Field would bound it.
	What  string `json:"what"`
	Field string `json:"field"`
}

// recordUnbounded records why a bound is not a number.
func (x *analysis) recordUnbounded(what, field string) {
	reason := Reason{what, field}
	if !x.knownReasons[reason] {
		x.knownReasons[reason] = true
		x.reasons = append(x.reasons, reason)
	}
}

// recordUnboundedInput records the unbounded parts of a conversation's calls.
func (x *analysis) recordUnboundedInput(t conversation, chain []*model, input Amount) {
	for _, m := range chain {
		if m.isFree {
			continue
		}
		if m.reply == Unbounded {
			field := "max_tokens below " + cmp.Or(t.settings, "call.model") + " of " + t.label
			if m.role != "" {
				field = "models." + m.role + ".max_tokens in agentc.yaml"
			}
			x.recordUnbounded("the length of a reply of "+m.name, field)
		} else if input == Unbounded && m.context == Unbounded {
			x.recordUnbounded("the input of "+t.label, "context of "+m.name+" in prices.yaml")
		}
		if !m.isPriced {
			x.recordUnbounded("the price of "+m.name, strconv.Quote(m.name)+": {input: DOLLARS, output: DOLLARS} in prices.yaml")
		}
	}
}
