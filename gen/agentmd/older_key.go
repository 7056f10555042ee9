package agentmd

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
)

// olderKeys finds rows that route a oneshot by the older name of its key and makes them rows of the key that it has: where
// the oneshot runs, and where a machine stands that ends with the key of a oneshot.
func (l *loader) olderKeys() {
	ends := oneshotEnds{}
	for _, a := range l.program.Agents {
		machine, ok := a.Node.(*ir.Machine)
		if !ok || machine == nil {
			continue
		}
		for _, state := range machine.States {
			if ends.of(state.Agent) {
				l.olderKey(state)
			}
		}
	}
}

func (l *loader) olderKey(state *ir.State) {
	var older *ir.Row
	for _, row := range state.Rows {
		switch row.Key.Value {
		case keys.Done:
			return
		case keys.DoneOlder:
			older = row
		}
	}
	if older == nil {
		return
	}

	l.list.Add(diag.New(diag.DeprecatedForm, older.Key.Span,
		"%q is the older name of the key with which a oneshot finishes", keys.DoneOlder).
		WithHint("write %q", keys.Done).
		WithFix(`replace "result" with "done"`, older.Key.Span, keys.Done))
	older.Key.Value = keys.Done
}

// oneshotEnds remembers which agents can finish with the key of a oneshot, and with no key called by its older name.
type oneshotEnds map[*ir.Agent]bool

func (o oneshotEnds) of(a *ir.Agent) bool {
	if a == nil {
		return false
	}
	if known, seen := o[a]; seen {
		return known
	}
	o[a] = false // what a circle of agents adds is found elsewhere in the circle

	switch node := a.Node.(type) {
	case *ir.Oneshot:
		o[a] = true
	case *ir.Machine:
		o[a] = node != nil && o.machine(node)
	}

	return o[a]
}

func (o oneshotEnds) machine(m *ir.Machine) bool {
	found := false
	for _, s := range m.States {
		if keys.Of(s).Kind == keys.Outer || keys.Of(s).Kind == keys.Or {
			found = found || o.of(s.Agent)
		}
		for _, row := range s.Rows {
			if !keys.Leaves(row) || row.Key.Value != keys.Done && row.Key.Value != keys.DoneOlder {
				continue
			}
			if row.Key.Value == keys.DoneOlder && !o.of(s.Agent) {
				return false // here an agent really finishes with that key
			}
			found = found || o.of(s.Agent)
		}
	}

	return found
}
