package live

import (
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// Deadline returns when the timer of the state fires; ok is false if the state has none.
func (m *Machine[S, K]) Deadline() (at time.Time, ok bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.spec.Timers == nil {
		return time.Time{}, false
	}

	return m.now.deadline, !m.now.deadline.IsZero()
}

// Tick fires the timer of the state if its deadline has passed, as every attempt does before
// anything else. fired is false if it has not passed, or if the timer's transition was refused for
// the reason in the error. A refused timer is tried again.
func (m *Machine[S, K]) Tick() (step drive.Step, fired bool, err error) {
	m.mutex.Lock()
	defer m.unlock()
	done, fired, err := m.fireDueTimer()
	if !fired {
		return drive.Step{}, false, err
	}

	return m.stepOf(done), true, nil
}

// setDeadline sets the deadline of the state that was entered.
func (m *Machine[S, K]) setDeadline(now *moment[S]) {
	now.deadline = time.Time{}
	if timer := m.spec.Timers[now.state]; timer.After > 0 {
		now.deadline = m.extra.now().Add(timer.After)
	}
}

// fireDueTimer fires the timer of the machine if it is due. The machine is locked.
func (m *Machine[S, K]) fireDueTimer() (made[S, K], bool, error) {
	done, fired, err := m.commitTimerStep(&m.now)
	if fired {
		done = m.finishStep(done)
	}

	return done, fired, err
}

// commitTimerStep commits the step of a state's timer if its deadline has passed.
func (m *Machine[S, K]) commitTimerStep(now *moment[S]) (made[S, K], bool, error) {
	if m.spec.Timers == nil || now.deadline.IsZero() || m.extra.now().Before(now.deadline) {
		return made[S, K]{}, false, nil
	}
	key := m.spec.Timers[now.state].Fire
	done, err := m.findRow(now, attempt[S, K]{key: key, agent: drive.AgentTimer, free: true})
	if err != nil {
		return made[S, K]{}, false, err
	}
	m.commitStep(now, &done, "")

	return done, true, nil
}

// isRefusal reports whether an error is the answer of guards: the timer's row is not taken, and
// what else is asked for may be.
func isRefusal(err error) bool { return errs.Is[*runtime.GuardRejectedError](err) }
