package live

import (
	"runtime/debug"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signalrule"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// Signal decides what a signal does in the state of the machine: by the rules of the file, else by
// those of [Machine.SetRoutes]. With [signals.Fire] the key is fired, guards included, by the agent
// "signal" and with the signal's value. With [signals.Continue] the machine keeps the signal, and
// decides again when the state is left: see Decisions of [drive.Step]. The error comes from the
// decision, also if a predicate of a rule panicked.
func (m *Machine[S, K]) Signal(signal signals.Signal) (drive.Decision, error) {
	m.mutex.Lock()
	defer m.unlock()
	if _, _, err := m.fireDueTimer(); err != nil && !isRefusal(err) {
		return drive.Decision{Signal: signal}, err
	}
	decision, done := m.decideSignal(signal)
	if done != nil {
		m.finishStep(*done)
	}

	return decision, decision.Err
}

// decideSignal decides about a signal, and commits the step of a key that it fires. The machine is
// locked.
func (m *Machine[S, K]) decideSignal(signal signals.Signal) (drive.Decision, *made[S, K]) {
	rule, tier, err := m.findRule(signal)
	decision := drive.Decision{Signal: signal, Answer: rule.Do, Tier: tier, Err: err}
	switch rule.Do {
	case signals.Continue:
		later := &m.ensureExtra().later
		*later = append(*later, signal)
	case signals.Fire:
		fire := attempt[S, K]{key: K(rule.Key), value: signal.Value, agent: "signal", free: true}
		done, err := m.decide(&m.now, fire)
		if err != nil {
			decision.Err = err
			break
		}
		m.commitStep(&m.now, &done, signal.Value)
		decision.Step = m.stepOf(done)

		return decision, &done
	}

	return decision, nil
}

// findRule finds the rule that counts: the zero rule, of no tier, if there is none, or if a
// predicate panicked, which the error says.
func (m *Machine[S, K]) findRule(signal signals.Signal) (_ signals.Rule, tier string, err error) {
	defer func() {
		if value := recover(); value != nil {
			where := "a rule for signal " + signal.Kind + " of machine " + m.spec.Name
			err = &runtime.PanicError{Where: where, Value: value, Stack: debug.Stack()}
		}
	}()
	state := m.now.state.String()
	if rule := signalrule.Best(m.spec.Signals, signal, state); rule != nil {
		return *rule, "machine", nil
	}
	if m.extra == nil {
		return signals.Rule{}, "", nil
	}
	if rule := signalrule.Best(m.extra.routes.Rules(m.spec.Name), signal, state); rule != nil {
		return *rule, "agent", nil
	}
	if rule := signalrule.Best(m.extra.routes.Rules(""), signal, state); rule != nil {
		return *rule, "host", nil
	}

	return signals.Rule{}, "", nil
}

// finishStep ends a step that was committed: signals that had been put off are decided about again,
// now that the state was left, and the caller who subscribed will be notified. The machine is
// locked.
func (m *Machine[S, K]) finishStep(done made[S, K]) made[S, K] {
	var fired []made[S, K]
	for waiting := m.takeLater(); len(waiting) > 0; {
		decision, step := m.decideSignal(waiting[0])
		waiting = waiting[1:]
		done.decisions = append(done.decisions, decision)
		if step != nil {
			fired = append(fired, *step)
			waiting = append(m.takeLater(), waiting...) // that state was left, too; each step uses up a signal
		}
	}
	m.recordStep(done)
	for _, step := range fired {
		m.recordStep(step)
	}

	return done
}

// takeLater takes the signals that were put off.
func (m *Machine[S, K]) takeLater() []signals.Signal {
	if m.extra == nil {
		return nil
	}
	later := m.extra.later
	m.extra.later = nil

	return later
}
