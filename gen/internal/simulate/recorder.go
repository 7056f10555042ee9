package simulate

import (
	"fmt"
	"slices"
	"strconv"
)

// recorder collects the answers of a run.
type recorder struct {
	// lists are the lists of a script, by kind.
	lists map[itemKind]*branchTurns
	// context is the initial context of the workflow with which the run begins; "" if it needs
	// none.
	context string
	// input is the input with which the run begins, if that workflow has an input_schema; else "".
	input string
	rows  []*Row
	cases []*Case
	seen  map[Target]bool
	// calls are the tool calls before the next turn.
	calls []*toolCall
	// signal arrives with the next turn; "" without one. losesSignal is set if one arrived while no
	// model was asked.
	signal      string
	losesSignal bool
	// overrides replace how some nodes are played, wherever they run.
	overrides map[*node]func(*branch)
}

// branch is the position in the parallel groups of a run.
type branch struct {
	parent *branch
	// path has the numbers of the branches that lead here, and nearest is the last of them; -1
	// outside of groups.
	path    string
	nearest int
	// hasAskedModel is set if a model was asked here.
	hasAskedModel bool
}

// groups are the branches inside of one, by their paths.
type groups map[string]*branch

// branchAt returns the branch with some numbers inside of b. Without numbers it is b itself.
func (g groups) branchAt(b *branch, numbers []int) *branch {
	for _, n := range numbers {
		path := b.path + strconv.Itoa(n) + "."
		if g[path] == nil {
			g[path] = &branch{parent: b, path: path, nearest: n}
		}
		b = g[path]
	}

	return b
}

// playNode plays a node that ends with one of some outcomes.
func (r *recorder) playNode(b *branch, n *node, outcomes []int) {
	if play := r.overrides[n]; play != nil {
		play(b)
		return
	}
	best, _ := n.bestOutcome(outcomes)
	point := n.outcomes[best].point
	_, by := n.bestReach(point, 0, 0)
	r.playEdges(b, groups{}, n, n.pathTo(by, point))
}

// playEdges plays a path in branches inside of b.
func (r *recorder) playEdges(b *branch, inside groups, n *node, path []*edge) {
	for _, e := range path {
		r.playEdge(b, inside, e, -1, nil)
	}
}

// playEdge plays the items of an edge. focus replaces one of them.
func (r *recorder) playEdge(b *branch, inside groups, e *edge, focused int, focus func(*branch)) {
	for i := range e.items {
		it := &e.items[i]
		in := inside.branchAt(b, it.branch)
		switch it.kind {
		case kindRun:
			if it.group != nil { // no model was asked yet in the branch, whatever was asked in it before
				in = &branch{parent: in.parent, path: in.path, nearest: in.nearest}
			}
			if it.signal != "" {
				r.signal = it.signal
			}
			if i == focused {
				focus(in)
			} else {
				r.playNode(in, it.node, it.outcomes)
			}
			r.losesSignal = r.losesSignal || it.signal != "" && r.signal != ""
		case kindReply:
			turn := it.turn
			turn.Calls, turn.Signal = encodeCalls(r.calls), r.signal
			r.calls, r.signal, in.hasAskedModel = nil, "", true
			r.addTurn(it, in, turn)
		case kindToolCall:
			r.calls = append(r.calls, it.call)
		case kindTake:
			if !r.seen[it.row] {
				r.seen[it.row] = true
				r.rows = append(r.rows, it.row)
			}
		case kindCase:
			if !r.seen[it.takes] {
				r.seen[it.takes] = true
				r.cases = append(r.cases, it.takes)
			}
		case kindGiven:
			r.context = it.turn.Value
		case kindInput:
			r.input = it.turn.Value
		case kindOutput:
			r.addTurn(it, in.callingBranch(), it.turn)
		case kindAnswer, kindResult, kindVerdict:
			r.addTurn(it, in, it.turn)
		}
	}
}

// callingBranch returns the branch to which the engine assigns a call of a tool: the nearest one in
// which a model was asked.
func (b *branch) callingBranch() *branch {
	for at := b; at != nil; at = at.parent {
		if at.hasAskedModel {
			return at
		}
	}

	return b
}

// playThrough plays a run through sites, each inside of the previous one.
func (r *recorder) playThrough(b *branch, sites []*site) {
	s := sites[0]
	inside := groups{}
	r.playEdges(b, inside, s.in, s.in.pathTo(s.order, s.edge.from))
	focus := func(in *branch) { r.playThrough(in, sites[1:]) }
	if len(sites) == 1 {
		it := s.edge.items[s.item]
		focus = func(in *branch) { r.playNode(in, it.node, it.outcomes) }
	}
	r.playEdge(b, inside, s.edge, s.item, focus)
	onward, _ := s.in.pathFrom(s.order, s.edge)
	r.playEdges(b, inside, s.in, onward)
}

// branchTurns are turns by name and branch, in the order in which they begin.
type branchTurns struct {
	names []branchName
	turns map[branchName][]Turn
}

type branchName struct {
	name, path string
	nearest    int
}

// addTurn adds a turn to the list of an item.
func (r *recorder) addTurn(it *item, b *branch, turn Turn) {
	l := r.lists[it.kind]
	if l == nil {
		l = &branchTurns{turns: map[branchName][]Turn{}}
		r.lists[it.kind] = l
	}
	of := branchName{it.name, b.path, b.nearest}
	if l.turns[of] == nil {
		l.names = append(l.names, of)
	}
	l.turns[of] = append(l.turns[of], turn)
}

// List is an entry of a script.
type List struct {
	// Name is the name of an agent, a step or a question, with @ and the number of a branch if
	// branches differ.
	Name  string
	Turns []Turn
}

// buildLists returns the lists of a script: one for all branches with the same number in the
// nearest group, or one for all. Each branch plays it from its start. The error names a list that
// would have to differ.
func (l *branchTurns) buildLists() ([]List, error) {
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
		joined[number], ok = joinTurns(known, l.turns[of])
		if !ok {
			return nil, &differingListsError{of.name, of.nearest}
		}
	}
	var all []List
	for _, name := range names {
		whole, same := []Turn(nil), true
		var each []List
		for _, n := range numbers[name] {
			list := List{name, joined[branchName{name: name, nearest: n}]}
			if same {
				whole, same = joinTurns(whole, list.Turns)
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

// joinTurns returns the longer of two lists if the other is a prefix of it.
func joinTurns(a, b []Turn) ([]Turn, bool) {
	if len(a) < len(b) {
		a, b = b, a
	}
	joined := slices.Clone(a)
	for i, t := range b {
		free := joined[i].acceptsAnyKey && !t.acceptsAnyKey
		if t.acceptsAnyKey || joined[i].acceptsAnyKey { // either key is accepted
			t.Key, t.acceptsAnyKey = joined[i].Key, joined[i].acceptsAnyKey
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

// differingListsError is a list that would have to be two: scripts distinguish branches only by the
// number in the nearest group.
type differingListsError struct {
	name   string
	number int
}

func (e *differingListsError) Error() string {
	return fmt.Sprintf("a script has one list for %q in branches %d of all groups, and they would have to differ", e.name, e.number)
}
