package simulate

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// call is the call of a typed tool, which a skill unlocks.
type call struct {
	tool  *ir.Tool
	skill string
	// args and result are JSON.
	args, result string
}

// mostCalls bounds the calls of a turn, as the runtime does; mostGateChoices the choices in a gate whose guards count visits.
const (
	mostCalls       = 100
	mostGateChoices = 16_384
)

// ending is the turn with which an agent finishes.
type ending struct {
	reply   item
	outcome outcome
}

// gateWay is a call by which an agent goes on, to a state or, with nil, to the turn in which it finishes.
type gateWay struct {
	items []item
	open  string
	to    *ir.State
}

// gate makes n what an agent with a gate can do in one turn of a script. Built-in tools are not called: what they do is no matter of
// a script.
func (b *builder) gate(n *node, a *ir.Agent, react *ir.React, endings []ending) {
	m, cut := react.Gate.Machine, n.cut
	found := b.found(a, nil, m)
	found.nodes = append(found.nodes, n)
	n.bound = mostCalls - len(react.Uses)
	routers, isCounted := map[*ir.State]*router{}, map[*ir.State]bool{}
	visits := map[string]int{}
	for _, s := range m.States {
		routers[s], isCounted[s] = newRouter(s), asksVisits(m, s.Name.Value)
		routers[s].visits = func(state string) int { return visits[state] }
	}
	x := newExplorer(n)
	x.explore(mostGateChoices, func() (outcome, bool) {
		visits = map[string]int{}
		s := m.Initial.State
		for steps := 0; s != nil && steps <= n.bound; steps++ {
			if isCounted[s] {
				visits[s.Name.Value]++
			}
			ways := gateWays(react, found, s, routers[s])
			way := ways[x.choose(len(ways), func() string { return fmt.Sprint(s.Name.Value, visits) })]
			x.depend = way.open
			for _, it := range way.items {
				x.note(it)
			}
			s = way.to
			if s == nil {
				end := endings[x.choose(len(endings), func() string { return ir.FinishAction })]
				x.note(end.reply)
				return end.outcome, true
			}
		}
		return outcome{}, false
	})
	n.cut = cut
}

// gateWays are the ways on from a state.
func gateWays(react *ir.React, found *Machine, s *ir.State, rows *router) []gateWay {
	var ways []gateWay
	if slices.ContainsFunc(react.Gate.Ungated, func(action ir.Text) bool { return action.Value == ir.FinishAction }) {
		ways = append(ways, gateWay{})
	}
	for _, key := range s.Keys() {
		c, open := callOf(react, key)
		for _, t := range rows.routes(key) {
			way := gateWay{open: t.open, to: t.row.To.State}
			switch {
			case key == ir.FinishAction:
				way.to = nil
			case c == nil && open == "", way.to == nil:
				continue
			case c == nil:
				way.open = open
			default:
				way.items = c.items()
			}
			way.items = slices.Concat(way.items, t.verdicts, []item{{kind: kindTake, row: found.of[t.row]}})
			ways = append(ways, way)
		}
	}

	return ways
}

// asksVisits reports whether a guard of a machine may ask how often a state was entered.
func asksVisits(m *ir.Machine, state string) (asks bool) {
	for _, guard := range m.Guards() {
		guard.Formula.Walk(func(a *ir.Access) {
			asks = asks || a.Root == ir.RootVisits && (len(a.Path) == 0 || a.Path[0].Name.Value == state)
		})
	}

	return asks
}

// items are what a script has of a call.
func (c *call) items() []item {
	items := []item{{kind: kindToolCall, call: c}, {kind: kindOutput, name: c.tool.Name.Value, turn: Turn{Value: c.result}}}
	if c.tool.Confirm {
		items = append(items, item{kind: kindAnswer, name: c.tool.Name.Value, turn: Turn{Say: saidYes}})
	}

	return items
}

// saidYes is what people answer.
const saidYes = "yes"

// callOf returns a call of a tool of the agent; nil if none can be made. open is then what decides whether there is one.
func callOf(react *ir.React, name string) (c *call, open string) {
	for _, use := range react.Uses {
		for _, ref := range use.Skill.Tools {
			if ref.Tool == nil || ref.Tool.Name.Value != name {
				continue
			}
			args, err := sample.Value(ref.Tool.Input, "text")
			result := words.Quote("A result of " + name + ".")
			if err == nil && ref.Tool.Output != nil {
				result, err = sample.Value(ref.Tool.Output, "text")
			}
			if err != nil {
				return nil, fmt.Sprintf("what the tool %q is called with", name)
			}
			return &call{ref.Tool, use.Skill.Name.Value, args, result}, ""
		}
	}
	if builtin.Tool(name) != "" {
		return nil, fmt.Sprintf("what the built-in tool %q is called with", name)
	}

	return nil, ""
}
