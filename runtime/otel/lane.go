package otel

import (
	"math"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// lane is one branch of a run: agents in it run one after the other, and within each other.
type lane struct {
	// prefix is what the addresses in the branch begin with, "" for the run itself; group is the ordinal of the parallel effect of parent that it belongs to.
	prefix string
	parent *lane
	group  int
	// stack are the agents and conversations that run, outermost first.
	stack []*frame
	// owners are those that have begun the parallel effects of this branch, by their ordinals.
	owners map[int]*frame
	// branches are the lanes of those that have not ended.
	branches []*lane
}

// topFrame returns the innermost frame of this branch or of those around it.
func (l *lane) topFrame() *frame {
	if n := len(l.stack); n > 0 {
		return l.stack[n-1]
	}
	if l.parent == nil {
		return nil
	}
	if owner := l.parent.owners[l.group]; owner != nil {
		return owner
	}

	return l.parent.topFrame()
}

// findFrame returns the innermost frame of a name in this branch; nil if there is none.
func (l *lane) findFrame(name string) *frame {
	for i := len(l.stack) - 1; i >= 0; i-- {
		if l.stack[i].name == name {
			return l.stack[i]
		}
	}

	return nil
}

// laneOf returns the branch of what is reported, and how its effect is numbered there: the groups of the branch up to that have ended.
func (t *tracer) laneOf(s core.Sight) (l *lane, ordinal int) {
	l = t.base.lane
	parts := strings.Split(s.Address, ".")
	for ; len(parts) > 1; parts = parts[2:] {
		l = l.branchLane(parts[0], parts[1])
	}
	if len(parts) > 0 { // none of a branch itself, before its first effect
		ordinal, _ = strconv.Atoi(parts[0])
	}
	t.endGroups(l, ordinal, s)

	return l, ordinal
}

func (l *lane) branchLane(group, number string) *lane {
	prefix := l.prefix + group + "." + number + "."
	for _, b := range l.branches {
		if b.prefix == prefix {
			return b
		}
	}
	ordinal, _ := strconv.Atoi(group)
	b := &lane{prefix: prefix, parent: l, group: ordinal, owners: map[int]*frame{}}
	l.branches = append(l.branches, b)

	return b
}

// endGroups ends the branches of the groups of a lane up to an ordinal: the surrounding branch
// continues.
func (t *tracer) endGroups(l *lane, ordinal int, s core.Sight) {
	left := l.branches[:0]
	for _, b := range l.branches {
		if b.group > ordinal {
			left = append(left, b)

			continue
		}
		t.endGroups(b, math.MaxInt, s)
		for len(b.stack) > 0 {
			t.popFrame(b, s)
		}
	}
	l.branches = left
}

// popFrame ends the innermost frame of a lane.
func (t *tracer) popFrame(l *lane, s core.Sight) {
	f := l.stack[len(l.stack)-1]
	l.stack = l.stack[:len(l.stack)-1]
	t.endFrame(f, s)
}

// enterFrames returns the frame of what reports, innermost of want, after it has ended what no longer runs there and begun what does.
func (t *tracer) enterFrames(want []link, s core.Sight) *frame {
	l, ordinal := t.laneOf(s)
	t.placeBranch(l, want, s)
	for _, next := range t.endUnrelated(l, want, s) {
		t.openFrame(l, next, ordinal, s)
	}

	return l.topFrame()
}

// endUnrelated ends what runs in a lane and does not lead to want, and returns what is between the rest and that.
func (t *tracer) endUnrelated(l *lane, want []link, s core.Sight) []link {
	for {
		top := l.topFrame()
		if chain, ok := t.program.chainBelow(top.link, want); ok {
			return chain
		}
		if len(l.stack) == 0 || top == t.base {
			return want // not known to run there; it does
		}
		t.popFrame(l, s)
	}
}

// placeBranch finds out who has begun the group of a branch in which want runs, and the groups around it: what runs around the branch already,
// or what has to run between that and want.
func (t *tracer) placeBranch(branch *lane, want []link, s core.Sight) {
	l := branch.parent
	if l == nil {
		return
	}
	t.placeBranch(l, want, s)
	if l.owners[branch.group] != nil {
		return
	}
	chain := t.endUnrelated(l, want, s)
	owner := l.topFrame()
	found := owner.lane == l && t.program.canFork(owner.link) // what runs around the lane has forked into it
	for _, next := range chain {
		if found || next == want[len(want)-1] {
			break
		}
		owner = t.openFrame(l, next, branch.group, s)
		found = t.program.canFork(next)
	}
	l.owners[branch.group] = owner
}
