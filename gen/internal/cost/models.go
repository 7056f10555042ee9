package cost

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// roundings is by how many millionths of a dollar a reply may cost more than its tokens do: each kind of tokens is rounded up.
const roundings = 4

// defaultReply bounds the replies of Anthropic's models where nothing else does, as their provider does.
const defaultReply = 32_000

// model is a model as a conversation asks it.
type model struct {
	// name is provider:model; "role NAME" where the project names none. role is that of the config; "" for an agent's own model.
	name, role string
	// reply bounds a reply, and context a request, in tokens.
	reply, context Amount
	// input and output are the prices of the dearest token, in millionths of a dollar for a million; priced says that they are known.
	input, output Amount
	priced        bool
	// free says that a file of the project answers: nothing is spent.
	free bool
}

func (m *model) rate() Amount { return max(m.input, m.output) }

// request is what one call uses, however often it is tried.
func (m *model) request(attempts, input Amount) Spend {
	if m.free {
		return Spend{}
	}
	input = min(input, m.context)
	s := Spend{Input: input, Output: m.reply}
	s.Micro = priceOf(input, m.input).Plus(priceOf(m.reply, m.output)).Plus(roundings)
	if !m.priced {
		s.Micro = Unbounded
	}

	return s.times(attempts)
}

// requests is what calls use of which each has more input than the one before.
func (m *model) requests(attempts, first Amount, g growth) Spend {
	if g.turns == 0 {
		return Spend{}
	}
	// Those that fit the context grow; the others fill it.
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
	if input == 0 && m.free {
		return Spend{}
	}
	one := m.request(attempts, 0)
	s := one.times(g.turns)
	if m.free {
		return s
	}
	s.Input = input.Times(attempts)
	if m.priced {
		s.Micro = s.Micro.Plus(priceOf(s.Input, m.input)).Plus(g.turns.Times(attempts))
	}

	return s
}

// chain returns the models that a conversation may ask: its own, and those that replace it when it has failed.
func (x *analysis) chain(call ir.Call) []*model {
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
		if m := x.roleOf(role); m != nil {
			names, role = append([]string{m.Name.Value}, ir.Values(m.Fallback)...), m.Role.Value
			if reply == 0 && m.MaxTokens != nil {
				reply = *m.MaxTokens
			}
		}
	}
	chain := ir.Map(names, func(name string) *model { return x.model(name, role, reply) })
	x.chains[key] = chain

	return chain
}

// AssumesModel reports whether a model of [Options] counts somewhere: where a file answers, or where no model is named.
func AssumesModel(p *ir.Program) bool {
	x := &analysis{program: p}
	for _, a := range p.Agents {
		for _, step := range a.Conversations() {
			names := []string{step.Call.Name.Value}
			if names[0] == "" {
				role := x.roleOf(cmp.Or(step.Call.Role.Value, "default"))
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

// roleOf returns what the config says of a role, or of the default one; nil if it says nothing of both.
func (x *analysis) roleOf(name string) *ir.Model {
	named := func(name string) *ir.Model {
		return ir.First(x.program.Models, func(m *ir.Model) bool { return m.Role.Value == name })
	}

	return cmp.Or(named(name), named("default"))
}

// model returns what is known of a model.
func (x *analysis) model(name, role string, reply int) *model {
	if ir.IsFileModel(name) && x.options.Model != "" {
		name = x.options.Model
	}
	m := &model{name: cmp.Or(name, "role "+role), role: role, context: Unbounded, reply: amount.Of(cmp.Or(reply, x.options.MaxTokens))}
	if ir.IsFileModel(name) {
		m.free, m.priced, m.reply = true, true, x.answers(name)
		return m
	}
	if m.reply == 0 && strings.HasPrefix(name, "anthropic:") {
		m.reply = defaultReply
	}
	m.reply = cmp.Or(m.reply, Unbounded)
	if price, listed := x.program.PriceOf(name); price != nil {
		m.priced = true
		x.listed = x.listed || listed
		m.input, m.output = Amount(max(price.Input, price.Cached, price.Stored, 0)), Amount(max(price.Output, 0))
		if price.Context > 0 {
			m.context = amount.Of(price.Context)
		}
	}

	return m
}

// answers returns the size of the file that answers instead of a model: no reply is longer.
func (x *analysis) answers(name string) Amount {
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

// Reason is what keeps a bound from being a number, and the field that would bound it.
type Reason struct {
	// What is not bounded, and Where.
	What  string `json:"what"`
	Field string `json:"field"`
}

// unbounded notes why a bound is no number.
func (x *analysis) unbounded(what, field string) {
	reason := Reason{what, field}
	if !x.known[reason] {
		x.known[reason] = true
		x.reasons = append(x.reasons, reason)
	}
}

// unboundedInput notes what of the calls of a conversation has no bound.
func (x *analysis) unboundedInput(t talk, chain []*model, input Amount) {
	for _, m := range chain {
		if m.free {
			continue
		}
		if m.reply == Unbounded {
			field := "max_tokens below " + cmp.Or(t.settings, "call.model") + " of " + t.label
			if m.role != "" {
				field = "models." + m.role + ".max_tokens in agentc.yaml"
			}
			x.unbounded("the length of a reply of "+m.name, field)
		} else if input == Unbounded && m.context == Unbounded {
			x.unbounded("the input of "+t.label, "context of "+m.name+" in prices.yaml")
		}
		if !m.priced {
			x.unbounded("the price of "+m.name, strconv.Quote(m.name)+": {input: DOLLARS, output: DOLLARS} in prices.yaml")
		}
	}
}
