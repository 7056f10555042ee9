package walk

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// signalled is what runs in a state in which signals fire keys: it finishes as ever, or a signal comes that puts another key in the
// place of its own. Its outcomes are those of what runs, and behind them one for each such key.
type signalled struct {
	runs *node
	// shortest is the outcome of runs whose key a signal replaces.
	shortest int
	// signals are those of the outcomes behind the ones of runs.
	signals []string
}

// signalled returns a node around what runs in a state of a machine, if signals can make it finish with keys that it cannot finish
// with by itself; else what runs.
func (b *builder) signalled(m *ir.Machine, s *ir.State, runs *node) *node {
	if b.undisturbed || runs == nil || s.Agent == nil || runs.endless() {
		return runs
	}
	x := &signalled{runs: runs, shortest: runs.cheapest()}
	n := &node{label: runs.label, place: runs.place, body: x, cut: runs.cut}
	add := func(o outcome) {
		o.way = way{at: len(n.outcomes)}
		n.add(o)
	}
	for _, o := range runs.outcomes {
		add(o)
	}
	for _, fired := range m.Fired(s) {
		is := func(o outcome) bool { return o.is(fired.Key) }
		if slices.ContainsFunc(n.outcomes, is) || hears(s.Agent, fired.Signal, map[*ir.Agent]bool{}) {
			continue
		}
		o := runs.outcomes[x.shortest]
		o.key = fired.Key
		add(o)
		x.signals = append(x.signals, fired.Signal)
	}
	if len(x.signals) == 0 {
		return runs
	}
	b.complete(n)

	return n
}

// hears reports whether a machine or a gate has a rule for a signal, in an agent or in one that it runs: that is asked first.
func hears(a *ir.Agent, signal string, seen map[*ir.Agent]bool) bool {
	if a == nil || seen[a] {
		return false
	}
	seen[a] = true
	is := func(rule *ir.SignalRule) bool { return rule.On.Value == signal }
	if m := a.MachineOf(); m != nil && slices.ContainsFunc(m.Live.Signals, is) {
		return true
	}

	return slices.ContainsFunc(a.Contained(), func(ref ir.AgentRef) bool { return hears(ref.Agent, signal, seen) })
}

// inner returns the outcome of what runs that an outcome of n is, and the signal that comes then; "" if none does.
func (x *signalled) inner(outcome int) (of int, signal string) {
	if own := len(x.runs.outcomes); outcome >= own {
		return x.shortest, x.signals[outcome-own]
	}

	return outcome, ""
}

func (x *signalled) finish(*node) {}

func (x *signalled) surround(n *node) {
	x.runs.entered = true
	for i := range n.outcomes {
		of, _ := x.inner(i)
		x.runs.improve(of, n.outcomes[i].rest, pass{by: n, at: i})
	}
}

func (x *signalled) play(r *recorder, b *branch, _ *node, w way) {
	of, signal := x.inner(w.at)
	r.while(signal, func() { r.play(b, x.runs, of) })
}

func (x *signalled) pass(r *recorder, b *branch, p *pass, focus func(*branch)) {
	_, signal := x.inner(p.at)
	r.while(signal, func() { focus(b) })
}

func (x *signalled) ends(p *pass) int { return p.at }
