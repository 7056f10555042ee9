package simulate

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// toolCall is a call of a typed tool, which a skill unlocks.
type toolCall struct {
	tool  *ir.Tool
	skill string
	// args and result are JSON.
	args, result string
}

// maxCalls bounds the calls of a turn, as the runtime does. maxGateChoices bounds the choices in a
// gate whose guards count visits.
const (
	maxCalls       = 100
	maxGateChoices = 16_384
)

// finishTurn is a turn with which an agent finishes.
type finishTurn struct {
	reply   item
	outcome outcome
}

// gateMove is a call that leads to a state or, with nil, to the turn that finishes.
type gateMove struct {
	items []item
	open  string
	to    *ir.State
}

// buildGate adds what an agent with a gate can do in one turn of a script. It does not call
// built-in tools, for which scripts have no answers.
func (b *builder) buildGate(n *node, a *ir.Agent, react *ir.React, endings []finishTurn) {
	m, cut := react.Gate.Machine, n.cut
	found := b.machineResult(a, nil, m)
	found.nodes = append(found.nodes, n)
	n.bound = maxCalls - len(react.Uses)
	routers, isCounted := map[*ir.State]*router{}, map[*ir.State]bool{}
	visits := map[string]int{}
	for _, s := range m.States {
		routers[s], isCounted[s] = newRouter(s), readsVisits(m, s.Name.Value)
		routers[s].visitCount = func(state string) int { return visits[state] }
	}
	x := newExplorer(n)
	x.explore(maxGateChoices, func() (outcome, bool) {
		visits = map[string]int{}
		s := m.Initial.State
		for steps := 0; s != nil && steps <= n.bound; steps++ {
			if isCounted[s] {
				visits[s.Name.Value]++
			}
			moves := gateMoves(react, found, s, routers[s])
			move := moves[x.choose(len(moves), func() string { return fmt.Sprint(s.Name.Value, visits) })]
			x.openReason = move.open
			for _, it := range move.items {
				x.record(it)
			}
			s = move.to
			if s == nil {
				end := endings[x.choose(len(endings), func() string { return ir.FinishAction })]
				x.record(end.reply)
				return end.outcome, true
			}
		}
		return outcome{}, false
	})
	n.cut = cut
}

// gateMoves returns the moves from a state.
func gateMoves(react *ir.React, found *Machine, s *ir.State, rows *router) []gateMove {
	var ways []gateMove
	if react.Gate.Permits(ir.FinishAction) {
		ways = append(ways, gateMove{})
	}
	for _, key := range s.Keys() {
		c, open := sampleCall(react, key)
		for _, t := range rows.routesFor(key) {
			way := gateMove{open: t.open, to: t.row.To.State}
			switch {
			case key == ir.FinishAction:
				way.to = nil
			case c == nil && open == "", way.to == nil:
				continue
			case c == nil:
				way.open = open
			default:
				way.items = c.scriptItems()
			}
			way.items = slices.Concat(way.items, t.verdicts, []item{{kind: kindTake, row: found.rowOf[t.row]}})
			ways = append(ways, way)
		}
	}

	return ways
}

// readsVisits reports whether a guard of a machine may read how often a state was entered.
func readsVisits(m *ir.Machine, state string) (reads bool) {
	for _, guard := range m.Guards() {
		guard.Formula.Walk(func(a *ir.Access) {
			reads = reads || a.Root == ir.RootVisits && (len(a.Path) == 0 || a.Path[0].Name.Value == state)
		})
	}

	return reads
}

// scriptItems returns the entries of a script for a call.
func (c *toolCall) scriptItems() []item {
	items := []item{{kind: kindToolCall, call: c}, {kind: kindOutput, name: c.tool.Name.Value, turn: Turn{Value: c.result}}}
	if c.tool.Confirm {
		items = append(items, item{kind: kindAnswer, name: c.tool.Name.Value, turn: Turn{Say: yesAnswer}})
	}

	return items
}

// yesAnswer is the answer of all persons.
const yesAnswer = "yes"

// sampleCall returns a call of a tool of the agent; nil if none can be made. open then describes
// what decides whether there is one.
func sampleCall(react *ir.React, name string) (c *toolCall, open string) {
	for _, use := range react.Uses {
		for _, ref := range use.Skill.Tools {
			if ref.Tool == nil || ref.Tool.Name.Value != name {
				continue
			}
			args, err := sample.MakeValue(ref.Tool.Input, "text")
			result := words.Quote("A result of " + name + ".")
			if err == nil && ref.Tool.Output != nil {
				result, err = sample.MakeValue(ref.Tool.Output, "text")
			}
			if err != nil {
				return nil, fmt.Sprintf("what the tool %q is called with", name)
			}
			return &toolCall{ref.Tool, use.Skill.Name.Value, args, result}, ""
		}
	}
	if builtin.Tool(name) != "" {
		return nil, fmt.Sprintf("what the built-in tool %q is called with", name)
	}

	return nil, ""
}
