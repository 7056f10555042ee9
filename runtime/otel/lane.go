package otel

import (
	"strconv"
	"strings"
	"time"
)

// lane is one branch of a run: agents in it run one after the other, and within each other.
type lane struct {
	// address is the branch's, "" for the run itself; group is the ordinal of the parallel effect of parent that it belongs to.
	address string
	parent  *lane
	group   int
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

// each calls do with all that runs in a lane and its branches.
func (l *lane) each(do func(*frame)) {
	for _, b := range l.branches {
		b.each(do)
	}
	for _, f := range l.stack {
		do(f)
	}
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

// lane returns the branch of an address, and how its effect is numbered there.
func (t *tracer) lane(address string) (l *lane, ordinal int) {
	l = t.base.lane
	parts := strings.Split(address, ".")
	for ; len(parts) > 2; parts = parts[2:] {
		l = l.branch(parts[0], parts[1])
	}
	ordinal, _ = strconv.Atoi(parts[0])
	if len(parts) == 2 { // the branch itself, before its first effect
		l, ordinal = l.branch(parts[0], parts[1]), 0
	}

	return l, ordinal
}

func (l *lane) branch(group, number string) *lane {
	address := join(l.address, group, number)
	for _, b := range l.branches {
		if b.address == address {
			return b
		}
	}
	ordinal, _ := strconv.Atoi(group)
	b := &lane{address: address, parent: l, group: ordinal, owners: map[int]*frame{}}
	l.branches = append(l.branches, b)

	return b
}

// join is an address that goes on.
func join(address string, parts ...string) string {
	if address != "" {
		parts = append([]string{address}, parts...)
	}

	return strings.Join(parts, ".")
}

// joined ends the branches of the groups of a lane up to one: the branch around goes on.
func (t *tracer) joined(l *lane, ordinal int, at moment) {
	left := l.branches[:0]
	for _, b := range l.branches {
		if b.group > ordinal {
			left = append(left, b)

			continue
		}
		t.abandon(b, at)
	}
	l.branches = left
}

// abandon ends all that is open in a lane, innermost first.
func (t *tracer) abandon(l *lane, at moment) {
	for _, b := range l.branches {
		t.abandon(b, at)
	}
	l.branches = nil
	for n := len(l.stack); n > 0; n = len(l.stack) {
		t.pop(l, at)
	}
}

// pop ends the innermost frame of a lane.
func (t *tracer) pop(l *lane, at moment) {
	f := l.stack[len(l.stack)-1]
	l.stack = l.stack[:len(l.stack)-1]
	t.end(f, at)
}

// moment is when something is reported. again says that it was reported to an earlier process, and that its spans have been sent.
type moment struct {
	time  time.Time
	again bool
}

// settle returns the frame of what runs at an address, innermost of want, after it has ended what no longer runs there and begun what
// does. began is when the effect has begun.
func (t *tracer) settle(address string, want []link, began time.Time, at moment) *frame {
	target, ordinal := t.lane(address)
	t.joined(target, ordinal, at)
	var way []*lane
	for l := target; l != nil; l = l.parent {
		way = append(way, l)
	}
	for i := len(way) - 1; i > 0; i-- {
		t.fork(way[i], way[i-1].group, want, began, at)
	}
	for _, next := range t.narrow(target, want, at) {
		t.open(target, next, strconv.Itoa(ordinal), began, at)
	}

	return target.top()
}

// narrow ends what runs in a lane and does not lead to want, and returns what is between the rest and that.
func (t *tracer) narrow(l *lane, want []link, at moment) []link {
	for {
		top := l.top()
		if chain, ok := t.program.below(top.link, want); ok {
			return chain
		}
		if len(l.stack) == 0 || l.stack[len(l.stack)-1] == t.base {
			return want // not known to run there; it does
		}
		t.pop(l, at)
	}
}

// fork finds out who has begun the group of a lane in which want runs: what runs there already, or what has to run between that and
// want.
func (t *tracer) fork(l *lane, group int, want []link, began time.Time, at moment) {
	if l.owners[group] != nil {
		return
	}
	chain := t.narrow(l, want, at)
	owner := l.top()
	found := owner.lane == l && t.program.forks(owner.link) // what runs around the lane has forked into it
	for _, next := range chain {
		if found || next == want[len(want)-1] {
			break
		}
		owner = t.open(l, next, strconv.Itoa(group), began, at)
		found = t.program.forks(next)
	}
	l.owners[group] = owner
}
