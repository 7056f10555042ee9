package rt

import (
	"context"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signalrule"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// hearing is how one run of a machine receives signals: it asks at the safe points of the machine,
// and remembers what was put off. The nil pointer belongs to a machine without rules, which never
// asks.
type hearing struct {
	fx      runtime.Effects
	machine string
	rules   []signals.Rule
	// later are the signals that were put off until the state is left.
	later []signals.Signal
	// decided are the decisions in the state, for the event of the step that leaves it.
	decided []event.Guard
	// quiet ends what enter began.
	quiet func()
}

// enterState notifies the engine that the machine is in a state.
func (h *hearing) enterState(state string) {
	if h == nil {
		return
	}
	h.decided = nil
	h.quiet = h.fx.Listen(h.machine, state, h.rules)
}

// leaveState ends what enter began.
func (h *hearing) leaveState() {
	if h != nil && h.quiet != nil {
		h.quiet()
		h.quiet = nil
	}
}

// askSignals asks at a safe point: first about what was put off in the state before, then about
// what has come, until a rule fires a key or nothing is left. An error ends the machine; it is a
// *CancelledError if a rule says so. In a state that has no keys nothing can be fired, and such a
// signal stays put off.
func (h *hearing) askSignals(state string, keys bool) (fired string, err error) {
	again := h.later
	h.later = nil

	return h.decideSignals(state, keys, again)
}

// decideSignals asks about the signals of again, and then about what has come.
func (h *hearing) decideSignals(state string, keys bool, again []signals.Signal) (fired string, err error) {
	for {
		var signal *signals.Signal
		if len(again) > 0 {
			signal, again = &again[0], again[1:]
		}
		ruling, err := h.nextRuling(state, signal)
		switch {
		case err != nil:
			return "", err
		case ruling == nil && signal == nil:
			return "", nil
		case ruling == nil: // no machine has a rule for it here, but there may be one in the next state
			h.later = append(h.later, *signal)
			continue
		}
		h.noteSignal(ruling)
		switch {
		case ruling.Answer == signals.Fire && keys:
			h.later = append(h.later, again...)

			return ruling.Key, nil
		case ruling.Answer == signals.GracefulStop, ruling.Answer == signals.ForceStop:
			return "", stopError(ruling, h.machine, state)
		default:
			h.later = append(h.later, ruling.Signal)
		}
	}
}

// nextRuling asks one question.
func (h *hearing) nextRuling(state string, again *signals.Signal) (*signals.Ruling, error) {
	verdict, err := h.fx.Guard(runtime.GuardCall{
		Machine: h.machine, State: state, Name: signalrule.GuardName,
		Run:     func(context.Context) (runtime.Verdict, error) { return runtime.Verdict{}, nil }, // an engine that knows no signals
		Signals: &signals.Question{Rules: h.rules, Deferred: again},
	})

	return verdict.Signal, err
}

// noteSignal remembers a decision for the event.
func (h *hearing) noteSignal(r *signals.Ruling) {
	answer := string(r.Answer)
	if r.Answer == signals.Fire {
		answer += " " + r.Key
	}
	h.decided = append(h.decided, event.Guard{
		Name: "signal " + r.Signal.Kind, OK: r.Answer == signals.Fire, Reason: answer + ", says a rule of the " + r.Tier,
	})
}

// withSignalGuards are the decisions of the state, and after them what guards have said.
func (h *hearing) withSignalGuards(guards []event.Guard) []event.Guard {
	if h == nil || len(h.decided) == 0 {
		return guards
	}

	return append(h.decided, guards...)
}

// stopError is the error of a machine that a signal has ended.
func stopError(r *signals.Ruling, machine, state string) error {
	return &runtime.CancelledError{Reason: signalrule.StopReason(r, machine, state)}
}
