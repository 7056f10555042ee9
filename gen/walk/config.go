package walk

import (
	"container/heap"
	"encoding/binary"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
)

// config is a point in a run of a flow: before an instruction that runs something, or at the end.
type config struct {
	at int
	// slots are what is known: of a result the number of its outcome, from 1; of a counter its value.
	slots []int
	edges []edge
	// ahead are the turns of the shortest way from the beginning, last the edge with which it ends.
	ahead int
	last  step
	// outcome is the flow's at the end; -1 before.
	outcome int
	// behind are the turns of the shortest way on, to where the walks around the flow end, and next the edge with
	// which it begins.
	behind int
	next   int
}

// step is an edge of a configuration.
type step struct{ config, edge int }

// edge is what an instruction can do.
type edge struct {
	// option is the outcome of what a run runs.
	option int
	// items are those of the list.
	items int
	turns int
	to    int
}

// finish finds the configurations, and with them the outcomes.
func (x *flow) finish(n *node) {
	s := &search{flow: x, of: n, known: map[string]int{}}
	s.reach(0, make([]int, len(x.slots)), 0, step{-1, -1})
	for s.queue.Len() > 0 {
		next := heap.Pop(&s.queue).(queued)
		if c := &x.configs[next.config]; c.edges == nil && c.outcome < 0 && next.turns == c.ahead {
			s.expand(next.config)
		}
	}
	if len(n.outcomes) == 0 {
		n.problem = "nothing in it leads to an end"
	}
}

// search finds configurations, those with fewer turns first.
type search struct {
	flow  *flow
	of    *node
	known map[string]int
	queue queue
	count int
}

// reach notes that a run comes to an instruction, and returns the configuration in which it has to run something next,
// or ends; -1 if it never does.
func (s *search) reach(at int, slots []int, turns int, by step) int {
	at, slots = s.settle(at, slots)
	if at < 0 {
		return -1
	}
	key := binary.AppendUvarint(nil, uint64(at))
	for _, value := range slots {
		key = binary.AppendUvarint(key, uint64(value))
	}
	i, known := s.known[string(key)]
	if !known {
		i = len(s.flow.configs)
		s.known[string(key)] = i
		s.flow.configs = append(s.flow.configs, config{at: at, slots: slots, ahead: infinite, outcome: -1, next: -1})
	}
	if c := &s.flow.configs[i]; turns < c.ahead {
		c.ahead, c.last = turns, by
		heap.Push(&s.queue, queued{turns: turns, count: s.count, config: i})
		s.count++
	}

	return i
}

// settle follows the instructions that only decide. It returns -1 when they go nowhere.
func (s *search) settle(at int, slots []int) (int, []int) {
	slots = append([]int(nil), slots...)
	x := s.flow
	for at < len(x.code) {
		i := &x.code[at]
		switch {
		case i.running() || i.kind == end:
			return at, slots
		case i.kind == begin:
			slots[x.slots[i.name]] = 1
			at++
		case i.kind == again:
			at = s.repeat(i, at, slots)
		case i.kind == unless && !x.holds(i.cond, slots), i.kind == empty && x.items(i.list, slots) == 0:
			at = i.to
		default:
			at++
		}
		if at < 0 {
			break
		}
	}

	return -1, nil
}

// repeat returns where a loop goes on after a round.
func (s *search) repeat(i *instruction, at int, slots []int) int {
	slot := s.flow.slots[i.name]
	switch {
	case i.most > 0 && slots[slot] == i.most:
		return at + 1
	case i.most == 0 && slots[slot] >= s.flow.rounds:
		s.of.cut = true
		return -1
	}
	slots[slot]++

	return i.to
}

// of returns the outcome of a result; nil if it is not known.
func (x *flow) of(name string, slots []int) *outcome {
	asked := x.results[name]
	if asked == nil || asked.runs == nil || slots[x.slots[name]] == 0 {
		return nil
	}

	return &asked.runs.outcomes[slots[x.slots[name]]-1]
}

func (x *flow) holds(cond ir.Cond, slots []int) bool {
	switch cond := cond.(type) {
	case ir.KeyIs:
		o := x.of(cond.Var, slots)
		return o != nil && o.is(cond.Key) != cond.Not
	case ir.SaysDone:
		o := x.of(cond.Var, slots)
		return o != nil && o.done
	case ir.AtLimit:
		return slots[x.slots[cond.Counter]] == cond.N
	}

	return false
}

// items returns how many items a list has. What is no list is none as an array, and one step or claim.
func (x *flow) items(list ir.List, slots []int) int {
	if o := x.of(list.Of, slots); o != nil && (o.list || list.Kind != ir.ListItems) {
		return 1
	}

	return 0
}

// expand finds the edges of a configuration, or the outcome at the end.
func (s *search) expand(at int) {
	c := s.flow.configs[at]
	i := &s.flow.code[c.at]
	var edges []edge
	switch i.kind {
	case end:
		s.flow.configs[at].outcome = s.ends(at, i.ret)
		return
	case askPerson:
		edges = []edge{{turns: 1}}
	case runOne:
		edges = s.options(i)
	default:
		e := edge{turns: 0, items: i.times}
		if i.kind == runList {
			e.items = s.flow.items(i.list, c.slots)
		}
		for _, runs := range i.runs {
			e.turns = plus(e.turns, times(e.items, runs.turns()))
		}
		edges = []edge{e}
	}

	kept := make([]edge, 0, len(edges))
	for _, e := range edges {
		if e.turns >= infinite {
			continue
		}
		slots := c.slots
		if slot, asked := s.flow.slots[i.name]; asked && i.kind == runOne {
			slots = append([]int(nil), slots...)
			slots[slot] = e.option + 1
		}
		if e.to = s.reach(c.at+1, slots, plus(c.ahead, e.turns), step{at, len(kept)}); e.to >= 0 {
			kept = append(kept, e)
		}
	}
	s.flow.configs[at].edges = kept
}

// options returns an edge for each outcome of a run that makes a difference.
func (s *search) options(i *instruction) []edge {
	runs := i.runs[0]
	asked := s.flow.results[i.name]
	if asked == nil {
		asked = &result{}
	}
	var edges []edge
	for at := range runs.outcomes {
		o := &runs.outcomes[at]
		same := -1
		for j := range edges {
			if asked.same(o, &runs.outcomes[edges[j].option]) {
				same = j
				break
			}
		}
		switch {
		case same < 0:
			edges = append(edges, edge{option: at, turns: o.turns})
		case o.turns < edges[same].turns:
			edges[same] = edge{option: at, turns: o.turns}
		}
	}

	return edges
}

// ends returns the outcome with which the flow ends in a configuration; -1 if it fails there.
func (s *search) ends(at int, ret *ir.Return) int {
	c := &s.flow.configs[at]
	o := outcome{key: keys.Done, turns: c.ahead, way: way{at: at}}
	value := s.flow.of(ret.Var, c.slots)
	if value != nil && ret.Form == ir.FormValue {
		o.done = value.done
	}
	switch ret.Key {
	case ir.KeyOwn:
		if value == nil {
			return -1
		}
		o.key = value.key
	case ir.KeyExhausted, ir.KeyUnfinished:
		if s.flow.exhausted {
			o.key = keys.Exhausted
		} else if ret.Key == ir.KeyUnfinished {
			return -1
		}
	}
	s.of.add(o)

	return s.of.find(o)
}

// surround finds the shortest ways on from each configuration, and with them those around what is run.
func (x *flow) surround(n *node) {
	x.goBack(n)
	for at := range x.configs {
		c := &x.configs[at]
		i := &x.code[c.at]
		for _, runs := range i.runs {
			runs.entered = true
		}
		for j, e := range c.edges {
			x.aroundEdge(n, i, step{at, j}, plus(c.ahead, x.configs[e.to].behind))
		}
	}
}

// aroundEdge tells what an edge runs of the turns around the edge.
func (x *flow) aroundEdge(n *node, i *instruction, by step, around int) {
	e := x.configs[by.config].edges[by.edge]
	for branch, runs := range i.runs {
		beside := e.turns - runs.turns() // the other branches
		for at := range runs.outcomes {
			if i.kind == runOne {
				beside = 0
				if asked := x.results[i.name]; asked != nil && !asked.same(&runs.outcomes[at], &runs.outcomes[e.option]) {
					continue
				}
			} else if e.items == 0 {
				continue
			}
			runs.improve(at, plus(around, beside), pass{by: n, at: by.config, move: by.edge, branch: branch})
		}
	}
}

// goBack finds the shortest way on from each configuration.
func (x *flow) goBack(n *node) {
	from := make([][]step, len(x.configs))
	var q queue
	for at := range x.configs {
		c := &x.configs[at]
		c.behind = infinite
		if c.outcome >= 0 {
			c.behind = n.outcomes[c.outcome].rest
			heap.Push(&q, queued{turns: c.behind, count: at, config: at})
		}
		for j, e := range c.edges {
			from[e.to] = append(from[e.to], step{at, j})
		}
	}
	for q.Len() > 0 {
		next := heap.Pop(&q).(queued)
		if next.turns > x.configs[next.config].behind {
			continue
		}
		for _, by := range from[next.config] {
			c := &x.configs[by.config]
			if turns := plus(next.turns, c.edges[by.edge].turns); turns < c.behind {
				c.behind, c.next = turns, by.edge
				heap.Push(&q, queued{turns: turns, count: by.config, config: by.config})
			}
		}
	}
}

// ends returns the outcome with which a pass ends.
func (x *flow) ends(p *pass) int {
	at := x.configs[p.at].edges[p.move].to
	for x.configs[at].outcome < 0 {
		c := &x.configs[at]
		at = c.edges[c.next].to
	}

	return x.configs[at].outcome
}

// wayTo returns the edges by which a configuration is reached.
func (x *flow) wayTo(at int) []step {
	var steps []step
	for by := x.configs[at].last; by.config >= 0; by = x.configs[by.config].last {
		steps = append(steps, by)
	}
	for i, j := 0, len(steps)-1; i < j; i, j = i+1, j-1 {
		steps[i], steps[j] = steps[j], steps[i]
	}

	return steps
}

func (x *flow) play(r *recorder, b *branch, _ *node, w way) {
	for _, by := range x.wayTo(w.at) {
		x.edge(r, b, by, -1, nil)
	}
}

func (x *flow) pass(r *recorder, b *branch, p *pass, focus func(*branch)) {
	for _, by := range x.wayTo(p.at) {
		x.edge(r, b, by, -1, nil)
	}
	x.edge(r, b, step{p.at, p.move}, p.branch, focus)
	for at := x.configs[p.at].edges[p.move].to; x.configs[at].outcome < 0; {
		c := &x.configs[at]
		x.edge(r, b, step{at, c.next}, -1, nil)
		at = c.edges[c.next].to
	}
}

// edge answers for what an edge runs, with focus for one branch.
func (x *flow) edge(r *recorder, b *branch, by step, focused int, focus func(*branch)) {
	c := &x.configs[by.config]
	i, e := &x.code[c.at], c.edges[by.edge]
	switch i.kind {
	case askPerson:
		r.ask(b, x.agent)
	case runOne:
		if focus != nil {
			focus(b)
			return
		}
		r.play(b, i.runs[0], e.option)
	default:
		for branch, runs := range i.runs {
			for n := range e.items {
				in := b.inner(branch + n) // one of them is 0
				if branch == focused && n == 0 {
					focus(in)
				} else {
					r.playAny(in, runs)
				}
			}
		}
	}
}

// queue has the configurations that have not been looked at, those with the fewest turns first, and of equals the
// older.
type queue []queued

type queued struct{ turns, count, config int }

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	if q[i].turns != q[j].turns {
		return q[i].turns < q[j].turns
	}

	return q[i].count < q[j].count
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *queue) Push(v any) { *q = append(*q, v.(queued)) }

func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]

	return last
}
