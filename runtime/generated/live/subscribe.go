package live

import (
	"errors"
	"runtime/debug"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
)

// hub notifies subscribers of steps.
type hub struct {
	// subscribers are replaced, never changed: the caller who reports a step holds no lock.
	subscribers []*subscriber
	// queue are the steps without a notification so far. current is the one before them, of which
	// the waiting ones were not notified yet.
	queue   []drive.Step
	current drive.Step
	waiting []*subscriber
	// told counts the steps that left the queue.
	told uint64
	// busy reports whether a goroutine notifies subscribers; it will also see steps that are added
	// to the queue.
	busy bool
	// panics are the panics of subscribers.
	panics []error
}

type subscriber struct {
	call func(drive.Step)
	// since is how many steps were made before it came.
	since uint64
	gone  bool
}

// Subscribe calls call with each step that is made from now on, in the order of the sequence
// numbers and one after the other: after the step was made, outside of the critical section, in the
// goroutine of a caller that makes steps. It may fire keys itself; their steps are delivered after
// it has returned. While it does not return, no subscriber receives anything, but steps are made. A
// subscriber that panics receives nothing more: see [Machine.Err]. When cancel returns, another
// goroutine may still be in its last call.
func (m *Machine[S, K]) Subscribe(call func(drive.Step)) (cancel func()) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	h := &m.ensureExtra().hub
	s := &subscriber{call: call, since: h.told + uint64(len(h.queue))}
	h.subscribers = append(slices.Clip(h.subscribers), s)

	return func() {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		h.remove(s)
	}
}

// Err returns a *runtime.PanicError for each subscriber that panicked, joined; nil if none did.
func (m *Machine[S, K]) Err() error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.extra == nil {
		return nil
	}

	return errors.Join(m.extra.hub.panics...)
}

func (h *hub) remove(s *subscriber) {
	s.gone = true
	h.subscribers = slices.DeleteFunc(slices.Clone(h.subscribers), func(other *subscriber) bool { return other == s })
}

// recordStep adds a step to the history, and queues it for subscribers. The machine is locked.
func (m *Machine[S, K]) recordStep(done made[S, K]) {
	if m.extra == nil || m.extra.history.keep == 0 && len(m.extra.hub.subscribers) == 0 {
		return
	}
	step := m.stepOf(done)
	m.extra.history.addStep(step)
	if len(m.extra.hub.subscribers) > 0 {
		m.extra.hub.queue = append(m.extra.hub.queue, step)
	}
}

// unlock lets others in, and notifies subscribers of what was done, unless a goroutine is at it
// already.
func (m *Machine[S, K]) unlock() {
	if m.extra == nil || m.extra.hub.busy || len(m.extra.hub.queue) == 0 {
		m.mutex.Unlock()
		return
	}
	m.extra.hub.busy = true
	m.mutex.Unlock()
	m.notifyAll()
}

// atOnce is how many calls of subscribers one step makes at most, so that the caller who fires a
// key is not held up for ever by those who fire others meanwhile.
const atOnce = 1000

// notifyAll notifies subscribers until all have received all steps.
func (m *Machine[S, K]) notifyAll() {
	for range atOnce {
		s, step := m.nextNotification()
		if s == nil {
			return
		}
		m.notifySubscriber(s, step)
	}
	go m.notifyAll()
}

// nextNotification returns the next subscriber to notify, and the step; nil when there is none.
func (m *Machine[S, K]) nextNotification() (*subscriber, drive.Step) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	h := &m.extra.hub
	for {
		for len(h.waiting) > 0 {
			s := h.waiting[0]
			h.waiting = h.waiting[1:]
			if !s.gone {
				return s, h.current
			}
		}
		if len(h.queue) == 0 {
			h.queue, h.current, h.busy = nil, drive.Step{}, false
			return nil, drive.Step{}
		}
		h.current, h.queue = h.queue[0], h.queue[1:]
		h.told++
		for _, s := range h.subscribers {
			if h.told > s.since {
				h.waiting = append(h.waiting, s)
			}
		}
	}
}

// notifySubscriber notifies one subscriber of a step. If that ends the goroutine, as tests do that
// fail, the others are notified on the way out.
func (m *Machine[S, K]) notifySubscriber(s *subscriber, step drive.Step) {
	returned := false
	defer func() {
		if returned {
			return
		}
		value := recover()
		if value == nil {
			m.removeUnreturned(s, nil)
			m.notifyAll()

			return
		}
		m.removeUnreturned(s, &runtime.PanicError{Where: "a subscriber of machine " + m.spec.Name, Value: value, Stack: debug.Stack()})
	}()
	s.call(step)
	returned = true
}

// removeUnreturned removes a subscriber that did not return.
func (m *Machine[S, K]) removeUnreturned(s *subscriber, err error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.extra.hub.remove(s)
	if err != nil {
		m.extra.hub.panics = append(m.extra.hub.panics, err)
	}
}
