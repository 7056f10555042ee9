package simulate

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
)

// call is the call of a typed tool, which a skill unlocks.
type call struct {
	tool  *ir.Tool
	skill string
	// args and result are JSON.
	args, result string
}

// mostCalls bounds the calls of a turn, as the runtime does; mostGatePoints the points of a gate whose guards count visits.
const (
	mostCalls      = 100
	mostGatePoints = 4096
)

// gateGraph adds the ways through a gate that a script can take, all of them in one turn of its agent.
type gateGraph struct {
	*builder
	n     *node
	react *ir.React
	found *Machine
	// counted are the states of which guards ask how often they were entered.
	counted []*ir.State
	points  map[string]int
	queue   []gatePoint
	// finish adds the turns with which the agent finishes.
	finish func(from int, items ...item)
	free   bool
}

// gatePoint is a state, with how often each of the counted states was entered.
type gatePoint struct {
	point  int
	state  *ir.State
	visits map[string]int
}

// gate makes n what an agent with a gate can do. Built-in tools are not called: what they do is no matter of a script.
func (b *builder) gate(n *node, a *ir.Agent, react *ir.React, finish func(from int, items ...item)) {
	m := react.Gate.Machine
	g := &gateGraph{builder: b, n: n, react: react, found: b.found(a, nil, m), points: map[string]int{}, finish: finish}
	g.free = slices.ContainsFunc(react.Gate.Ungated, func(action ir.Text) bool { return action.Value == ir.FinishAction })
	for _, s := range m.States {
		if asksVisits(m, s.Name.Value) {
			g.counted = append(g.counted, s)
		}
	}
	if m.Initial.State == nil {
		return
	}
	n.bound = mostCalls - len(react.Uses)
	g.found.nodes = append(g.found.nodes, n)
	n.add(&edge{to: g.enter(m.Initial.State, nil)})
	for ; len(g.queue) > 0; g.queue = g.queue[1:] {
		g.expand(g.queue[0])
	}
}

// asksVisits reports whether a guard of a machine may ask how often a state was entered.
func asksVisits(m *ir.Machine, state string) (asks bool) {
	for _, row := range m.Rows() {
		if row.When == nil {
			continue
		}
		row.When.Formula.Walk(func(x ir.Expression) {
			if a, ok := x.(*ir.Access); ok && a.Root == ir.RootVisits {
				asks = asks || len(a.Path) == 0 || a.Path[0].Name.Value == state
			}
		})
	}

	return asks
}

// enter returns the point of a state that is entered after some visits; -1 where there are too many points.
func (g *gateGraph) enter(s *ir.State, before map[string]int) int {
	visits := map[string]int{}
	for _, counted := range g.counted {
		name := counted.Name.Value
		visits[name] = before[name]
		if counted == s {
			visits[name]++
		}
	}
	key := fmt.Sprint(s.Name.Value, " ", visits)
	if p, known := g.points[key]; known {
		return p
	}
	if len(g.points) == mostGatePoints {
		return -1
	}
	p := g.n.point()
	g.points[key] = p
	g.queue = append(g.queue, gatePoint{p, s, visits})

	return p
}

// expand adds the edges of the rows that can be taken at a point.
func (g *gateGraph) expand(p gatePoint) {
	rows := newRouter(p.state)
	rows.visits = func(state string) int { return p.visits[state] }
	if g.free {
		g.finish(p.point)
	}
	for _, key := range p.state.Keys() {
		for _, t := range rows.routes(key) {
			row := t.row
			items := slices.Concat(t.verdicts, []item{{kind: kindTake, row: g.found.of[row]}})
			e := &edge{from: p.point, isStep: true, open: t.open}
			if key == ir.FinishAction {
				// the rows of finish lead to a point from which the turn follows
				e.to = g.n.point()
				g.finish(e.to)
			} else if c, open := g.callOf(key); open == "" && c == nil || row.To.State == nil {
				continue
			} else if e.to = g.enter(row.To.State, p.visits); e.to < 0 {
				continue
			} else if c == nil {
				e.open = open
			} else {
				items = slices.Concat(c.items(), items)
			}
			e.items = items
			g.n.add(e)
		}
	}
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
func (g *gateGraph) callOf(name string) (c *call, open string) {
	for _, use := range g.react.Uses {
		if use.Skill == nil {
			continue
		}
		for _, ref := range use.Skill.Tools {
			if ref.Tool == nil || ref.Tool.Name.Value != name {
				continue
			}
			args, err := sample.Value(ref.Tool.Input, "text")
			result := sample.Quote("A result of " + name + ".")
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
