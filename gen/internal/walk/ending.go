package walk

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Ending is a way in which a conversation inside of a flow can end, which decides how the flow goes on: a scatter runs its workers or
// does not, a loop goes round once more or is over.
type Ending struct {
	// Label is how scripts call the conversation.
	Label string
	// Key is the key with which it finishes.
	Key string

	node    *node
	outcome *outcome
}

// endingsIn returns the endings of the conversations that some walk reaches inside of flows, those with the longest walks first: they
// have the most others.
func endingsIn(nodes []*node) []Ending {
	var endings []Ending
	for _, n := range nodes {
		if flow, ok := n.body.(*flow); ok && n.entered {
			endings = append(endings, flow.endings()...)
		}
	}
	slices.SortStableFunc(endings, func(a, b Ending) int { return cmp.Compare(b.turns(), a.turns()) })

	return endings
}

func (x *flow) endings() []Ending {
	var endings []Ending
	for i := range x.code {
		for _, n := range x.code[i].runs {
			if _, ok := n.body.(*conversation); !ok {
				continue
			}
			for j := range n.outcomes {
				if o := &n.outcomes[j]; o.around != nil && o.rest < infinite {
					endings = append(endings, Ending{Label: n.label, Key: o.key, node: n, outcome: o})
				}
			}
		}
	}

	return endings
}

// turns are those of the shortest walk in which the conversation ends so.
func (e Ending) turns() int { return plus(e.outcome.turns, e.outcome.rest) }

// in reports whether the conversation ends so in a script.
func (e Ending) in(s *Script) bool {
	want := e.node.body.(*conversation).turns[e.outcome.way.at]

	return slices.ContainsFunc(s.Turns, func(l List) bool {
		base, _, _ := strings.Cut(l.Name, "@")
		return base == e.Label && slices.ContainsFunc(l.Turns, func(t Turn) bool {
			return ir.FoldKey(t.Key) == ir.FoldKey(want.Key) && t.Say == want.Say && t.Value == want.Value
		})
	})
}

// addEndings adds a script for each ending that no script has yet.
func (w *scriptWriter) addEndings() {
	for _, e := range w.result.endings {
		if slices.ContainsFunc(w.scripts, e.in) {
			continue
		}
		passes := passesTo(e.outcome.around)
		at := slices.Index(w.result.nodes, passes[0].by)
		s, err := w.result.record(w.result.roots[at], e.turns(), func(r *recorder, b *branch) { r.lead(b, passes) })
		if err == nil {
			s.Ending = &e
			w.scripts = append(w.scripts, s)
		}
	}
}
