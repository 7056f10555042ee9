package graph

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// machineDrawing draws the states, rows and next_state values of a machine into its frame.
type machineDrawing struct {
	*builder
	frame *frame
	m     *ir.Machine
	ids   map[*ir.State]string
	drawn map[edge]bool
	// shared are the ids of nodes that are drawn when they are first needed, by label: the end by
	// ~, the origin of rows from any state, the target of a next_state that only the run decides,
	// and a stalled machine.
	shared map[string]string
}

// drawMachine draws a machine into its frame, which begins with the node start.
func (b *builder) drawMachine(f *frame, start string, m *ir.Machine) {
	d := &machineDrawing{builder: b, frame: f, m: m, ids: map[*ir.State]string{}, drawn: map[edge]bool{}, shared: map[string]string{}}
	hasSteps := false
	for _, s := range m.States {
		d.ids[s] = d.drawState(s)
		b.markError(d.ids[s], b.errors.overlaps(s.Name.Span))
		hasSteps = hasSteps || s.Body != nil
	}
	d.addEdge(edge{from: start, to: d.ids[m.Initial.State]})
	for _, s := range m.States {
		if s.Always != nil {
			d.addEdge(edge{from: d.ids[s], to: d.ids[s.Always.State]})
		}
		for _, row := range s.Rows {
			d.drawRow(row, edge{from: d.ids[s], label: d.rowLabel(s, row), dotted: row.IsCatchAll()})
		}
	}
	for _, row := range m.Rows() {
		if row.IsFromAny() {
			d.drawRow(row, edge{from: d.sharedNode("from any state", kindAny), label: d.rowLabel(nil, row)})
		}
	}
	if !hasSteps {
		return
	}
	if b.facts == nil {
		b.facts = flow.Analyze(&ir.Program{Agents: b.agents}, flow.Guess{})
	}
	if analyzed := b.facts.Machine(m); analyzed != nil {
		for _, s := range analyzed.States {
			d.drawNextState(s)
		}
	}
}

// drawState draws a state and returns the id of its node or frame.
func (d *machineDrawing) drawState(s *ir.State) string {
	if s.End || s.IsMarker() {
		return d.addNode(d.frame, s.Name.Value, kindMarker)
	}
	if steps := d.drawSteps(s.Name.Value, kindState, s.Body); steps != nil {
		d.frame.frames = append(d.frame.frames, steps)
		return steps.id
	}
	switch {
	case s.Body != nil || d.m.External:
		return d.addNode(d.frame, s.Name.Value, kindState)
	case s.IsTerminal():
		return d.drawRun(d.frame, s.Name.Value, s.Agent, kindTerminal)
	}

	return d.drawRun(d.frame, s.Name.Value, s.Agent, kindAgent)
}

// sharedNode returns the id of a shared node, and draws it if necessary.
func (d *machineDrawing) sharedNode(label string, k kind) string {
	if d.shared[label] == "" {
		d.shared[label] = d.addNode(d.frame, label, k)
	}

	return d.shared[label]
}

// addEdge draws an edge between two states, unless it exists or one of the ids is empty.
func (d *machineDrawing) addEdge(e edge) {
	if e.to == "" || e.from == "" || d.drawn[e] {
		return
	}
	d.drawn[e] = true
	d.frame.edges = append(d.frame.edges, e)
}

func (d *machineDrawing) drawRow(row *ir.Row, e edge) {
	if row.End {
		e.to = d.sharedNode("", kindEnd)
	} else {
		e.to = d.ids[row.To.State]
	}
	d.addEdge(d.builder.markRow(d.frame, e, row))
}

// drawNextState draws the targets of next_state from a state, and whether the machine can end or
// stall there.
func (d *machineDrawing) drawNextState(s *flow.State) {
	from := edge{from: d.ids[s.State], label: ir.NextState, dotted: true}
	for _, move := range s.Moves {
		if move.Next != nil {
			from.to = d.ids[move.Next.State]
			d.addEdge(from)
		}
	}
	isOpen := s.NextOpen && !s.End && s.AlwaysOn(ir.OnSuccess) == nil
	if isOpen {
		from.to = d.sharedNode("to any state", kindAny)
		d.addEdge(from)
	}
	var otherwise string
	switch {
	case s.Stops:
		otherwise = d.sharedNode("", kindEnd)
	case s.Stalls:
		otherwise = d.sharedNode("stalled", kindAny)
	}
	last := edge{from: from.from, to: otherwise}
	if len(s.Moves) > 0 || isOpen {
		last.label = "otherwise"
	}
	d.addEdge(last)
}

// rowLabel returns the key of a row with its guard, and with the time after which a timer fires it.
func (d *machineDrawing) rowLabel(s *ir.State, r *ir.Row) string {
	label := r.Key.Value
	if r.When != nil {
		label += " [" + words.Cut(strings.TrimSpace(r.When.Text.Value), mostLabel) + "]"
	}
	for _, timer := range d.m.Live.Timers {
		if timer.State.State == s && ir.FoldKey(timer.Fire.Value) == ir.FoldKey(r.Key.Value) {
			label += ", after " + withoutZeros.Replace(timer.After.String())
		}
	}

	return label
}

// withoutZeros removes trailing zero units of a time: 1h, not 1h0m0s.
var withoutZeros = strings.NewReplacer("h0m0s", "h", "m0s", "m")
