package rt

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// Judge asks the guards of the rows for one key and remembers what they said. The transition
// function of a machine with guards takes one. In each state the rows of a key are tried in order,
// then those for every key:
//
//	func (s CoderState) Next(key CoderKey, g *rt.Judge) (next CoderState, ok bool) {
//		switch s {
//		case CoderStateReview:
//			switch key {
//			case CoderKeyReady:
//				if workflow.Known(g.Visits[CoderStateReview] <= 3).Allows(g, `visits["review"] <= 3`,
//					workflow.Member{`visits["review"]`, workflow.Int(g.Visits[CoderStateReview])}) {
//					return CoderStateTesting, true
//				}
//				if g.AskNot("plan-is-good") {
//					return CoderStatePlanning, true
//				}
//
//				return CoderStateDone, g.Else()
//			}
//
//			return CoderStateFailed, g.AllowsCatchAll()
//		}
//
//		return 0, false
//	}
//
// The caller of Next calls [Judge.Begin] before and looks at ok after: if it is false
// [Judge.Refusal] returns why, and nothing has moved; else [Judge.Match] returns how the row was
// found and [Judge.Asked] which guards were asked on the way. A Judge belongs to one machine and
// must not be used by two goroutines.
type Judge struct {
	// Machine is the machine's name, Input what the run was given; "" in a live machine.
	Machine, Input string
	// Call asks a named guard: Guard of [runtime.Effects] in a run; nil calls it in the same
	// goroutine. Guards are the user's. Both are nil in a machine without named guards.
	Call   func(runtime.GuardCall) (runtime.Verdict, error)
	Guards NamedGuards

	// Suppose, if it is not nil, answers for all guards: no guard is asked, and expressions hold as
	// it says. An inverted guard has "not " before its name. Generated tests ask about rows so, and
	// live machines find out where rows lead.
	Suppose func(guard string) bool

	// Visits counts, by state, how often it was entered. Values are the newest values of the agents
	// of states, by state; nil if no guard reads them.
	Visits []int64
	Values []string

	// State, Key, Value and Visit are what a [runtime.GuardInput] says. Begin sets them.
	State, Key, Value string
	Visit             int
	// Data is what package workflow has made of Value.
	Data any

	// inverted are the names of inverted guards, by those of the guards.
	inverted map[string]string

	asked    []event.Guard
	err      error
	catchAll bool
	// undecided is the first guard that is unknown, blocked that a row without a guard is not taken
	// for that.
	undecided *runtime.MissingValueError
	blocked   bool
}

// NamedGuards calls the guard with a name, which decodes the data as its own type.
type NamedGuards func(ctx context.Context, name string, in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error)

// Begin prepares the judge for one key in the state with number n, in the spelling of its
// transition if it has one, and the value with it.
func (j *Judge) Begin(n int, state, key, value string) {
	j.State, j.Key, j.Value = state, key, value
	j.Data, j.asked, j.err, j.catchAll, j.undecided, j.blocked = nil, nil, nil, false, nil, false
	if n < len(j.Visits) {
		j.Visit = int(j.Visits[n])
	}
	if n < len(j.Values) {
		j.Values[n] = value
	}
}

// BeginAgain is Begin for a caller that no longer needs what [Judge.Asked] returned: the judge
// overwrites it.
func (j *Judge) BeginAgain(n int, state, key, value string) {
	asked := j.asked[:0]
	j.Begin(n, state, key, value)
	j.asked = asked
}

// RecordHeld records that an expression holds, and reports whether it counts: false once a guard
// has failed.
func (j *Judge) RecordHeld(guard string) bool {
	if j.Suppose != nil {
		return j.assumeVerdict(guard)
	}

	return j.addVerdict(guard, runtime.Yes())
}

// RecordRefused records that an expression does not hold, with its value and the values that it
// read, and returns false. missing are the values without which it is unknown; nil for one that is
// false.
func (j *Judge) RecordRefused(guard, reason string, missing []string) bool {
	if j.Suppose != nil {
		return j.assumeVerdict(guard)
	}
	if missing != nil && j.undecided == nil {
		where := fmt.Sprintf("machine %q, state %q, key %s", j.Machine, j.State, wording.QuoteStart(j.Key))
		j.undecided = &runtime.MissingValueError{Where: where, Condition: guard, Reason: reason, Fields: missing}
	}

	return j.addVerdict(guard, runtime.No(reason))
}

// Ask calls a named guard and reports whether it allows the transition; false once a guard has
// failed.
func (j *Judge) Ask(name string) bool {
	if j.Suppose != nil {
		return j.assumeVerdict(name)
	}
	verdict := j.callGuard(name)

	return j.addVerdict(name, verdict)
}

// AskNot calls a named guard and reports whether it refuses the transition; false once a guard has
// failed.
func (j *Judge) AskNot(name string) bool {
	inverted := j.invertName(name)
	if j.Suppose != nil {
		return j.assumeVerdict(inverted)
	}
	verdict := j.callGuard(name)
	if verdict.OK {
		return j.addVerdict(inverted, runtime.No(verdict.Reason))
	}

	return j.addVerdict(inverted, runtime.Yes())
}

// invertName returns the name of an inverted guard. It is made once.
func (j *Judge) invertName(name string) string {
	inverted := j.inverted[name]
	if inverted != "" {
		return inverted
	}
	if j.inverted == nil {
		j.inverted = map[string]string{}
	}
	inverted = "not " + name
	j.inverted[name] = inverted

	return inverted
}

// assumeVerdict notes what is supposed of a named guard, and reports it.
func (j *Judge) assumeVerdict(name string) bool {
	return j.addVerdict(name, runtime.Verdict{OK: j.Suppose(name)})
}

// AllowsElse is called for a transition without a guard that is tried after others of its key. It reports
// whether the transition is taken: no guard has failed, and each has refused, since none was
// unknown.
func (j *Judge) AllowsElse() bool {
	j.blocked = j.undecided != nil

	return j.err == nil && !j.blocked
}

// AllowsCatchAll is called for the transition without a guard for every key, in a state that has guards.
// It reports whether the transition is taken, as [Judge.AllowsElse] does.
func (j *Judge) AllowsCatchAll() bool {
	j.catchAll = true

	return j.AllowsElse()
}

// Match returns how the transition that Next returned was found; found is how its key was.
func (j *Judge) Match(found Match) Match {
	last := len(j.asked) - 1
	switch {
	case j.catchAll:
		return MatchCatchAll
	case last >= 0 && j.asked[last].OK:
		return MatchGuard
	}

	return found
}

// Asked returns the guards that were called, in order, and their answers: for an inverted guard,
// the inverted answer.
func (j *Judge) Asked() []event.Guard { return j.asked }

// Err returns the error of a named guard, usually a *GuardError; nil if none failed.
func (j *Judge) Err() error { return j.err }

// Refusal returns why Next returned no transition: the error of a guard, a *GuardRejectedError, a
// *MissingValueError around one if there was a transition without a guard, or an
// *InvalidTransitionError if there was no transition to decide about. valid are the keys of the
// state.
func (j *Judge) Refusal(valid []string) error {
	switch {
	case j.err != nil:
		return j.err
	case len(j.asked) == 0:
		return &runtime.InvalidTransitionError{Machine: j.Machine, State: j.State, Key: j.Key, Valid: valid}
	}
	rejected := &runtime.GuardRejectedError{Machine: j.Machine, State: j.State, Key: j.Key}
	for _, guard := range j.asked {
		rejected.Guards = append(rejected.Guards, runtime.GuardReason{Guard: guard.Name, Reason: guard.Reason})
	}
	if j.blocked {
		j.undecided.Err = rejected
		return j.undecided
	}

	return rejected
}

// addVerdict remembers a verdict, and reports it.
func (j *Judge) addVerdict(name string, verdict runtime.Verdict) bool {
	if j.err != nil {
		return false
	}
	j.asked = append(j.asked, event.Guard{Name: name, OK: verdict.OK, Reason: verdict.Reason})

	return verdict.OK
}

// callGuard asks a named guard; its error is j.err.
func (j *Judge) callGuard(name string) runtime.Verdict {
	if j.err != nil {
		return runtime.Verdict{}
	}
	in := runtime.GuardInput[json.RawMessage]{
		Machine: j.Machine, State: j.State, Key: j.Key, Value: j.Value, Input: j.Input, Visit: j.Visit,
	}
	if j.Value != "" && json.Valid([]byte(j.Value)) {
		in.Data = json.RawMessage(j.Value)
	}
	var verdict runtime.Verdict
	if j.Call == nil {
		verdict, j.err = j.callDirectly(name, in)
	} else {
		verdict, j.err = j.callByEngine(name, in)
	}

	return verdict
}

// callByEngine calls a named guard by the engine of a run.
func (j *Judge) callByEngine(name string, in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
	return j.Call(runtime.GuardCall{
		Machine: j.Machine, State: j.State, Key: j.Key, Name: name, Input: in,
		Run: func(ctx context.Context) (runtime.Verdict, error) { return j.Guards(ctx, name, in) },
	})
}

// callDirectly calls a named guard without an engine: in this goroutine, with a context that is
// never cancelled. An error and a panic become a *GuardError.
func (j *Judge) callDirectly(name string, in runtime.GuardInput[json.RawMessage]) (verdict runtime.Verdict, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &runtime.PanicError{Where: "guard " + name, Value: value, Stack: debug.Stack()}
		}
		if err != nil {
			verdict, err = runtime.Verdict{}, &runtime.GuardError{
				Machine: j.Machine, State: j.State, Key: j.Key, Guard: name, Err: err,
			}
		}
	}()

	return j.Guards(context.Background(), name, in)
}

// AskTyped calls a guard with data of its type, which read decodes. Without a value the data is the
// zero value; a value that does not match the type is an error, and the guard is not called.
func AskTyped[D any](
	ctx context.Context, in runtime.GuardInput[json.RawMessage],
	read Reader[D], guard func(context.Context, runtime.GuardInput[D]) (runtime.Verdict, error),
) (runtime.Verdict, error) {
	typed := runtime.GuardInput[D]{
		Machine: in.Machine, State: in.State, Key: in.Key, Value: in.Value, Input: in.Input, Visit: in.Visit,
	}
	if in.Value != "" {
		data, err := read.Decode([]byte(in.Value))
		if err != nil {
			return runtime.Verdict{}, err
		}
		typed.Data = data
	}

	return guard(ctx, typed)
}
