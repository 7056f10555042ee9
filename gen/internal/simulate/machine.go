package simulate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// machine makes n a machine: a point for each state, and an edge for each row and each outcome of
// the agent of its state.
func (b *builder) machine(n *node, a *ir.Agent, m *ir.Machine) {
	found := b.found(a, nil, m)
	found.nodes = append(found.nodes, n)
	n.bound = limit(m, b.maxSteps)
	g := &machineGraph{builder: b, n: n, m: m, found: found, points: map[*ir.State]int{}}
	n.ran = map[*ir.State]*ran{}
	for _, s := range m.States {
		if !s.IsMarker() {
			g.points[s] = n.point()
		}
	}
	start, known := g.points[m.Initial.State]
	if !known {
		return
	}
	n.initial = found.states[m.Initial.State]
	n.add(&edge{to: start})
	for _, s := range m.States {
		if runs := g.runs(s); runs != nil {
			n.ran[s] = &ran{node: runs, point: g.points[s]}
			g.state(s, runs)
		}
	}
}

// machineGraph adds the states of a machine to its node.
type machineGraph struct {
	*builder
	n      *node
	m      *ir.Machine
	found  *Machine
	points map[*ir.State]int
}

// runs returns the node of what runs in a state; nil for a marker.
func (g *machineGraph) runs(s *ir.State) *node {
	switch place := s.Place().Within(g.n.place); {
	case s.Agent != nil:
		return g.agent(s.Agent, place)
	case g.m.External && !s.IsTerminal():
		return g.driver(s, place)
	}

	return nil
}

// state adds the edges of a state.
func (g *machineGraph) state(s *ir.State, runs *node) {
	g.n.cut = max(g.n.cut, runs.cut)
	if len(runs.outcomes) == 0 {
		g.fails(s, item{kind: kindRun, runs: runs})
	}
	rows := newRouter(s)
	rows.isDriven = g.m.External
	for i, o := range runs.outcomes {
		g.finish(s, rows, o.key, o.done, item{kind: kindRun, runs: runs, outcomes: []int{i}})
	}
	for _, fired := range g.m.KeySignals(s) {
		is := func(o outcome) bool { return sameKey(o.key, fired.Key) }
		if s.Agent != nil && len(runs.outcomes) > 0 && !slices.ContainsFunc(runs.outcomes, is) && !handles(s.Agent, fired.Signal) {
			g.finish(s, rows, fired.Key, false, item{kind: kindRun, runs: runs, outcomes: runs.all(), signal: fired.Signal})
		}
	}
}

// fails adds that the agent of a state runs, and nothing follows.
func (g *machineGraph) fails(s *ir.State, ran item) {
	g.n.add(&edge{from: g.points[s], to: g.n.point(), isStep: true, items: []item{ran}})
}

// finish adds what follows when the agent of a state finishes with a key.
func (g *machineGraph) finish(s *ir.State, rows *router, key string, done bool, ran item) {
	g.n.ran[s].keys = append(g.n.ran[s].keys, key)
	add := func(to *ir.State, open string, items ...item) {
		e := &edge{from: g.points[s], isStep: true, open: open, items: append([]item{ran}, items...)}
		if point, runs := g.points[to]; runs {
			e.to = point
			g.n.add(e)
		} else {
			g.n.finishes(e, outcome{key: key, done: done, value: unknown})
		}
	}
	switch {
	case s.IsTerminal():
		add(nil, "")
	case s.Always != nil:
		add(s.Always.State, "", item{kind: kindTake, row: g.found.of[s]})
	default:
		routes := rows.routes(key)
		if len(routes) == 0 {
			g.fails(s, ran)
		}
		for _, t := range routes {
			add(t.row.To.State, t.open, slices.Concat(t.verdicts, []item{{kind: kindTake, row: g.found.of[t.row]}})...)
		}
	}
}

// handles reports whether a machine or a gate has a rule for a signal, in an agent or in one that
// it runs: that is asked first.
func handles(a *ir.Agent, signal string) bool {
	return slices.ContainsFunc(ir.ReachableFrom(a), func(inner *ir.Agent) bool {
		m := inner.MachineOf()
		return m != nil && slices.ContainsFunc(m.Live.Signals, func(rule *ir.SignalRule) bool { return rule.On.Value == signal })
	})
}
