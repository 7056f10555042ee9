package walk

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// guesser knows the walks that there are if guards say what suits them. Where only those take a row, nobody knows before a run
// whether one does.
type guesser struct {
	// machines are what these walks take, and guessed all of them; nil if no guard is an expression.
	machines map[*ir.Agent]*Machine
	guessed  *Result
}

func newGuesser(p *ir.Program, o Options, r *Result, progress func(done, total int)) *guesser {
	g := &guesser{}
	if r.gaveUp || !hasOpenGuards(p) {
		return g
	}
	limits := o.limits()
	limits.guesses = true
	g.guessed, g.machines = walkWithin(p, o.Roots, limits, progress), map[*ir.Agent]*Machine{}
	for _, m := range g.guessed.Machines {
		if m.Step == nil {
			g.machines[m.Agent] = m
		}
	}

	return g
}

// hasOpenGuards reports whether a machine has a guard for which no script can answer, or an agent a gate, which may have some.
func hasOpenGuards(p *ir.Program) bool {
	for _, a := range p.Agents {
		if react, isReact := a.Node.(*ir.React); isReact && react.Gate != nil {
			return true
		}
		m, isMachine := a.Node.(*ir.Machine)
		if !isMachine {
			continue
		}
		for _, s := range m.States {
			for _, row := range s.Rows {
				if row.When != nil && row.When.Func == nil {
					return true
				}
			}
		}
	}

	return false
}

// ends reports whether a walk from the i-th root comes to its end if the guards suit it.
func (g *guesser) ends(i int) bool { return g.guessed != nil && !g.guessed.nodes[i].endless() }

// opens notes of a row that no walk takes, or none that ends, that it depends on guards, and reports whether it does.
func (g *guesser) opens(row *Row) bool {
	m := g.machines[row.Machine.Agent]
	if m == nil {
		return false
	}
	guessed := m.Rows[row.index]
	if guessed.Taken == row.Taken && guessed.Ends == row.Ends {
		return false
	}
	row.Open, row.Why = true, Why{Guards, "whether one comes to its end then depends on guards or gates"}
	if !row.Taken {
		row.Why.Text = g.dependsOn(m, guessed)
	}

	return true
}

// dependsOn says which guard decides whether a row is taken.
func (g *guesser) dependsOn(m *Machine, row *Row) string {
	if react, isGate := m.Agent.Node.(*ir.React); isGate {
		return gateDependsOn(react, row)
	}
	if a := row.State.Agent; a != nil {
		if react, isReact := a.Node.(*ir.React); isReact && react.Gate != nil && (limits{}).passageOf(react) == nil {
			return fmt.Sprintf("whether agent %q comes to finish depends on its gate", a.Name.Value)
		}
	}
	for _, n := range m.nodes {
		s := n.body.(*machine).states[row.State.index]
		for _, mv := range s.moves {
			if mv.row == row.index && mv.open != nil {
				return fmt.Sprintf("it depends on the guard %q", mv.open.Text.Value)
			}
		}
	}

	return fmt.Sprintf("whether one comes to state %q depends on guards or gates", row.State.Name.Value)
}
