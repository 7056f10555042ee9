package live

import (
	"slices"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// Machine is a live machine; a generated type embeds it for each kind. It is safe for concurrent
// use and must not be copied. [Start] has to be called first.
type Machine[S state, K ~string] struct {
	mutex sync.Mutex
	now   moment[S]
	spec  *Spec[S, K]
	// extra is nil in a machine of which only the state is wanted.
	extra *extra
}

// moment is what a machine is between two steps. A copy of it can be tried out.
type moment[S state] struct {
	seq   uint64
	state S
	// memory is nil in a machine without guards and timers.
	*memory
}

// memory is what guards and timers need besides the state.
type memory struct {
	// guards are the guards of the user; nil in a machine without named guards.
	guards rt.NamedGuards
	// visits counts, by state, how often it was entered; nil without guards.
	visits []int64
	// values are, by state, the last values with which a key was fired, "" without one; nil if no
	// guard reads them.
	values []string
	// deadline is when the timer of the state fires; the zero time without one.
	deadline time.Time
	// judge asks the guards. Each attempt uses it again.
	judge rt.Judge
}

// newMemory returns an empty memory of a machine; nil if it needs none.
func (spec *Spec[S, K]) newMemory(guards rt.NamedGuards) *memory {
	if spec.Guarded == nil && spec.Timers == nil {
		return nil
	}
	m := &memory{guards: guards}
	if spec.Guarded != nil {
		m.visits = make([]int64, spec.States+1)
	}
	if spec.Values {
		m.values = make([]string, spec.States+1)
	}

	return m
}

// copy returns a moment that can be changed without changing this one.
func (now moment[S]) copy() moment[S] {
	if now.memory != nil {
		now.memory = &memory{
			guards: now.guards, visits: slices.Clone(now.visits), values: slices.Clone(now.values), deadline: now.deadline,
		}
	}

	return now
}

// Step is a step that a machine has made, with typed states. [Machine.Try], subscribers and the
// history have more of it, as a [drive.Step].
type Step[S state, K ~string] struct {
	// From and To are states; To is 0 if the machine has ended by ~.
	From, To S
	// Key is the key of the transition, or the key that was fired if the transition is for every
	// key.
	Key     K
	Matched rt.Match
	// Seq is the machine's sequence number after the step.
	Seq uint64
}

// Start puts a machine into its initial state. Generated code calls it before the machine is used.
// guards are the guards of the user; nil in a machine without named guards.
func Start[S state, K ~string](m *Machine[S, K], spec *Spec[S, K], guards rt.NamedGuards) {
	m.spec = spec
	m.now = moment[S]{memory: spec.newMemory(guards), seq: 1}
	m.enterState(&m.now, spec.Initial)
}

// Fire takes the first transition for key whose guard allows it, for an agent without a name. Errors:
// *runtime.InvalidTransitionError, *runtime.GuardRejectedError, *runtime.GuardError, *drive.AccessError; the machine
// is unchanged then, except for a timer that was due. A step of a timer is not returned: call [Machine.Try], or
// [Machine.Tick] before Fire, or subscribe.
func (m *Machine[S, K]) Fire(key K) (Step[S, K], error) {
	m.mutex.Lock()
	if m.spec.Plain && m.extra == nil {
		from := m.now.state
		if to, ok := m.spec.Next(from, key); ok {
			m.now.state = to
			m.now.seq++
			seq := m.now.seq
			m.mutex.Unlock() // no defer: nothing here can panic, and this is the way that has to be fast

			return Step[S, K]{From: from, To: to, Key: key, Matched: rt.MatchExact, Seq: seq}, nil
		}
	}
	defer m.unlock()
	done, err := m.makeAttempt(attempt[S, K]{key: key})

	return done.Step, err
}

// FireIf is Fire, provided that the machine has the sequence number seq. Errors, besides those of Fire:
// *drive.StaleError.
func (m *Machine[S, K]) FireIf(seq uint64, key K) (Step[S, K], error) {
	m.mutex.Lock()
	defer m.unlock()
	done, err := m.makeAttempt(attempt[S, K]{key: key, seq: seq, exact: true})

	return done.Step, err
}

// FireKey is Fire for code that does not know the type of the machine; see [drive.Machine].
func (m *Machine[S, K]) FireKey(key string) error {
	_, err := m.Fire(K(key))

	return err
}

// Name returns the name of the agent that declares the machine.
func (m *Machine[S, K]) Name() string { return m.spec.Name }

// State returns the state of the machine; 0 if it has ended by ~.
func (m *Machine[S, K]) State() S {
	m.mutex.Lock()
	defer m.mutex.Unlock()

	return m.now.state
}

// Current returns the name of the state; "" if the machine has ended by ~.
func (m *Machine[S, K]) Current() string { return m.State().String() }

// Seq returns the sequence number: 1 for a machine that has made no step, and one more for each
// step.
func (m *Machine[S, K]) Seq() uint64 {
	m.mutex.Lock()
	defer m.mutex.Unlock()

	return m.now.seq
}

// Valid returns the keys that have a transition in the state, in source order, whether or not their
// guards would allow it now. A transition for every key is not among them.
func (m *Machine[S, K]) Valid() []string { return m.spec.validKeys(m.State()) }

// OnEnter returns the names on which the host has to act when s is entered; for the initial state,
// when the machine is created. They must not be changed.
func (m *Machine[S, K]) OnEnter(s S) []string { return m.spec.Enter[s] }

// Entered returns the names on which the host has to act because the machine is in its state:
// OnEnter of that state. They must not be changed.
func (m *Machine[S, K]) Entered() []string { return m.OnEnter(m.State()) }

// OnExit returns the names on which the host has to act when s is left. They must not be changed.
func (m *Machine[S, K]) OnExit(s S) []string { return m.spec.Exit[s] }
