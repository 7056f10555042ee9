package verify

import (
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// inState is the innermost machine that a pipeline is in, and its state there; the zero value outside of all machines.
type inState struct {
	machine *stateMachine
	state   *ir.WorkState
}

// locate notes in which state a pipeline is, and those inside of it.
func (w *workflow) locate(p *ir.Pipeline, at inState) {
	w.states[p] = at
	for _, t := range p.Tasks {
		for ; t != nil; t = t.Fallback {
			if do, isMachine := t.Do.(*ir.StateMachine); isMachine {
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
	at := s.w.states[s.at]
	if at.machine == nil || !asksPerson(t) {
		return false
	}
	leave := one("the answer", "return workflow.None, workflow.Leave("+s.last+")")
	for _, row := range at.machine.do.Rows {
		if row.On != ir.OnPause || !row.Any && row.From.State != at.state {
			continue
		}
		switch here := at.machine.state(at.state); {
		case row.When != nil:
			s.add(statement{t.Name.Value + " leads away", "if next, match := r." + at.machine.verb(names.Next) + "(" + here +
				", workflow.Pause); (match != runtime.MatchNone) && (next != " + here + ")", leave})
		case row.To.State != at.state:
			s.add(leave...)
			return true
		}
		return false
	}

	return false
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
