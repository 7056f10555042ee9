package simulate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// buildMachine makes n a machine: a point for each state, and an edge for each row and each outcome
// of the agent of its state.
func (b *builder) buildMachine(n *node, a *ir.Agent, m *ir.Machine) {
	found := b.machineResult(a, nil, m)
	found.nodes = append(found.nodes, n)
	n.bound = stepLimit(m, b.maxSteps)
	g := &machineGraph{builder: b, n: n, m: m, found: found, points: map[*ir.State]int{}}
	n.stateRuns = map[*ir.State]*stateRun{}
	for _, s := range m.States {
		if !s.IsMarker() {
			g.points[s] = n.addPoint()
		}
	}
	start, known := g.points[m.Initial.State]
	if !known {
		return
	}
	n.initial = found.stateOf[m.Initial.State]
	n.addEdge(&edge{to: start})
	for _, s := range m.States {
		if runs := g.stateNode(s); runs != nil {
			n.stateRuns[s] = &stateRun{node: runs, point: g.points[s]}
			g.addState(s, runs)
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

// stateNode returns the node that runs in a state; nil for a marker.
func (g *machineGraph) stateNode(s *ir.State) *node {
	switch place := s.Place().Within(g.n.place); {
	case s.Agent != nil:
		return g.agentNode(s.Agent, place)
	case g.m.External && !s.IsTerminal():
		return g.driverNode(s, place)
	}

	return nil
}

// addState adds the edges of a state.
func (g *machineGraph) addState(s *ir.State, runs *node) {
	g.n.cut = max(g.n.cut, runs.cut)
	if len(runs.outcomes) == 0 {
		g.addFailure(s, item{kind: kindRun, node: runs})
	}
	rows := newRouter(s)
	rows.isDriven = g.m.External
	for i, o := range runs.outcomes {
		g.addFinishes(s, rows, o.key, o.startsWithDone, item{kind: kindRun, node: runs, outcomes: []int{i}})
	}
	for _, fired := range g.m.KeySignals(s) {
		is := func(o outcome) bool { return equalKeys(o.key, fired.Key) }
		if s.Agent != nil && len(runs.outcomes) > 0 && !slices.ContainsFunc(runs.outcomes, is) && !handlesSignal(s.Agent, fired.Signal) {
			g.addFinishes(s, rows, fired.Key, false, item{kind: kindRun, node: runs, outcomes: runs.allOutcomes(), signal: fired.Signal})
		}
	}
}

// addFailure adds an edge for a run of the state's agent after which nothing follows.
func (g *machineGraph) addFailure(s *ir.State, ran item) {
	g.n.addEdge(&edge{from: g.points[s], to: g.n.addPoint(), isStep: true, items: []item{ran}})
}

// addFinishes adds the edges for an agent of a state that finishes with a key.
func (g *machineGraph) addFinishes(s *ir.State, rows *router, key string, done bool, ran item) {
	g.n.stateRuns[s].keys = append(g.n.stateRuns[s].keys, key)
	add := func(to *ir.State, open string, items ...item) {
		e := &edge{from: g.points[s], isStep: true, open: open, items: append([]item{ran}, items...)}
		if point, runs := g.points[to]; runs {
			e.to = point
			g.n.addEdge(e)
		} else {
			g.n.addFinish(e, outcome{key: key, startsWithDone: done, value: unknown})
		}
	}
	switch {
	case s.IsTerminal():
		add(nil, "")
	case s.Always != nil:
		add(s.Always.State, "", item{kind: kindTake, row: g.found.rowOf[s]})
	default:
		routes := rows.routesFor(key)
		if len(routes) == 0 {
			g.addFailure(s, ran)
		}
		for _, t := range routes {
			add(t.row.To.State, t.open, slices.Concat(t.verdicts, []item{{kind: kindTake, row: g.found.rowOf[t.row]}})...)
		}
	}
}

// handlesSignal reports whether a machine or a gate in an agent, or in one that it runs, has a rule
// for a signal. Its rule is applied first.
func handlesSignal(a *ir.Agent, signal string) bool {
	return slices.ContainsFunc(ir.ReachableFrom(a), func(inner *ir.Agent) bool {
		m := inner.MachineOf()
		return m != nil && slices.ContainsFunc(m.Live.Signals, func(rule *ir.SignalRule) bool { return rule.On.Value == signal })
	})
}
