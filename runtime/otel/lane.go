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

// top is what runs innermost: here, or around here.
func (l *lane) top() *frame {
	if n := len(l.stack); n > 0 {
		return l.stack[n-1]
	}
	if l.parent == nil {
		return nil
	}
	if owner := l.parent.owners[l.group]; owner != nil {
		return owner
	}

	return l.parent.top()
}

// find is the innermost frame of a name that runs here; nil if there is none.
func (l *lane) find(name string) *frame {
	for i := len(l.stack) - 1; i >= 0; i-- {
		if l.stack[i].name == name {
			return l.stack[i]
		}
	}

	return nil
}

// lane returns the branch of what is reported, and how its effect is numbered there: the groups of the branch up to that have ended.
func (t *tracer) lane(s core.Sight) (l *lane, ordinal int) {
	l = t.base.lane
	parts := strings.Split(s.Address, ".")
	for ; len(parts) > 1; parts = parts[2:] {
		l = l.branch(parts[0], parts[1])
	}
	if len(parts) > 0 { // none of a branch itself, before its first effect
		ordinal, _ = strconv.Atoi(parts[0])
	}
	t.joined(l, ordinal, s)

	return l, ordinal
}

func (l *lane) branch(group, number string) *lane {
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

// joined ends the branches of the groups of a lane up to one: the branch around goes on.
func (t *tracer) joined(l *lane, ordinal int, s core.Sight) {
	left := l.branches[:0]
	for _, b := range l.branches {
		if b.group > ordinal {
			left = append(left, b)

			continue
		}
		t.joined(b, math.MaxInt, s)
		for len(b.stack) > 0 {
			t.pop(b, s)
		}
	}
	l.branches = left
}

// pop ends the innermost frame of a lane.
func (t *tracer) pop(l *lane, s core.Sight) {
	f := l.stack[len(l.stack)-1]
	l.stack = l.stack[:len(l.stack)-1]
	t.end(f, s)
}

// settle returns the frame of what reports, innermost of want, after it has ended what no longer runs there and begun what does.
func (t *tracer) settle(want []link, s core.Sight) *frame {
	l, ordinal := t.lane(s)
	t.fork(l, want, s)
	for _, next := range t.narrow(l, want, s) {
		t.open(l, next, ordinal, s)
	}

	return l.top()
}

// narrow ends what runs in a lane and does not lead to want, and returns what is between the rest and that.
func (t *tracer) narrow(l *lane, want []link, s core.Sight) []link {
	for {
		top := l.top()
		if chain, ok := t.program.below(top.link, want); ok {
			return chain
		}
		if len(l.stack) == 0 || top == t.base {
			return want // not known to run there; it does
		}
		t.pop(l, s)
	}
}

// fork finds out who has begun the group of a branch in which want runs, and the groups around it: what runs around the branch already,
// or what has to run between that and want.
func (t *tracer) fork(branch *lane, want []link, s core.Sight) {
	l := branch.parent
	if l == nil {
		return
	}
	t.fork(l, want, s)
	if l.owners[branch.group] != nil {
		return
	}
	chain := t.narrow(l, want, s)
	owner := l.top()
	found := owner.lane == l && t.program.forks(owner.link) // what runs around the lane has forked into it
	for _, next := range chain {
		if found || next == want[len(want)-1] {
			break
		}
		owner = t.open(l, next, branch.group, s)
		found = t.program.forks(next)
	}
	l.owners[branch.group] = owner
}
