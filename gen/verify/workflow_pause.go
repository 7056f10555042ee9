package verify

import (
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// inState is the innermost machine that a pipeline is in, and its state there; the zero value outside of all machines.
type inState struct {
	machine *stateMachine
	state   *ir.State
}

// locate notes in which state a pipeline is, and those inside of it.
func (w *workflow) locate(p *ir.Pipeline, at inState) {
	w.states[p] = at
	for _, t := range p.Tasks {
		for ; t != nil; t = t.Fallback {
			if do, isMachine := t.Do.(*ir.Machine); isMachine {
				m := w.stateMachine(p, t, do)
				for _, s := range do.States {
					w.locateIn(s.Body, inState{m, s})
				}
				continue
			}
			for _, inside := range t.Pipelines() {
				w.locate(inside, at)
			}
		}
	}
}

func (w *workflow) locateIn(p *ir.Pipeline, at inState) {
	if p != nil {
		w.locate(p, at)
	}
}

// leaves adds that the rest of a state is skipped if a row on a pause leads to another state, and reports whether it always
// does: then no step behind this one can run.
func (s *steps) leaves(t *ir.Task) bool {
	row, at := s.w.onPause(s.at, t)
	if row == nil {
		return false
	}
	leave := one("the answer", "return workflow.None, workflow.Leave("+s.last+")")
	if row.When == nil {
		s.add(leave...)
		return true
	}
	here := at.machine.state(at.state)
	s.add(statement{t.Name.Value + " leads away", "if next, match := r." + at.machine.verb(names.Next) + "(" + here +
		", workflow.Pause); (match != runtime.MatchNone) && (next != " + here + ")", leave})

	return false
}

// onPause returns the first row on a pause in the state around a step that asks a person; nil where there is none, or where it
// leads to the state itself, which changes nothing.
func (w *workflow) onPause(p *ir.Pipeline, t *ir.Task) (*ir.Row, inState) {
	at := w.states[p]
	if at.machine == nil || !asksPerson(t) {
		return nil, at
	}
	for _, row := range at.machine.do.Rows() {
		if row.Key.Value == ir.OnPause && (row.FromAny() || row.From.State == at.state) {
			if row.When == nil && row.To.State == at.state {
				return nil, at
			}
			return row, at
		}
	}

	return nil, at
}

// running returns the steps of a pipeline that can run: none behind an answer that always leads away.
func (w *workflow) running(p *ir.Pipeline) []*ir.Task {
	for i, t := range p.Tasks {
		if row, _ := w.onPause(p, t); row != nil && row.When == nil {
			return p.Tasks[:i+1]
		}
	}

	return p.Tasks
}

// inside returns the pipelines in a step that can run: not those of end states.
func inside(t *ir.Task) []*ir.Pipeline {
	m, isMachine := t.Do.(*ir.Machine)
	if !isMachine {
		return t.Pipelines()
	}
	var bodies []*ir.Pipeline
	for _, s := range m.States {
		if runs(s) {
			bodies = append(bodies, s.Body)
		}
	}

	return bodies
}

// machines returns the machines that can run, each before those inside of it.
func (w *workflow) machines() []*stateMachine {
	var all []*stateMachine
	var find func(p *ir.Pipeline)
	find = func(p *ir.Pipeline) {
		for _, t := range w.running(p) {
			for ; t != nil; t = t.Fallback {
				if do, isMachine := t.Do.(*ir.Machine); isMachine {
					all = append(all, w.stateMachine(p, t, do))
				}
				for _, body := range inside(t) {
					find(body)
				}
			}
		}
	}
	find(w.ir.Body)

	return all
}

func asksPerson(t *ir.Task) bool {
	switch do := t.Do.(type) {
	case *ir.Hitl:
		return true
	case *ir.UseBuiltin:
		return do.Builtin == ir.AskUser
	}

	return false
}
