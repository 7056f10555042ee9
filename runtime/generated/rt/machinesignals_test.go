package rt_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signalrule"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// signalDoor answers questions for signals by the rules that come with them, as an engine does.
type signalDoor struct {
	base
	waiting []string
	// asked are the questions: the state, and the signal that was put off.
	asked  []string
	events []event.Event
	err    error
	// listening is where the machine listens now.
	listening []string
}

func (d *signalDoor) Note(e event.Event) { d.events = append(d.events, e) }

func (d *signalDoor) Listen(machine, state string, _ []signals.Rule) (end func()) {
	d.listening = append(d.listening, machine+"/"+state)

	return func() { d.listening = d.listening[:len(d.listening)-1] }
}

func (d *signalDoor) Guard(call runtime.GuardCall) (runtime.Verdict, error) {
	if call.Name != signalrule.GuardName || call.Signals == nil {
		return runtime.Verdict{}, fmt.Errorf("a question that is none for signals: %+v", call)
	}
	if v, err := call.Run(context.Background()); v != (runtime.Verdict{}) || err != nil {
		return v, errors.New("an engine that knows no signals is told of one")
	}
	kind := ""
	if again := call.Signals.Deferred; again != nil {
		kind = again.Kind
		d.asked = append(d.asked, call.State+" again "+kind)
	} else {
		d.asked = append(d.asked, call.State)
		if len(d.waiting) > 0 {
			kind, d.waiting = d.waiting[0], d.waiting[1:]
		}
	}
	if d.err != nil || kind == "" {
		return runtime.Verdict{}, d.err
	}
	signal := signals.Signal{Kind: kind}
	rule := signalrule.Best(call.Signals.Rules, signal, call.State)
	if rule == nil {
		return runtime.Verdict{}, nil
	}

	return runtime.Verdict{Signal: &signals.Ruling{
		Signal: signal, Answer: rule.Do, Key: rule.Key, Tier: "machine",
	}}, nil
}

var signalRules = []signals.Rule{
	{On: "stop", Do: signals.GracefulStop},
	{On: "kill", Do: signals.ForceStop},
	{On: "message", In: []string{"a"}, Do: signals.Continue},
	{On: "message", In: []string{"b"}, Do: signals.Fire, Key: "answer"},
	{On: "other", In: []string{"a"}, Do: signals.Continue},
	{On: "alert", Do: signals.Fire, Key: "abort"},
}

// step runs the agent of a state, which finishes with ok, and takes the row to the next state.
func step(w *rt.MachineRun, state, to string) bool {
	if !w.Enter(state) {
		return false
	}
	w.RecordOutput(runtime.Finish{Key: "ok", Value: "v " + state}, nil)
	if w.ReceiveSignals() {
		return false
	}
	w.RecordTransition(w.Key(), rt.MatchExact, to)

	return true
}

func TestMachineRunAsksForSignalsAtTheEndOfEachState(t *testing.T) {
	for name, c := range map[string]struct {
		waiting []string
		want    string // the keys of the rows, or the error
		asked   []string
	}{
		"none":     {nil, "ok ok", []string{"a", "b", "end"}},
		"graceful": {[]string{"stop", "alert"}, `the run was cancelled: signal "stop" (graceful-stop) in state "a" of machine "m"`, []string{"a"}},
		"force":    {[]string{"kill"}, `the run was cancelled: signal "kill" (force-stop) in state "a" of machine "m"`, []string{"a"}},
		"fire":     {[]string{"alert"}, "abort ok", []string{"a", "b", "end"}},
		"put off":  {[]string{"message"}, "ok answer", []string{"a", "a", "b again message", "end"}},
		"put off without a rule for it then": {
			[]string{"other"}, "ok ok", []string{"a", "a", "b again other", "b", "end again other", "end"},
		},
		"put off, and another fires": {
			[]string{"message", "alert"}, "abort answer", []string{"a", "a", "b again message", "end"},
		},
	} {
		door := &signalDoor{waiting: c.waiting}
		m := rt.Flow("m").Machine(door, 5, "in")
		m.Listen(signalRules...)
		if step(&m, "a", "b") && step(&m, "b", "end") && m.Enter("end") {
			_, _ = m.FinishWith(runtime.Finish{Key: "done", Value: "out"}, nil)
		}
		fin, err := m.End()
		got := keysOf(door.events)
		if err != nil {
			got = err.Error()
		} else if fin.Key != "done" || fin.Value != "out" {
			t.Errorf("%s: the result is %+v", name, fin)
		}
		if got != c.want || !slices.Equal(door.asked, c.asked) {
			t.Errorf("%s: got %s, asked %q\nwant %s, asked %q", name, got, door.asked, c.want, c.asked)
		}
		if len(door.listening) != 0 {
			t.Errorf("%s: the machine still listens: %q", name, door.listening)
		}
	}
}

func keysOf(events []event.Event) (text string) {
	for _, e := range events {
		if e.Kind == event.Transition {
			if text != "" {
				text += " "
			}
			text += e.Key
		}
	}

	return text
}

// TestEventHasWhatWasDecided looks at the transitions of a run in which one signal is put off and
// one fires.
func TestEventHasWhatWasDecided(t *testing.T) {
	door := &signalDoor{waiting: []string{"message", "alert"}}
	m := rt.Flow("m").Machine(door, 5, "in")
	m.Listen(signalRules...)
	step(&m, "a", "b")
	want := []event.Guard{
		{Name: "signal message", Reason: "continue, says a rule of the machine"},
		{Name: "signal alert", OK: true, Reason: "fire abort, says a rule of the machine"},
	}
	if got := door.events[len(door.events)-1].Guards; !slices.Equal(got, want) {
		t.Errorf("the event tells %+v, want %+v", got, want)
	}
}

// TestSignalsInTheLastState: a terminal has no keys, so what would fire one does not change its
// result; a stop counts there too.
func TestSignalsInTheLastState(t *testing.T) {
	for kind, want := range map[string]string{"alert": "done", "stop": ""} {
		door := &signalDoor{waiting: []string{kind}}
		m := rt.Flow("m").Machine(door, 5, "in")
		m.Listen(signalRules...)
		m.Enter("end")
		fin, err := m.FinishWith(runtime.Finish{Key: "done"}, nil)
		if fin.Key != want || (err == nil) != (want != "") {
			t.Errorf("%s: %+v, %v", kind, fin, err)
		}
	}
}

func TestQuestionForSignalsThatFails(t *testing.T) {
	door := &signalDoor{err: errors.New("the journal is full")}
	m := rt.Flow("m").Machine(door, 5, "in")
	m.Listen(signalRules...)
	if step(&m, "a", "b") {
		t.Error("the run continues")
	}
	if _, err := m.End(); !errors.Is(err, door.err) {
		t.Errorf("the run ends with %v", err)
	}
}
