package runtime

import (
	"context"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// hearing is how one run of a machine hears of signals: it asks at the safe points of the machine, and remembers what was put off.
// The nil pointer is that of a machine without rules, which never asks.
type hearing struct {
	fx      Effects
	machine string
	rules   []SignalRule
	// later are the signals that were put off until the state is left.
	later []Signal
	// decided is what was said in the state, for the event of the step that leaves it.
	decided []GuardVerdict
	// quiet ends what enter began.
	quiet func()
}

// enter tells an engine that wants to know it that the machine is in a state.
func (h *hearing) enter(state string) {
	if h == nil {
		return
	}
	h.decided = nil
	if door, ok := h.fx.(SignalDoor); ok {
		h.quiet = door.Listen(h.machine, state, h.rules)
	}
}

// leave ends what enter began.
func (h *hearing) leave() {
	if h != nil && h.quiet != nil {
		h.quiet()
		h.quiet = nil
	}
}

// ask asks at a safe point: first about what was put off in the state before, then about what has come, until a rule fires a key
// or nothing is left. An error ends the machine; it is a *CancelledError if a rule says so. In a state that has no keys nothing
// can be fired, and such a signal stays put off.
func (h *hearing) ask(state string, keys bool) (fired string, err error) {
	again := h.later
	h.later = nil

	return h.decide(state, keys, again)
}

// decide asks about the signals of again, and then about what has come.
func (h *hearing) decide(state string, keys bool, again []Signal) (fired string, err error) {
	for {
		var signal *Signal
		if len(again) > 0 {
			signal, again = &again[0], again[1:]
		}
		ruling, err := h.rule(state, signal)
		switch {
		case err != nil:
			return "", err
		case ruling == nil && signal == nil:
			return "", nil
		case ruling == nil: // nobody has a rule for it here, but somebody may have one in the next state
			h.later = append(h.later, *signal)
			continue
		}
		h.note(ruling)
		switch {
		case ruling.Answer == AnswerFire && keys:
			h.later = append(h.later, again...)

			return ruling.Key, nil
		case ruling.Answer == AnswerGracefulStop, ruling.Answer == AnswerForceStop:
			return "", ruling.stopped(h.machine, state)
		default:
			h.later = append(h.later, ruling.Signal)
		}
	}
}

// rule asks one question.
func (h *hearing) rule(state string, again *Signal) (*Ruling, error) {
	verdict, err := h.fx.Guard(GuardCall{
		Machine: h.machine, State: state, Name: SignalGuard,
		Run:     func(context.Context) (Verdict, error) { return Verdict{}, nil }, // an engine that knows no signals
		Signals: &SignalQuestion{Rules: h.rules, Again: again},
	})

	return verdict.Signal, err
}

// note remembers a decision for the event.
func (h *hearing) note(r *Ruling) {
	answer := string(r.Answer)
	if r.Answer == AnswerFire {
		answer += " " + r.Key
	}
	h.decided = append(h.decided, GuardVerdict{
		Name:    "signal " + r.Signal.Kind,
		Verdict: Verdict{OK: r.Answer == AnswerFire, Reason: answer + ", says a rule of the " + string(r.Tier)},
	})
}

// asked are the decisions of the state, and after them what guards have said.
func (h *hearing) asked(guards []GuardVerdict) []GuardVerdict {
	if h == nil || len(h.decided) == 0 {
		return guards
	}

	return append(h.decided, guards...)
}

// stopped is the error of a machine that a signal has ended.
func (r *Ruling) stopped(machine, state string) error {
	return &CancelledError{Reason: StopReason(r, machine, state)}
}

// StopReason says, as Reason of a [CancelledError], by which signal a machine was stopped and where it stood.
func StopReason(r *Ruling, machine, state string) string {
	return "signal " + wording.Quote(r.Signal.Kind) + " (" + string(r.Answer) + ") in state " + wording.Quote(state) +
		" of machine " + wording.Quote(machine)
}
