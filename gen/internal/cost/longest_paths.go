package cost

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/interp"
)

// Extrapolate returns the use of the longest paths through a machine.
func (x *workCosts) Extrapolate(g interp.Graph[*runs]) interp.Ends[*runs] {
	all := runs{}
	if g.All != nil {
		all = *g.All
	}
	p := newLongestPaths(g.Nodes, all.value)
	whole := p.from(g.Nodes, g.StepsLeft)
	done, failed := all, all
	done.value, done.spent, failed.spent = p.value, whole.done.spent, whole.failed.spent
	ends := interp.Ends[*runs]{Failed: &failed}
	if whole.done.isReached {
		ends.Done = &done
	}

	return ends
}

// longestPaths are the ways through a machine whose states always use the same.
type longestPaths struct {
	nodes []pathNode
	// texts has the texts of main parts, by number.
	texts []string
	// value is the largest output of a state.
	value extent
}

// pathNode is a state. done and failed are what paths use that end there; nil without any. ends is
// their use.
type pathNode struct {
	isEnd        bool
	done, failed *spending
	ends         usesBehind
	moves        []pathMove
	// groups are the moves again, together if they use the same.
	groups []pathGroup
}

// pathMove leads to another node. What the path has used by then is taken, and main its main part.
type pathMove struct {
	to    int
	taken *spending
	main  pathMain
}

// pathGroup leads to several nodes.
type pathGroup struct {
	to    []int
	taken *spending
}

// pathMain is a term with the number of its text.
type pathMain struct {
	text  int
	spend Spend
}

func newLongestPaths(nodes []interp.Node[*runs], value extent) *longestPaths {
	p := &longestPaths{nodes: make([]pathNode, len(nodes)), value: value}
	for i := range nodes {
		in, n := &nodes[i], &p.nodes[i]
		p.recordOutput(in.Begins)
		p.recordOutput(in.Ends.Done)
		n.isEnd, n.done, n.failed = in.IsEnd, spentBy(in.Ends.Done), spentBy(in.Ends.Failed)
		p.endWith(&n.ends.done, n.done)
		p.endWith(&n.ends.failed, n.failed)
		for _, move := range in.Moves {
			p.recordOutput(move.Taken)
			taken := &move.Taken.spent
			n.addMove(pathMove{move.To, taken, p.mainOf(taken)})
		}
	}

	return p
}

// mainOf returns the main part of a spending.
func (p *longestPaths) mainOf(spent *spending) pathMain {
	number := slices.Index(p.texts, spent.main.text)
	if number < 0 {
		number = len(p.texts)
		p.texts = append(p.texts, spent.main.text)
	}

	return pathMain{number, spent.main.spend}
}

func (p *longestPaths) recordOutput(in *runs) {
	if in != nil {
		p.value = p.value.Or(in.value)
	}
}

// spentBy returns what runs have used; nil without runs.
func spentBy(in *runs) *spending {
	if in == nil {
		return nil
	}

	return &in.spent
}

func (n *pathNode) addMove(move pathMove) {
	n.moves = append(n.moves, move)
	for i := range n.groups {
		group := &n.groups[i]
		if group.taken == move.taken || *group.taken == *move.taken {
			group.to = append(group.to, move.to)
			return
		}
	}
	n.groups = append(n.groups, pathGroup{[]int{move.to}, move.taken})
}

// rest is what paths use that end well, and what those use that fail.
type rest struct{ done, failed used }

// used is what some paths use; isReached is not set where there are none.
type used struct {
	isReached bool
	spent     spending
}

func (u *used) add(spent spending) {
	if u.isReached {
		spent = u.spent.either(spent)
	}
	u.isReached, u.spent = true, spent
}

// addBehind adds paths that go on where others end.
func (r *rest) addBehind(before spending, behind rest) {
	if behind.done.isReached {
		r.done.add(before.then(behind.done.spent))
	}
	if behind.failed.isReached {
		r.failed.add(before.then(behind.failed.spent))
	}
}

// from returns what paths of at most so many steps use from where the machine begins.
func (p *longestPaths) from(nodes []interp.Node[*runs], left int) (whole rest) {
	var uses []usesBehind
	var limited []limitsBehind
	if order, isAcyclic := topologicalOrder(nodes); isAcyclic && len(order) <= left {
		uses = followOnce(order, p.usesFrom)
		limited = followOnce(order, p.limitsFrom)
	} else {
		steps := min(left, exactSteps)
		uses, limited = p.stopPaths(amount.Of(left - steps))
		uses, limited = followSteps(steps, uses, p.usesFrom), followSteps(steps, limited, p.limitsFrom)
	}
	for i := range nodes {
		if in := nodes[i].Begins; in != nil {
			whole.addBehind(in.spent, p.restOf(&uses[i], &limited[i]))
		}
	}

	return whole
}

// restOf returns what paths from a node use, with its limits.
func (p *longestPaths) restOf(u *usesBehind, l *limitsBehind) rest {
	spent := func(u *useBehind, l *limitBehind) used {
		if !u.isReached {
			return used{}
		}
		return used{true, spending{u.spend, traits{l.limits, term{p.texts[u.main.text], u.main.spend}}}}
	}

	return rest{spent(&u.done, &l.done), spent(&u.failed, &l.failed)}
}

// Paths are followed for the use and for the limits apart: the use grows with each turn in a circle,
// and the limits do not change any more once each state is reached.

// usesBehind is the use of paths from a node, of those that end well and of those that fail.
type usesBehind struct{ done, failed useBehind }

type useBehind struct {
	isReached bool
	spend     Spend
	main      pathMain
}

// endWith adds a path that ends at once.
func (p *longestPaths) endWith(u *useBehind, spent *spending) {
	if spent != nil {
		u.isReached, u.spend, u.main = true, spent.used, p.mainOf(spent)
	}
}

// addMain adds the main part of paths behind a move, as [spending.then] and [spending.either] do.
func (u *useBehind) addMain(move *pathMove, behind *useBehind) {
	if !behind.isReached {
		return
	}
	main := &behind.main
	var sum pathMain
	if move.main.text == main.text {
		sum = pathMain{main.text, main.spend.add(move.main.spend)}
		main = &sum
	} else if !move.main.spend.costsLess(main.spend) {
		main = &move.main
	}
	switch {
	case !u.isReached:
		u.isReached, u.main = true, *main
	case u.main.text == main.text:
		u.main.spend = u.main.spend.max(main.spend)
	case u.main.spend.costsLess(main.spend):
		u.main = *main
	}
}

// usesFrom returns the use of paths from a node, where that of paths from all other nodes is known.
// What follows a group of moves is compared before the use of the group is added.
func (p *longestPaths) usesFrom(u *usesBehind, i int, from []usesBehind) {
	n := &p.nodes[i]
	*u = n.ends
	for i := range n.moves {
		move := &n.moves[i]
		behind := &from[move.to]
		u.done.addMain(move, &behind.done)
		u.failed.addMain(move, &behind.failed)
	}
	for i := range n.groups {
		group := &n.groups[i]
		var done, failed Spend
		isDone, isFailed := false, false
		for _, to := range group.to {
			behind := &from[to]
			done, failed = done.max(behind.done.spend), failed.max(behind.failed.spend)
			isDone, isFailed = isDone || behind.done.isReached, isFailed || behind.failed.isReached
		}
		if isDone {
			u.done.spend = u.done.spend.max(group.taken.used.add(done))
		}
		if isFailed {
			u.failed.spend = u.failed.spend.max(group.taken.used.add(failed))
		}
	}
}

// limitsBehind are the limits of paths from a node, of those that end well and of those that fail.
type limitsBehind struct{ done, failed limitBehind }

type limitBehind struct {
	isReached bool
	limits    limits
}

func (l *limitBehind) endWith(spent *spending) {
	if spent != nil {
		l.isReached, l.limits = true, spent.limits
	}
}

func (l *limitBehind) addBehind(taken *spending, behind *limitBehind) {
	if behind.isReached {
		l.isReached, l.limits = true, l.limits.merge(taken.limits).merge(behind.limits)
	}
}

// limitsFrom returns the limits of paths from a node, where those of paths from all other nodes are
// known.
func (p *longestPaths) limitsFrom(l *limitsBehind, i int, from []limitsBehind) {
	n := &p.nodes[i]
	*l = limitsBehind{}
	l.done.endWith(n.done)
	l.failed.endWith(n.failed)
	for _, move := range n.moves {
		l.done.addBehind(move.taken, &from[move.to].done)
		l.failed.addBehind(move.taken, &from[move.to].failed)
	}
}

// followOnce follows paths that are in no node twice. Each node is before those to which it leads.
// find finds what is behind a node by what is behind the others.
func followOnce[T any](order []int, find func(found *T, i int, from []T)) []T {
	from := make([]T, len(order))
	for _, i := range slices.Backward(order) {
		find(&from[i], i, from)
	}

	return from
}

// exactSteps is how many steps of a path are looked at one by one. Each further one counts as the
// costliest state.
const exactSteps = 1000

// followSteps follows paths of at most so many steps: of no step, of one, of two and so on.
func followSteps[T comparable](steps int, from []T, find func(found *T, i int, from []T)) []T {
	longer := make([]T, len(from))
	for range steps {
		for i := range longer {
			find(&longer[i], i, from)
		}
		if slices.Equal(longer, from) {
			break
		}
		from, longer = longer, from
	}

	return from
}

// stopPaths ends all paths behind so many steps of which each is as costly as any. At the bound they fail.
func (p *longestPaths) stopPaths(steps Amount) (uses []usesBehind, limited []limitsBehind) {
	costliest := spending{}
	for i := range p.nodes {
		n := &p.nodes[i]
		for _, spent := range []*spending{n.done, n.failed} {
			if spent != nil {
				costliest = costliest.either(*spent)
			}
		}
		for _, move := range n.moves {
			costliest = costliest.either(*move.taken)
		}
	}
	costliest = costliest.times(steps)
	uses, limited = make([]usesBehind, len(p.nodes)), make([]limitsBehind, len(p.nodes))
	for i := range p.nodes {
		if p.nodes[i].isEnd {
			p.usesFrom(&uses[i], i, nil)
			p.limitsFrom(&limited[i], i, nil)
			continue
		}
		p.endWith(&uses[i].failed, &costliest)
		limited[i].failed.endWith(&costliest)
		if steps > 0 {
			p.endWith(&uses[i].done, &costliest)
			limited[i].done.endWith(&costliest)
		}
	}

	return uses, limited
}

// topologicalOrder returns each node before its successors; isAcyclic is false if there is no such
// order.
func topologicalOrder(nodes []interp.Node[*runs]) (order []int, isAcyclic bool) {
	before := make([]int, len(nodes))
	for i := range nodes {
		for _, move := range nodes[i].Moves {
			before[move.To]++
		}
	}
	for i, n := range before {
		if n == 0 {
			order = append(order, i)
		}
	}
	for at := 0; at < len(order); at++ {
		for _, move := range nodes[order[at]].Moves {
			before[move.To]--
			if before[move.To] == 0 {
				order = append(order, move.To)
			}
		}
	}

	return order, len(order) == len(nodes)
}
