package live

import (
	"slices"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// extra is what only some machines have: options, subscribers, signals that were put off.
type extra struct {
	clock   func() time.Time
	history history
	routes  *drive.Routes // nil without any
	later   []signals.Signal
	hub     hub
}

// ensureExtra returns the extra of the machine, and makes it at the first call. The machine is
// locked.
func (m *Machine[S, K]) ensureExtra() *extra {
	if m.extra == nil {
		m.extra = &extra{}
	}

	return m.extra
}

// SetClock sets the clock for the timers of the machine, so that tests can control it; nil is
// time.Now. The timer of the state starts again.
func (m *Machine[S, K]) SetClock(clock func() time.Time) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.ensureExtra().clock = clock
	if m.spec.Timers != nil {
		m.setDeadline(&m.now)
	}
}

// KeepHistory keeps the last n steps from now on for [Machine.History].
func (m *Machine[S, K]) KeepHistory(n int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.ensureExtra().history = history{keep: max(n, 0)}
}

// SetRoutes sets the rules for signals that follow those of the file.
func (m *Machine[S, K]) SetRoutes(routes *drive.Routes) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.ensureExtra().routes = routes
}

// now returns the time of the machine's clock.
func (e *extra) now() time.Time {
	if e == nil || e.clock == nil {
		return time.Now()
	}

	return e.clock()
}

// history is the newest steps.
type history struct {
	keep  int
	steps []drive.Step
}

func (h *history) addStep(step drive.Step) {
	h.steps = append(h.steps, step)
	h.steps = h.steps[max(len(h.steps)-h.keep, 0):]
}

// History returns the steps that the machine has made since it was created or restored, the oldest
// first, as many as [Machine.KeepHistory] keeps.
func (m *Machine[S, K]) History() []drive.Step {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.extra == nil {
		return nil
	}

	return slices.Clone(m.extra.history.steps)
}
