package rehearsal

import (
	"container/heap"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/hops"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// search looks for runs of a workflow, those with fewer turns first.
type search struct {
	*rehearsal
	candidates *candidates
	// wanted, if it is not nil, is what a run has to have; the first such one ends the search.
	wanted func(Item) bool
	// found is what all runs come to.
	found *found
	// cut says that not everything was looked at.
	cut bool

	queue queue
	seen  map[string]bool
	ids   map[any]int
	count int
}

// mostPoints bounds the points that one search looks at, mostInAll those of all searches in a workflow, and mostSteps what is
// done between two points.
const (
	mostPoints = 4000
	mostInAll  = 20_000
	mostSteps  = 100_000
)

// run looks for runs that are given something nobody knows. It returns those that are over.
func (s *search) run(a *ir.Agent) []point {
	w := a.Node.(*ir.Workflow)
	for _, context := range s.contexts {
		e, _ := newEnv(a, context)
		e.input = unknown
		for _, p := range s.pipeline(point{env: e, context: context}, w.Body, unknown, nil) {
			s.push(p)
		}
	}
	var over []point
	for points := 0; s.queue.Len() > 0; points++ {
		if points == mostPoints || s.points >= s.budget {
			s.cut = true
			break
		}
		s.points++
		p := heap.Pop(&s.queue).(queued).point
		if p.next == nil {
			over = append(over, p)
			if s.wanted != nil && p.came == gave && p.hit && !p.doubtful {
				return []point{p}
			}
			continue
		}
		for _, next := range s.advance(p) {
			s.push(next)
		}
	}

	return over
}

// advance goes on from a point to where something is chosen, a machine comes to a state, or the run is over.
func (s *search) advance(p point) []point {
	for range mostSteps {
		p.hop = false
		next := p.next.resume(s, p)
		if len(next) != 1 || next[0].next == nil || next[0].hop {
			return next
		}
		p = next[0]
	}
	s.cut = true

	return nil
}

// push adds a point that has not been seen.
func (s *search) push(p point) {
	key := p.key(s)
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	heap.Push(&s.queue, queued{p, s.count})
	s.count++
}

// id writes a number for a part of the program.
func (s *search) id(b *strings.Builder, part any) {
	n, known := s.ids[part]
	if !known {
		n = len(s.ids)
		s.ids[part] = n
	}
	b.WriteString(strconv.Itoa(n))
	b.WriteByte(':')
}

// graphOf returns the graph of a machine, which is made once.
func (r *rehearsal) graphOf(m *ir.Machine) *hops.Machine {
	g := r.graphs[m]
	if g == nil {
		g = hops.Of(m)
		r.graphs[m] = g
	}

	return g
}

// mostSteps bounds the states that a machine runs.
func (r *rehearsal) mostSteps(m *ir.Machine) int {
	if r.limit > 0 {
		return min(r.limit, m.MaxSteps)
	}

	return m.MaxSteps
}

// queue has the points that have not been looked at, those with the fewest turns first, and of equals the older.
type queue []queued

type queued struct {
	point point
	count int
}

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	if q[i].point.turns != q[j].point.turns {
		return q[i].point.turns < q[j].point.turns
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

// keyOf is the key with which a run finishes.
func keyOf(w *ir.Workflow, p point) string {
	if n := len(w.Body.Tasks); n > 0 && p.env.ended != "" {
		if _, isMachine := w.Body.Tasks[n-1].Do.(*ir.Machine); isMachine {
			return p.env.ended
		}
	}

	return done
}

// done is the key of a run that ends in no end state.
const done = "done"
