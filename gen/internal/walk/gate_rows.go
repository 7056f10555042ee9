package walk

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// gateRows are the rows of the gate of a conversation.
type gateRows struct {
	found *Machine
	// through are the passages that take each of them; nil where none is known.
	through []*passage
}

// gateRows says how the rows of an agent's gate are taken.
func (b *builder) gateRows(n *node, a *ir.Agent, react *ir.React) {
	found := b.machines[a]
	if found == nil {
		found = newMachine(a, react.Gate.Machine)
		b.machines[a] = found
	}
	n.body.(*conversation).rows = &gateRows{found, newGateSearch(b.limits, react).through()}
}

// asksVisits reports whether a guard of a machine may ask how often a state was entered.
func asksVisits(m *ir.Machine, state string) (asks bool) {
	for _, s := range m.States {
		for _, row := range s.Rows {
			if row.When == nil || row.When.Formula == nil {
				continue
			}
			ir.WalkExpression(row.When.Formula.Root, func(x ir.Expression) {
				if a, ok := x.(*ir.Access); ok && a.Root == ir.RootVisits {
					asks = asks || len(a.Path) == 0 || a.Path[0].Name.Value == state
				}
			})
		}
	}

	return asks
}

// surround finds the shortest walks that take the rows of the gate: the agent finishes with the outcome around which there is least.
func (c *conversation) surround(n *node) {
	if c.rows == nil {
		return
	}
	best := -1
	for i := range n.outcomes {
		if n.outcomes[i].rest < infinite && (best < 0 || n.outcomes[i].rest < n.outcomes[best].rest) {
			best = i
		}
	}
	rows := c.rows.found.Rows
	for i, p := range c.rows.through {
		if p == nil {
			continue
		}
		for _, taken := range p.rows {
			rows[taken].Taken, rows[taken].State.Reached = true, true
		}
		if best >= 0 {
			turns := plus(n.outcomes[best].turns, n.outcomes[best].rest)
			c.rows.found.ended(move{row: i}, turns, pass{by: n, runs: n, outcome: best, at: i})
		}
	}
}

// pass answers by the passage that takes a row of the gate.
func (c *conversation) pass(r *recorder, b *branch, p *pass, _ func(*branch)) {
	through := c.rows.through[p.at]
	turn := c.turns[p.by.outcomes[p.outcome].way.at]
	turn.Calls = through.json
	c.answer(r, b, p.by, turn, through)
}

// answer plays a turn, and what its passage through the gate asks for.
func (c *conversation) answer(r *recorder, b *branch, n *node, turn Turn, through *passage) {
	r.turn(b, n.label, turn)
	through.play(r, b)
	if c.rows != nil && through != nil {
		for _, row := range through.rows {
			r.took(c.rows.found.Rows[row])
		}
	}
}

func (c *conversation) ends(p *pass) int { return p.outcome }

// whyGate says why no walk takes a row of a gate.
func whyGate() Why {
	return Why{Guards, "no calls that a script can make are known to take it and lead to finish"}
}

// gateDependsOn says what decides whether a row of a gate is taken: its own guard or tool, or those on the way.
func gateDependsOn(react *ir.React, row *Row) string {
	if guard := row.Row.When; guard != nil && guard.Func == nil {
		return fmt.Sprintf("it depends on the guard %q", guard.Text.Value)
	}
	if key := row.Key(); key != ir.FinishAction {
		if c, _ := (limits{}).callOf(react, key); c.tool == nil {
			return fmt.Sprintf("it depends on what the built-in tool %q is called with", key)
		}
	}

	return fmt.Sprintf("whether one comes to state %q, and to finish behind it, depends on guards or tools", row.State.Name.Value)
}
