package core

import (
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/runtime/signals"
)

// signalQueue has the signals of a run about which no machine has decided, the oldest first. It is
// safe for concurrent use.
type signalQueue struct {
	mu     sync.Mutex
	queued []*queuedSignal
}

// queuedSignal is a signal about which no machine has decided.
type queuedSignal struct {
	signal signals.Signal
	// run is the run whose machines it may reach; nil: any.
	run *run
	// branch is the branch that machines must work in, or around; nil: any.
	branch *position
	// permits reports whether a machine may receive it; nil: each may.
	permits func(machine string) bool
	// isReplayed reports whether it came in an earlier process, which has done what had to be done
	// at once.
	isReplayed bool
}

// machineState is a machine in a state that may receive signals.
type machineState struct {
	run            *run
	branch         *position
	machine, state string
	rules          []signals.Rule
}

// reaches reports whether a machine may receive the signal.
func (s *queuedSignal) reaches(m *machineState) bool {
	isOfRun := s.run == nil || s.run == m.run
	isPermitted := s.permits == nil || s.permits(m.machine)

	return isOfRun && isPermitted && s.isWithin(m.branch)
}

// isWithin reports whether the signal is for a branch, or for one that runs within it.
func (s *queuedSignal) isWithin(branch *position) bool {
	return s.branch == nil || branch.encloses(s.branch)
}

// isEmpty reports whether no signal waits.
func (q *signalQueue) isEmpty() bool {
	q.mu.Lock()
	count := len(q.queued)
	q.mu.Unlock()

	return count == 0
}

func (q *signalQueue) add(s *queuedSignal) {
	q.mu.Lock()
	q.queued = append(q.queued, s)
	q.mu.Unlock()
}

// next takes the oldest signal for which a machine has a rule, and returns the decision; nil if
// there is none. Other signals wait for a machine, or a state, that has a rule. A rule that panics
// is a *runtime.PanicError.
func (q *signalQueue) next(s *Signals, m *machineState) (*signals.Ruling, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, queued := range q.queued {
		if !queued.reaches(m) {
			continue
		}
		ruling, err := s.decide(m, queued.signal)
		if ruling == nil && err == nil {
			continue
		}
		q.queued = slices.Delete(q.queued, i, i+1)

		return ruling, err
	}

	return nil, nil
}

// drop removes a signal about which an earlier process has decided in a branch.
func (q *signalQueue) drop(signal signals.Signal, branch *position) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := slices.IndexFunc(q.queued, func(s *queuedSignal) bool { return s.signal == signal && s.isWithin(branch) })
	if at >= 0 {
		q.queued = slices.Delete(q.queued, at, at+1)
	}
}
