package walk

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Alone returns what runs of machines do that begin with them, each of them by itself: unlike those of [Program], the rows of a
// machine are not taken if only a machine around it makes that possible, it counts that a run comes to a row, not that it ends,
// guards are taken as possible, and no signals come. The states that it reaches are those in which an agent runs. whole says that
// all could be looked at; otherwise the machines are nil.
func Alone(p *ir.Program, machines []*ir.Agent) (found []*Machine, whole bool) {
	limits := Options{}.limits()
	limits.guesses, limits.undisturbed = true, true
	b := newBuilder(p, limits, nil)
	nodes := make([]*node, len(machines))
	for i, a := range machines {
		nodes[i] = b.agent(a, ir.Place{Kind: ir.PlaceFree})
	}
	if b.gaveUp {
		return nil, false
	}
	for _, n := range nodes {
		found = append(found, alone(n))
	}

	return found, true
}

// alone returns what is found about a machine at one place.
func alone(n *node) *Machine {
	x := n.body.(*machine)
	a := x.found.Agent
	found := newMachine(a, a.Node.(*ir.Machine))
	for i, s := range x.states {
		if len(s.reach) > 0 {
			found.reached(i, s.moves)
		}
	}
	e := &explainer{limits: Options{}.limits()}
	for _, row := range found.Rows {
		switch s := x.states[row.State.index]; {
		case row.Taken:
		case len(s.reach) == 0:
			row.Why = Why{Unreached, fmt.Sprintf("no run comes to state %q", row.State.Name.Value)}
		default:
			row.Why = e.noKey(row, s.runs)
		}
	}

	return found
}
