package graph

import (
	"github.com/agentc-dev/agentc/gen/internal/hops"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// workMachine draws the states, rows and values of next_state of a machine in a workflow into its frame.
func (b *builder) workMachine(f *frame, m *ir.Machine) {
	start := b.add(f, "", kindStart)
	d := &workMachine{b: b, frame: f, ids: map[*ir.State]string{}, drawn: map[edge]bool{}}
	for _, s := range m.States {
		d.ids[s] = d.state(s)
	}
	d.edge(edge{from: start, to: d.ids[m.Initial.State]})
	for _, row := range m.Rows() {
		d.row(row)
	}
	for _, s := range hops.Of(m).States {
		d.next(s)
	}
}

type workMachine struct {
	b     *builder
	frame *frame
	ids   map[*ir.State]string
	drawn map[edge]bool
	// from and to stand for every state, where rows begin and where a next_state leads that only the run tells; stalled is where
	// the machine fails because nothing leads on. They are empty until something needs them.
	from, to, stalled string
}

// state draws a state: its steps in a frame, or a node if there are none or none runs.
func (d *workMachine) state(s *ir.State) string {
	if s.End {
		return d.b.add(d.frame, s.Name.Value, kindMarker)
	}
	f := d.b.steps(s.Name.Value, kindState, s.Body)
	if f == nil {
		return d.b.add(d.frame, s.Name.Value, kindState)
	}
	d.frame.frames = append(d.frame.frames, f)

	return f.id
}

// node returns the id of a node that is drawn when it is first needed.
func (d *workMachine) node(id *string, label string, k kind) string {
	if *id == "" {
		*id = d.b.add(d.frame, label, k)
	}

	return *id
}

// edge draws an edge to a state, unless the name is that of none or the same edge is there.
func (d *workMachine) edge(e edge) {
	if e.to == "" || e.from == "" || d.drawn[e] {
		return
	}
	d.drawn[e] = true
	d.frame.edges = append(d.frame.edges, e)
}

func (d *workMachine) row(row *ir.Row) {
	e := edge{from: d.ids[row.From.State], label: labelOfRow(row)}
	if row.FromAny() {
		e.from = d.node(&d.from, "from any state", kindAny)
	}
	e.to = d.ids[row.To.State]
	d.edge(d.b.row(d.frame, e, row))
}

// next draws where next_state leads from a state, and that the machine can stall there.
func (d *workMachine) next(s *hops.State) {
	from := edge{from: d.ids[s.State], label: ir.NextState, dotted: true}
	for _, ref := range s.Next {
		from.to = d.ids[ref.State]
		d.edge(from)
	}
	if s.Open {
		from.to = d.node(&d.to, "to any state", kindAny)
		d.frame.edges = append(d.frame.edges, from)
	}
	if !s.Stalls {
		return
	}
	stall := edge{from: from.from, to: d.node(&d.stalled, "stalled", kindAny)}
	if len(s.Rows)+len(s.Next) > 0 || s.Open {
		stall.label = "otherwise"
	}
	d.frame.edges = append(d.frame.edges, stall)
}
