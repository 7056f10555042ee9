package graph

import (
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// machine draws the states and rows of a machine into its frame, which begins with start.
func (b *builder) machine(f *frame, start string, m *ir.Machine) {
	ids := map[*ir.State]string{}
	for _, s := range m.States {
		ids[s] = b.state(f, m, s)
	}
	if m.Initial.State != nil {
		f.edges = append(f.edges, edge{from: start, to: ids[m.Initial.State]})
	}

	end := ""
	for _, s := range m.States {
		if s.Always != nil && s.Always.State != nil {
			f.edges = append(f.edges, edge{from: ids[s], to: ids[s.Always.State]})
		}
		for _, r := range s.Rows {
			e := edge{from: ids[s], to: ids[r.To.State], label: labelOfKey(m, s, r), dotted: r.IsCatchAll()}
			if r.End && end == "" {
				end = b.add(f, "", kindEnd)
			}
			if r.End {
				e.to = end
			}
			if e = b.row(f, e, r); e.to != "" {
				f.edges = append(f.edges, e)
			}
		}
	}
}

// labelOfKey is a key with its guard, and with the time after which a timer fires it.
func labelOfKey(m *ir.Machine, s *ir.State, r *ir.Row) string {
	label := r.Key.Value
	if r.When != nil {
		label += " [" + short(strings.TrimSpace(r.When.Text.Value)) + "]"
	}
	for _, timer := range m.Live.Timers {
		if timer.State.State == s && ir.FoldKey(timer.Fire.Value) == ir.FoldKey(r.Key.Value) {
			label += ", after " + brief(timer.After)
		}
	}

	return label
}

// brief writes a time without the units that are zero at its end: 1h, not 1h0m0s.
func brief(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}

	return text
}

// state draws a state into f and returns the id of its node or frame.
func (b *builder) state(f *frame, m *ir.Machine, s *ir.State) string {
	id := b.stateNode(f, m, s)
	b.mark(id, b.errors.at(s.Name.Span))

	return id
}

func (b *builder) stateNode(f *frame, m *ir.Machine, s *ir.State) string {
	switch {
	case s.Marker():
		return b.add(f, s.Name.Value, kindMarker)
	case m.External:
		return b.add(f, s.Name.Value, kindState)
	}

	k := kindAgent
	if s.Terminal() {
		k = kindTerminal
	}
	if framed(s.Agent) {
		return b.inner(f, s.Name.Value, s.Agent, k)
	}

	return b.box(f, s.Name.Value, s.Agent, k)
}
