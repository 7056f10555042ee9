package walk

import (
	"encoding/binary"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// gateSearch finds the ways through a gate that a script can take, all of them in one turn of its agent.
type gateSearch struct {
	limits limits
	react  *ir.React
	// counted are the states of which guards ask how often they were entered.
	counted []*ir.State
	// free says that finish is possible in every state.
	free  bool
	index map[*ir.Row]int
	steps []*gateStep
	known map[string]*gateStep
}

// gateStep is where a way is: a state, and how it was come to for the first time.
type gateStep struct {
	at     *ir.State
	before *gateStep
	by     *gateEdge
	depth  int
	edges  []*gateEdge
	// next is the edge of the shortest way to finish, and left how many calls that has; nil if there is none, or finish is free.
	next *gateEdge
	left int
}

// gateEdge is a row that is taken from a step; to is nil if the agent finishes by it.
type gateEdge struct {
	from, to *gateStep
	row      int
	call     call
}

// mostGateSteps bounds the search in gates whose guards count.
const mostGateSteps = 4096

func newGateSearch(l limits, react *ir.React) *gateSearch {
	m := react.Gate.Machine
	s := &gateSearch{limits: l, react: react, index: map[*ir.Row]int{}, known: map[string]*gateStep{}}
	s.free = slices.ContainsFunc(react.Gate.Ungated, func(a ir.Text) bool { return a.Value == ir.FinishAction })
	for _, state := range m.States {
		for _, row := range state.Rows {
			s.index[row] = len(s.index)
		}
		if asksVisits(m, state.Name.Value) {
			s.counted = append(s.counted, state)
		}
	}
	if m.Initial.State == nil {
		return s
	}
	s.come(&gateStep{at: m.Initial.State})
	for i := 0; i < len(s.steps); i++ {
		s.expand(s.steps[i])
	}
	s.turnBack()

	return s
}

// come returns the step that a way is at: that which is known for the state and the counts, or the new one.
func (s *gateSearch) come(step *gateStep) *gateStep {
	key := []byte(step.at.Name.Value)
	for _, state := range s.counted {
		key = binary.AppendUvarint(append(key, 0), uint64(step.visits(state.Name.Value)))
	}
	if known := s.known[string(key)]; known != nil {
		return known
	}
	if len(s.steps) == mostGateSteps {
		return nil
	}
	s.known[string(key)] = step
	s.steps = append(s.steps, step)

	return step
}

// visits says how often a state was entered on the way to a step.
func (step *gateStep) visits(state string) (n int) {
	for ; step != nil; step = step.before {
		if step.at.Name.Value == state {
			n++
		}
	}

	return n
}

// expand finds the rows that can be taken from a step.
func (s *gateSearch) expand(step *gateStep) {
	if step.depth == mostCalls {
		return
	}
	rows := newRouter(step.at)
	rows.visits = step.visits
	for _, key := range step.at.Keys() {
		for _, t := range rows.routes(key) {
			row := step.at.Rows[t.row]
			if t.open != nil && !s.limits.guesses {
				continue
			}
			edge := &gateEdge{from: step, row: s.index[row], call: call{asked: t.asked}}
			if key != ir.FinishAction {
				c, ok := s.limits.callOf(s.react, key)
				if !ok || row.To.State == nil {
					continue
				}
				c.asked = t.asked
				edge.call = c
				if edge.to = s.come(&gateStep{at: row.To.State, before: step, by: edge, depth: step.depth + 1}); edge.to == nil {
					continue
				}
			}
			step.edges = append(step.edges, edge)
		}
	}
}

// turnBack finds the shortest ways to finish, from the steps at which it is possible back to the others.
func (s *gateSearch) turnBack() {
	into := map[*gateStep][]*gateEdge{}
	var found []*gateStep
	seen := map[*gateStep]bool{}
	for _, step := range s.steps {
		for _, edge := range step.edges {
			switch {
			case edge.to != nil:
				into[edge.to] = append(into[edge.to], edge)
			case !seen[step] && !s.free:
				step.next, seen[step] = edge, true
				found = append(found, step)
			}
		}
		if s.free {
			seen[step] = true
			found = append(found, step)
		}
	}
	for i := 0; i < len(found); i++ {
		for _, edge := range into[found[i]] {
			if !seen[edge.from] {
				edge.from.next, edge.from.left, seen[edge.from] = edge, found[i].left+1, true
				found = append(found, edge.from)
			}
		}
	}
	for _, step := range s.steps {
		if !seen[step] {
			step.left = infinite
		}
	}
}

// shortest is the shortest way to finish; nil if none is known.
func (s *gateSearch) shortest() *passage {
	if len(s.steps) == 0 || s.steps[0].left >= infinite {
		return nil
	}

	return s.passage(s.steps[0], nil)
}

// through returns, for each row, the shortest way to finish that takes it; nil if none is known.
func (s *gateSearch) through() []*passage {
	all, turns := make([]*passage, len(s.index)), make([]int, len(s.index))
	for _, step := range s.steps {
		for _, edge := range step.edges {
			calls := step.depth
			if edge.to != nil {
				calls = plus(calls, 1, edge.to.left)
			}
			if known := all[edge.row]; calls < infinite && (known == nil || calls < turns[edge.row]) {
				all[edge.row], turns[edge.row] = s.passage(step, edge), calls
			}
		}
	}

	return all
}

// passage is the way to a step, then by an edge, if it is not nil, and on to finish; nil if it is too long for one turn.
func (s *gateSearch) passage(step *gateStep, edge *gateEdge) *passage {
	p := &passage{}
	for at := step; at.by != nil; at = at.before {
		p.take(at.by)
	}
	slices.Reverse(p.calls)
	slices.Reverse(p.rows)
	if edge == nil {
		edge = step.next
	}
	for edge != nil {
		p.take(edge)
		if edge.to == nil {
			break
		}
		edge = edge.to.next
	}
	p.json = p.script(s.react)
	if len(p.calls)+len(s.react.Uses) > mostCalls {
		return nil
	}

	return p
}

// take adds an edge to a passage.
func (p *passage) take(edge *gateEdge) {
	p.rows = append(p.rows, edge.row)
	switch {
	case edge.to == nil:
		p.finish = edge.call.asked
	case edge.call.tool != nil:
		p.calls = append(p.calls, edge.call)
	}
}
