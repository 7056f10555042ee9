package rehearsal

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/hops"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// walking is a machine that runs.
type walking struct {
	outer
	graph *hops.Machine
	task  *ir.Task
	most  int
	steps int
	// input is that of the machine, output that of the state that ran last.
	input, output workflow.Value
	// before is what was known where the machine began: where the one around it stands.
	before *env
}

// inState waits for the steps of a state.
type inState struct {
	*walking
	state *hops.State
}

// machine begins a machine.
func (s *search) machine(p point, t *ir.Task, m *ir.Machine, given workflow.Value) []point {
	w := &walking{
		outer: outer{p.next}, graph: s.graphOf(m), task: t, most: s.mostSteps(m), input: given, output: given, before: p.env,
	}
	s.found.machine(m)
	if w.graph.Start == nil {
		return w.fails(p)
	}

	return w.enter(s, p, w.graph.Start, given)
}

// enter comes to a state.
func (w *walking) enter(s *search, p point, state *hops.State, given workflow.Value) []point {
	s.found.reached[state.State] = true
	if state.End {
		return w.ends(p, state.Name.Value)
	}
	if w.steps >= w.most {
		s.cut = s.cut || s.limit > 0
		return w.fails(p)
	}
	next := *w
	next.steps++
	p.env = p.env.copied()
	p.env.run.InState(state.Name.Value)
	p.env.named, p.env.lastStep, p.env.event = workflow.None, workflow.None, ""
	p.hop = true

	return s.pipeline(p, state.Body, given, &inState{&next, state})
}

func (f *inState) resume(s *search, p point) []point {
	p.env = p.env.copied()
	p.env.event = map[outcome]string{gave: ir.OnSuccess, failed: ir.OnFailure, left: ir.OnPause}[p.came]
	next := *f.walking
	next.output = p.value

	var all []point
	for _, row := range f.state.Rows {
		if row.Key.Value != p.env.event {
			continue
		}
		switch f.guard(p.env, row, p.value) {
		case always:
			return append(all, next.take(s, p, row)...)
		case maybe:
			p.doubtful = true
			all = append(all, next.take(s, p, row)...)
		}
	}
	if p.came == failed {
		return append(all, next.fails(p)...)
	}

	return append(all, next.follow(s, p)...)
}

// guard says whether the guard of a row holds when a state came to a value.
func (f *inState) guard(e *env, row *ir.Row, result workflow.Value) holding {
	if row.When == nil {
		return always
	}
	in := e.eval()
	in.result = result

	return holds(in.formula(row.When.Formula))
}

// take goes where a row leads.
func (w *walking) take(s *search, p point, row *ir.Row) []point {
	p = p.noting(s, Item{Kind: Take, Machine: w.graph.Machine, Row: row})
	given := w.input
	if p.came == left {
		given = w.output
	}
	to := w.graph.StateOf(row.To.State)
	if to == nil {
		return w.fails(p)
	}

	return w.enter(s, p.with(w.output), to, given)
}

// follow goes where next_state leads; without one the machine stalls.
func (w *walking) follow(s *search, p point) []point {
	next := workflow.First(p.env.run.NextState(), p.env.named)
	if text, isText := next.AsText(); next.IsNone() || isText && text == "" {
		return w.fails(p)
	}
	var all []point
	for _, state := range w.graph.States {
		switch {
		case isUnknown(next):
			p.doubtful = true
			all = append(all, w.enter(s, p, state, w.input)...)
		case state.Name.Value == next.String():
			return w.enter(s, p, state, w.input)
		}
	}
	if len(all) > 0 {
		return all
	}

	return w.fails(p)
}

// ends ends the machine in an end state.
func (w *walking) ends(p point, state string) []point {
	p = w.out(p).with(w.output)
	p.env.ended = state

	return []point{p}
}

// fails ends the machine with a failure.
func (w *walking) fails(p point) []point {
	p = w.out(p).failing()
	p.env.ended = ""

	return []point{p}
}

// out stands again where the machine began.
func (w *walking) out(p point) point {
	e := p.env.copied()
	e.run = w.before.run
	if err := e.run.Inherit(p.env.run.Context()); err != nil {
		panic("rehearsal: a context is none: " + err.Error())
	}
	e.named, e.lastStep, e.event = w.before.named, w.before.lastStep, w.before.event
	p.env, p.next, p.hop = e, w.frame, false

	return p
}

func (f *inState) key(s *search, b *strings.Builder) {
	s.id(b, f.state.State)
	b.WriteString(f.input.JSON() + f.before.run.NextState().JSON() + f.before.named.JSON() + f.before.event)
}
