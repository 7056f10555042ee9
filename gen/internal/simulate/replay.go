package simulate

import (
	"fmt"
	"slices"
	"strconv"
)

// recorder collects the answers of a run.
type recorder struct {
	// lists are those of a script, by kind.
	lists map[itemKind]*branchTurns
	// context is the initial context of the workflow with which the run begins; "" if it needs
	// none.
	context string
	rows    []*Row
	cases   []*Case
	seen    map[Target]bool
	// calls are those of tools before the next turn.
	calls []*call
	// signal comes with the next turn; "" if none does. lost says that one came where no model is
	// asked.
	signal string
	lost   bool
	// elsewhere are what is played of nodes wherever they run, and not only where the run is led.
	elsewhere map[*node]func(*branch)
}

// branch is where in the groups of a run something happens.
type branch struct {
	parent *branch
	// path are the numbers of the branches that lead here, nearest the last of them; -1 outside of
	// groups.
	path    string
	nearest int
	// asked says that a model was asked here.
	asked bool
}

// groups are the branches inside of one, by their paths.
type groups map[string]*branch

// at returns the branch with some numbers inside of b; b itself without numbers.
func (g groups) at(b *branch, numbers []int) *branch {
	for _, n := range numbers {
		path := b.path + strconv.Itoa(n) + "."
		if g[path] == nil {
			g[path] = &branch{parent: b, path: path, nearest: n}
		}
		b = g[path]
	}

	return b
}

// node plays a node that ends with one of some outcomes.
func (r *recorder) node(b *branch, n *node, outcomes []int) {
	if play := r.elsewhere[n]; play != nil {
		play(b)
		return
	}
	best, _ := n.choose(outcomes)
	point := n.outcomes[best].point
	_, by := n.reach(point, 0, 0)
	r.edges(b, groups{}, n, n.path(by, point))
}

// edges plays a path, in branches inside of b.
func (r *recorder) edges(b *branch, inside groups, n *node, path []*edge) {
	for _, e := range path {
		r.edge(b, inside, e, -1, nil)
	}
}

// edge plays what happens on an edge, with focus for one of its items.
func (r *recorder) edge(b *branch, inside groups, e *edge, focused int, focus func(*branch)) {
	for i := range e.items {
		it := &e.items[i]
		in := inside.at(b, it.branch)
		switch it.kind {
		case kindRun:
			if it.signal != "" {
				r.signal = it.signal
			}
			if i == focused {
				focus(in)
			} else {
				r.node(in, it.runs, it.outcomes)
			}
			r.lost = r.lost || it.signal != "" && r.signal != ""
		case kindReply:
			turn := it.turn
			turn.Calls, turn.Signal = script(r.calls), r.signal
			r.calls, r.signal, in.asked = nil, "", true
			r.add(it, in, turn)
		case kindAnswer:
			r.add(it, in.home(), it.turn)
		case kindToolCall:
			r.calls = append(r.calls, it.call)
		case kindTake:
			if !r.seen[it.row] {
				r.seen[it.row] = true
				r.rows = append(r.rows, it.row)
			}
		case kindCase:
			if !r.seen[it.of] {
				r.seen[it.of] = true
				r.cases = append(r.cases, it.of)
			}
		case kindGiven:
			r.context = it.turn.Value
		case kindResult, kindOutput, kindVerdict:
			r.add(it, in, it.turn)
		}
	}
}

// home is where the engine counts the branch from in which a person is asked: the nearest one in
// which a model was asked.
func (b *branch) home() *branch {
	for at := b; at != nil; at = at.parent {
		if at.asked {
			return at
		}
	}

	return b
}

// lead plays a run through sites, each inside of the one before.
func (r *recorder) lead(b *branch, sites []*site) {
	s := sites[0]
	inside := groups{}
	r.edges(b, inside, s.in, s.in.path(s.order, s.edge.from))
	focus := func(in *branch) { r.lead(in, sites[1:]) }
	if len(sites) == 1 {
		it := s.edge.items[s.item]
		focus = func(in *branch) { r.node(in, it.runs, it.outcomes) }
	}
	r.edge(b, inside, s.edge, s.item, focus)
	onward, _ := s.in.onward(s.order, s.edge)
	r.edges(b, inside, s.in, onward)
}

// branchTurns are turns by name and by the branch in which they are played, in the order in which
// these begin.
type branchTurns struct {
	names []branchName
	of    map[branchName][]Turn
}

type branchName struct {
	name, path string
	nearest    int
}

// add adds a turn to the list of an item.
func (r *recorder) add(it *item, b *branch, turn Turn) {
	l := r.lists[it.kind]
	if l == nil {
		l = &branchTurns{of: map[branchName][]Turn{}}
		r.lists[it.kind] = l
	}
	of := branchName{it.name, b.path, b.nearest}
	if l.of[of] == nil {
		l.names = append(l.names, of)
	}
	l.of[of] = append(l.of[of], turn)
}

// List is what a script has under a name.
type List struct {
	// Name is that of an agent, a step or a question, with @ and the number of a branch where
	// branches differ.
	Name  string
	Turns []Turn
}

// script returns the lists of a script: one for all branches with the same number in the nearest
// group, or one for all; each branch plays it from its start. The error says which list would have
// to differ.
func (l *branchTurns) script() ([]List, error) {
	var names []string
	numbers, joined := map[string][]int{}, map[branchName][]Turn{}
	for _, of := range l.names {
		number := branchName{name: of.name, nearest: of.nearest}
		known, ok := joined[number]
		if !ok {
			if numbers[of.name] == nil {
				names = append(names, of.name)
			}
			numbers[of.name] = append(numbers[of.name], of.nearest)
		}
		joined[number], ok = join(known, l.of[of])
		if !ok {
			return nil, &differError{of.name, of.nearest}
		}
	}
	var all []List
	for _, name := range names {
		whole, same := []Turn(nil), true
		var each []List
		for _, n := range numbers[name] {
			list := List{name, joined[branchName{name: name, nearest: n}]}
			if same {
				whole, same = join(whole, list.Turns)
			}
			if n >= 0 {
				list.Name += "@" + strconv.Itoa(n)
			}
			each = append(each, list)
		}
		if same {
			each = []List{{name, whole}}
		}
		all = append(all, each...)
	}

	return all, nil
}

// join returns the longer one of two lists if the other one is its beginning.
func join(a, b []Turn) ([]Turn, bool) {
	if len(a) < len(b) {
		a, b = b, a
	}
	joined := slices.Clone(a)
	for i, t := range b {
		free := joined[i].anyKey && !t.anyKey
		if t.anyKey || joined[i].anyKey { // either key will do
			t.Key, t.anyKey = joined[i].Key, joined[i].anyKey
		}
		if joined[i] != t {
			return nil, false
		}
		if free {
			joined[i] = b[i]
		}
	}

	return joined, true
}

// differError is a list that would have to be two: scripts distinguish branches by the number in
// the nearest group alone.
type differError struct {
	name   string
	number int
}

func (e *differError) Error() string {
	return fmt.Sprintf("a script has one list for %q in branches %d of all groups, and they would have to differ", e.name, e.number)
}
