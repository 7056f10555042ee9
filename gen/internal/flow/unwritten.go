package flow

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scc"
)

// Unwritten returns what the steps of a workflow read of the output of a step that cannot have run
// by then, in the order of the steps: on no way that rows, next_state and branches leave open does
// it run before. A machine may begin in any of its states, where the initial context says so.
func (p *Program) Unwritten(w *ir.Flow) []*ir.Access {
	o := &order{p: p, writes: map[*ir.Output][]int{}}
	o.pipeline(w.Body, o.point())
	behind := map[*ir.Output][]bool{}
	var found []*ir.Access
	for _, read := range o.reads {
		output := read.access.Output
		if behind[output] == nil {
			behind[output] = scc.From(o.next, o.writes[output]...)
		}
		if !behind[output][read.at] {
			found = append(found, read.access)
		}
	}

	return found
}

// order is a graph of the points of a workflow: which can come after which, whatever guards and
// failures say, and where outputs are written and read.
type order struct {
	p      *Program
	next   [][]int
	writes map[*ir.Output][]int
	reads  []readAt
}

// readAt is what is read of the output of a step, and at which point.
type readAt struct {
	at     int
	access *ir.Access
}

// point adds a point behind others.
func (o *order) point(before ...int) int {
	o.next = append(o.next, nil)
	for _, from := range before {
		o.lead(from, len(o.next)-1)
	}

	return len(o.next) - 1
}

func (o *order) lead(from, to int) { o.next[from] = append(o.next[from], to) }

// readsAt notes what expressions read that are computed at a point.
func (o *order) readsAt(at int) func(*ir.Access) {
	return func(access *ir.Access) {
		if access.Root == ir.RootStep && access.Output != nil {
			o.reads = append(o.reads, readAt{at, access})
		}
	}
}

// pipeline adds the steps of a pipeline behind a point, and returns the point behind them.
func (o *order) pipeline(p *ir.Pipeline, at int) int {
	for _, t := range p.Steps() {
		at = o.task(t, at)
	}

	return at
}

func (o *order) task(t *ir.Task, at int) int {
	begin := o.point(at)
	t.WalkGiven(o.readsAt(begin))
	worked := o.point(begin)
	switch do := t.Do.(type) {
	case *ir.Machine:
		o.machine(do, begin, worked)
	case *ir.Loop:
		behind := o.readsAt(o.turns(do.Body, begin, worked))
		do.Exit.Walk(behind)
		do.Result.Walk(behind)
	default:
		for _, p := range t.Pipelines() {
			o.lead(o.pipeline(p, begin), worked)
		}
	}
	if t.Retries > 0 {
		o.lead(worked, begin)
	}
	end := o.point(worked)
	o.writes[t.Output] = append(o.writes[t.Output], end)
	if t.Fallback != nil {
		o.lead(o.task(t.Fallback, worked), end)
	}

	return end
}

// turns adds a body that is done again and again, and returns the point behind it.
func (o *order) turns(body *ir.Pipeline, begin, worked int) int {
	turn := o.point(begin)
	end := o.pipeline(body, turn)
	o.lead(end, turn)
	o.lead(end, worked)

	return end
}

// machine adds the states of a machine, and what its guards read.
func (o *order) machine(m *ir.Machine, begin, worked int) {
	x := o.p.machines[m]
	entry, left, anywhere := make([]int, len(x.States)), make([]int, len(x.States)), o.point()
	for i := range x.States {
		entry[i] = o.point(begin)
	}
	for i, s := range x.States {
		if s.End {
			continue
		}
		left[i] = o.pipeline(s.Body, entry[i])
		o.lead(left[i], anywhere)
		next := s.Next()
		if s.Anywhere || m.Partial {
			next = x.States
		}
		for _, to := range next {
			o.lead(left[i], entry[to.Index])
		}
	}
	o.lead(anywhere, worked)
	for _, row := range m.Rows() {
		from := x.of[row.From.State]
		switch {
		case row.When == nil:
		case from != nil && !from.End:
			row.When.Formula.Walk(o.readsAt(left[from.Index]))
		case from == nil && row.FromAny():
			row.When.Formula.Walk(o.readsAt(anywhere))
		}
	}
}
