package walk

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// node is an agent, or a step of a flow, where it stands. What it can finish with depends on nothing else, so it is
// looked at once for each place, however many ways lead there.
type node struct {
	// label is how scripts call it.
	label string
	place ir.Place
	// body is what it does; nil for a node that can do nothing.
	body body
	// outcomes are the ways in which it can finish.
	outcomes []outcome
	index    map[outcomeKey]int
	// problem says why there are none.
	problem string
	// cut says that for some outcome a loop would have to go round more often than the bound allows, or that there are more
	// turns than can be counted.
	cut bool
	// entered says that some walk comes to it.
	entered bool
}

// outcome is a way in which a node can finish: the one with the fewest turns for its key.
type outcome struct {
	key string
	// turns are the replies and answers that it takes.
	turns int
	// done says that the value begins with the word done, list that it is a list.
	done, list bool
	way        way

	// rest are the turns of the shortest walk around it; infinite if there is none. Around is that walk, nil where
	// walks begin.
	rest   int
	around *pass
}

// is reports whether the key is the one, folded.
func (o *outcome) is(key string) bool { return o.key == key || ir.FoldKey(o.key) == ir.FoldKey(key) }

// outcomeKey is what tells outcomes apart.
type outcomeKey struct {
	fold string
	done bool
}

// infinite are the turns of what cannot be. All sums stay below the range of an int.
const infinite = 1 << 50

// plus adds turns.
func plus(turns ...int) int {
	sum := 0
	for _, n := range turns {
		sum = min(sum+n, infinite)
	}

	return sum
}

// times multiplies turns.
func times(n, turns int) int {
	if turns > 0 && n >= infinite/turns {
		return infinite
	}

	return n * turns
}

// body is what a node does: a conversation, a machine or a flow.
type body interface {
	// finish finds the outcomes, when those of all that it runs are known.
	finish(n *node)
	// surround finds the shortest walks around what it runs, when those around n are known.
	surround(n *node)
	// play answers for n, which ends in a way of its own.
	play(r *recorder, b *branch, n *node, w way)
	// pass does the same, but has one of the things that it runs answered by focus.
	pass(r *recorder, b *branch, p *pass, focus func(*branch))
	// ends returns the outcome of n with which a pass ends.
	ends(p *pass) int
}

// way says how a body comes to an outcome: in a machine by the move of a state, which was reached with a label; in a
// flow by the configuration at the end; in a conversation by the turn.
type way struct{ at, move, label int }

// pass is a walk through a node, past one thing that it runs.
type pass struct {
	by *node
	// runs is the node that is run inside of by, and outcome its outcome.
	runs    *node
	outcome int
	// at, move, before and after are the state, its move, and the labels before it and behind that, in a machine; at
	// and move are the configuration and its edge in a flow, and branch is the one of the group that runs it.
	at, move, before, after, branch int
}

// improve takes p for the walk around an outcome if it is shorter than the one that is known.
func (n *node) improve(i, turns int, p pass) {
	if o := &n.outcomes[i]; turns < o.rest {
		p.runs, p.outcome = n, i
		o.rest, o.around = turns, &p
	}
}

// add adds an outcome, or takes it for the one with its key if it is shorter.
func (n *node) add(o outcome) {
	o.rest = infinite
	id := outcomeKey{ir.FoldKey(o.key), o.done}
	i, known := n.index[id]
	switch {
	case !known:
		if n.index == nil {
			n.index = map[outcomeKey]int{}
		}
		n.index[id] = len(n.outcomes)
		n.outcomes = append(n.outcomes, o)
	case o.turns < n.outcomes[i].turns:
		n.outcomes[i] = o
	}
}

// find returns the outcome that o of something inside becomes.
func (n *node) find(o outcome) int { return n.index[outcomeKey{ir.FoldKey(o.key), o.done}] }

// endless reports whether the node cannot come to an end.
func (n *node) endless() bool { return len(n.outcomes) == 0 }

// cheapest returns the outcome with the fewest turns, the first of equals; -1 if there is none.
func (n *node) cheapest() int {
	best := -1
	for i, o := range n.outcomes {
		if best < 0 || o.turns < n.outcomes[best].turns {
			best = i
		}
	}

	return best
}

// turns are those of the cheapest outcome.
func (n *node) turns() int {
	if i := n.cheapest(); i >= 0 {
		return n.outcomes[i].turns
	}

	return infinite
}

// nodeKey tells nodes apart.
type nodeKey struct {
	agent *ir.Agent
	step  *ir.Step
	place string
}

// placeText is the same for places at which the same is legal.
func placeText(p ir.Place) string {
	return string('0'+rune(p.Kind)) + strings.Join(p.Keys, "\x00")
}
