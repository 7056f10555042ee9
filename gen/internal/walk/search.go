package walk

import (
	"container/heap"
	"encoding/binary"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

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
			s.of.cut = s.of.cut || !slices.ContainsFunc(i.runs, (*node).endless) // more turns than can be counted
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
	o := outcome{key: ir.DoneKey, turns: c.ahead, way: way{at: at}}
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
			o.key = ir.ExhaustedKey
		} else if ret.Key == ir.KeyUnfinished {
			return -1
		}
	}
	s.of.add(o)

	return s.of.find(o)
}
