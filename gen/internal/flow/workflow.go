package flow

import (
	"github.com/agentc-dev/agentc/gen/internal/hops"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// OfWorkflow returns with which keys a workflow finishes: ends are the end states that the machine with which it ends can reach,
// and done says that it can be the key done.
func OfWorkflow(w *ir.Workflow) (done bool, ends []ir.Text) {
	if w.Body == nil || len(w.Body.Tasks) == 0 {
		return true, nil
	}
	last := w.Body.Tasks[len(w.Body.Tasks)-1]
	for t := last; t != nil; t = t.Fallback {
		m, isMachine := t.Do.(*ir.Machine)
		if !isMachine {
			done = true
			continue
		}
		ends = append(ends, ofWorkMachine(m)...)
	}

	return done, ends
}

// ofWorkMachine returns the end states that a machine can reach: it ends nowhere else.
func ofWorkMachine(m *ir.Machine) (ends []ir.Text) {
	g := hops.Of(m)
	for i, reached := range g.Reached() {
		if s := g.States[i]; reached && s.End {
			ends = append(ends, s.Name)
		}
	}

	return ends
}

func (p *Program) ofWorkflow(w *ir.Workflow) Outcomes {
	o := Outcomes{p: p}
	if partial(w) {
		return o
	}
	done, ends := OfWorkflow(w)
	if done {
		o = o.withKey(ir.DoneKey, 0)
	}
	for _, end := range ends {
		o = o.withKey(end.Value, 0)
	}

	return o
}

// partial reports whether not all is known of how a workflow ends.
func partial(w *ir.Workflow) bool {
	if w.Body == nil || len(w.Body.Tasks) == 0 {
		return false
	}
	for t := w.Body.Tasks[len(w.Body.Tasks)-1]; t != nil; t = t.Fallback {
		if m, isMachine := t.Do.(*ir.Machine); t.Do == nil || isMachine && m.Partial {
			return true
		}
	}

	return false
}
