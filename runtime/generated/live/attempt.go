package live

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// attempt is a step that a caller asks for.
type attempt[S state, K ~string] struct {
	key K
	// to is the state that is wanted, where it is not 0: whatever the key.
	to S
	// value goes with the key.
	value string
	agent string
	// free reports whether the attempt is subject to no access rule.
	free bool
	// seq is the sequence number that the machine must have; any, unless exact.
	seq   uint64
	exact bool
}

// made is a step, and which guards were asked on the way.
type made[S state, K ~string] struct {
	Step[S, K]
	// asked is valid until the machine decides again, unless it has an extra.
	asked []event.Guard
	agent string
	// decisions are about signals that had been put off until this step.
	decisions []drive.Decision
}

// Try is Fire with more detail: the attempt names the agent, and the step is all that happened.
// Timers of the step has the step of a timer that was due before, even if the attempt was refused
// and the step is otherwise zero. Errors, besides those of Fire: *drive.StaleError;
// *rt.UnknownNameError for a state that the machine does not have.
func (m *Machine[S, K]) Try(a drive.Attempt) (drive.Step, error) {
	asked, err := m.readAttempt(a)
	if err != nil {
		return drive.Step{}, err
	}
	m.mutex.Lock()
	defer m.unlock()
	timers, err := m.fireTimers()
	if err != nil {
		return drive.Step{Timers: timers}, err
	}
	done, err := m.decideAndCommit(asked)
	if err != nil {
		return drive.Step{Timers: timers}, err
	}
	step := m.stepOf(done)
	step.Timers = timers

	return step, nil
}

// fireTimers makes the step of a timer that is due, as a host sees it. The machine is locked.
func (m *Machine[S, K]) fireTimers() ([]drive.Step, error) {
	done, fired, err := m.fireDueTimer()
	switch {
	case fired:
		return []drive.Step{m.stepOf(done)}, nil
	case err != nil && !isRefusal(err):
		return nil, err
	}

	return nil, nil
}

// Can reports what Try would do, and changes nothing: guards are called, and a timer that is due
// counts as fired.
func (m *Machine[S, K]) Can(a drive.Attempt) (drive.Step, error) {
	asked, err := m.readAttempt(a)
	if err != nil {
		return drive.Step{}, err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	now := m.now.copy()
	if _, _, err := m.commitTimerStep(&now); err != nil && !isRefusal(err) {
		return drive.Step{}, err
	}
	done, err := m.decide(&now, asked)
	if err != nil {
		return drive.Step{}, err
	}
	done.Seq = now.seq + 1

	return m.stepOf(done), nil
}

// readAttempt converts the attempt of a host.
func (m *Machine[S, K]) readAttempt(a drive.Attempt) (asked attempt[S, K], err error) {
	asked = attempt[S, K]{key: K(a.Key), value: a.Value, agent: a.Agent, seq: a.Seq, exact: a.Seq != 0}
	if a.Key == "" && a.To != "" {
		asked.to, err = m.spec.Parse(a.To)
	}

	return asked, err
}

// stepOf returns a step as a host sees it.
func (m *Machine[S, K]) stepOf(done made[S, K]) drive.Step {
	return drive.Step{
		Machine: m.spec.Name, From: done.From.String(), To: done.To.String(), Key: string(done.Key), Matched: done.Matched,
		Agent: done.agent, Guards: slices.Clone(done.asked), Seq: done.Seq, Decisions: done.decisions,
		Exit: m.OnExit(done.From), Enter: m.OnEnter(done.To),
	}
}

// makeAttempt decides and commits a step. The machine is locked.
func (m *Machine[S, K]) makeAttempt(a attempt[S, K]) (made[S, K], error) {
	if _, _, err := m.fireDueTimer(); err != nil && !isRefusal(err) {
		return made[S, K]{}, err
	}

	return m.decideAndCommit(a)
}

// decideAndCommit is makeAttempt without the timer. The machine is locked.
func (m *Machine[S, K]) decideAndCommit(a attempt[S, K]) (made[S, K], error) {
	done, err := m.decide(&m.now, a)
	if err != nil {
		return made[S, K]{}, err
	}
	m.commitStep(&m.now, &done, a.value)

	return m.finishStep(done), nil
}

// decide finds the row for an attempt. It changes nothing.
func (m *Machine[S, K]) decide(now *moment[S], a attempt[S, K]) (made[S, K], error) {
	if a.exact && a.seq != now.seq {
		return made[S, K]{}, &drive.StaleError{Machine: m.spec.Name, Want: a.seq, Have: now.seq}
	}
	if a.to != 0 {
		return m.findRowTo(now, a)
	}

	return m.findRow(now, a)
}

// findRow finds the row for a key.
func (m *Machine[S, K]) findRow(now *moment[S], a attempt[S, K]) (made[S, K], error) {
	spec, s := m.spec, now.state
	done := made[S, K]{agent: a.agent}
	done.From = s
	done.Key, done.Matched = spec.matchKey(s, a.key)
	if done.Matched == "" {
		return made[S, K]{}, &runtime.InvalidTransitionError{
			Machine: spec.Name, State: s.String(), Key: string(a.key), Valid: spec.validKeys(s),
		}
	}
	if !a.free && !spec.mayFire(s, a.agent, done.Key) {
		return made[S, K]{}, &drive.AccessError{Machine: spec.Name, State: s.String(), Key: string(done.Key), Agent: a.agent}
	}
	if spec.Next != nil {
		done.To, _ = spec.Next(s, done.Key) // there is a row
		return done, nil
	}

	next, judge, ok := m.findJudgedRow(now, done.Key, a.value, nil)
	if !ok {
		return made[S, K]{}, judge.Refusal(spec.validKeys(s))
	}
	done.To, done.Matched, done.asked = next, judge.Match(done.Matched), judge.Asked()
	if m.extra != nil { // deferred signals and subscribers make further steps before this one is reported
		done.asked = slices.Clone(done.asked)
	}

	return done, nil
}

// findJudgedRow finds the row for a key in the state of a machine with guards. The judge knows
// which guards were asked, and why there is no next state, until it searches for the next row.
// suppose, if it is not nil, answers for the guards: see [rt.Judge.Suppose].
func (m *Machine[S, K]) findJudgedRow(now *moment[S], key K, value string, suppose func(guard string) bool) (S, *rt.Judge, bool) {
	judge := &now.memory.judge
	judge.Machine, judge.Guards, judge.Suppose = m.spec.Name, now.guards, suppose
	judge.Visits = now.visits
	judge.Values = append(judge.Values[:0], now.values...) // the judge writes to them, and nothing has happened yet
	judge.BeginAgain(int(now.state), now.state.String(), string(key), value)
	next, ok := m.spec.Guarded(now.state, key, judge)

	return next, judge, ok
}

// commitStep makes a step.
func (m *Machine[S, K]) commitStep(now *moment[S], done *made[S, K], value string) {
	if m.spec.Values {
		now.values[done.From] = value
	}
	now.seq++
	done.Seq = now.seq
	m.enterState(now, done.To)
}

// enterState puts a machine into a state.
func (m *Machine[S, K]) enterState(now *moment[S], s S) {
	now.state = s
	if m.spec.Guarded != nil && s != 0 {
		now.visits[s]++
	}
	if m.spec.Timers != nil {
		m.setDeadline(now)
	}
}

// everyKey is what rows for every key are called.
const everyKey = "*"

// findRowTo finds the first row that leads to the wanted state.
func (m *Machine[S, K]) findRowTo(now *moment[S], a attempt[S, K]) (made[S, K], error) {
	rejected := &runtime.GuardRejectedError{Machine: m.spec.Name, State: now.state.String()}
	var undecided *runtime.MissingValueError
	var denied error
	for _, key := range m.keysTo(now, a.to) {
		a.key = key
		done, err := m.findRow(now, a)
		switch err := err.(type) {
		case nil:
			if done.To == a.to {
				return done, nil
			}
		case *runtime.GuardRejectedError:
			rejected.Key = err.Key
			rejected.Guards = append(rejected.Guards, err.Guards...)
		case *runtime.MissingValueError:
			undecided = cmp.Or(undecided, err)
		case *drive.AccessError:
			denied = err
		default:
			return made[S, K]{}, err
		}
	}
	switch {
	case undecided != nil:
		return made[S, K]{}, undecided
	case rejected.Guards != nil:
		return made[S, K]{}, rejected
	case denied != nil:
		return made[S, K]{}, denied
	}

	return made[S, K]{}, &runtime.InvalidTransitionError{
		Machine: m.spec.Name, State: now.state.String(), To: a.to.String(), Valid: m.spec.validKeys(now.state),
	}
}

// keysTo returns the keys of rows in the state that lead to another one, whatever their guards
// return.
func (m *Machine[S, K]) keysTo(now *moment[S], to S) (leading []K) {
	var keys []K
	if m.spec.Keys != nil {
		keys = m.spec.Keys(now.state)
	}
	for _, key := range append(keys, everyKey) {
		if m.canLead(now, key, to) {
			leading = append(leading, key)
		}
	}

	return leading
}

// canLead reports whether a row for key leads to a state: that without a guard, or one of those
// before it, each of whose guards is supposed to be the only one that holds. The rows for every
// key, which follow those of a key, are not among its own.
func (m *Machine[S, K]) canLead(now *moment[S], key K, to S) bool {
	if m.spec.Next != nil {
		next, ok := m.spec.Next(now.state, key)

		return ok && next == to
	}
	next, judge, ok := m.rowIfOnlyHolds(now, key, -1)
	guards := len(judge.Asked())
	isOwn := ok && judge.Match(rt.MatchExact) != rt.MatchCatchAll
	switch {
	case ok && next == to && (isOwn || key == everyKey):
		return true
	case !isOwn && key != everyKey:
		_, behind, _ := m.rowIfOnlyHolds(now, everyKey, -1)
		guards -= len(behind.Asked())
	}
	for i := range guards {
		if next, _, ok := m.rowIfOnlyHolds(now, key, i); ok && next == to {
			return true
		}
	}

	return false
}

// rowIfOnlyHolds asks the table which row is taken if, of the guards that are asked, the one with
// this index holds alone.
func (m *Machine[S, K]) rowIfOnlyHolds(now *moment[S], key K, holds int) (S, *rt.Judge, bool) {
	asked := -1

	return m.findJudgedRow(now, key, "", func(string) bool {
		asked++

		return asked == holds
	})
}
