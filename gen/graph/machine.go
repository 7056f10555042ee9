package graph

import "github.com/agentc-dev/agentc/gen/ir"

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
			to := ids[r.To.State]
			if r.End && end == "" {
				end = b.add(f, "", kindEnd)
			}
			if r.End {
				to = end
			}
			f.edges = append(f.edges, edge{from: ids[s], to: to, label: r.Key.Value, dotted: r.IsCatchAll()})
		}
	}
}

// state draws a state into f and returns the id of its node or frame.
func (b *builder) state(f *frame, m *ir.Machine, s *ir.State) string {
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

	return b.add(f, s.Name.Value, k)
}
