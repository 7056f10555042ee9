package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/drive"
	"github.com/agentc-dev/agentc/runtime/live"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// counted is what a door remembers whose guards ask how often it was opened, what was said when it was, and a guard of the
// user's.
type counted struct {
	guard    func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error)
	visits   [5]int64
	values   [5]string
	deadline time.Time
}

// judge lets a closed door be opened twice, and after that if the user's guard says so; a door that stands open closes in 10 s.
func (m *counted) judge(
	s doorState, key doorKey, value string, suppose func(string) bool,
) (doorState, *rt.Judge, bool) {
	j := &rt.Judge{Machine: "door", Call: rt.AskGuard, Suppose: suppose, Guards: func(
		_ context.Context, _ string, in runtime.GuardInput[json.RawMessage],
	) (runtime.Verdict, error) {
		return m.guard(in)
	}}
	j.Begin(s.String(), string(key), value)
	j.Visit = int(m.visits[s])
	next, ok := s.Next(key)
	if s == closed && key == "open" {
		ok = j.Holds(`visits["opened"] < 2`, m.visits[opened] < 2, isFalse) || j.Ask("may-open")
	}
	if s == opened && key == "close" {
		ok = j.Holds(`steps.closed != "stay"`, m.values[closed] != "stay", isFalse)
	}

	return next, j, ok
}

type guardedDoor = live.Machine[doorState, doorKey, counted]

func newGuarded(guard func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error)) (*guardedDoor, *live.ManualClock) {
	clock := live.NewManualClock(time.Unix(0, 0).UTC())
	m := &guardedDoor{}
	live.Start(m, &live.Spec[doorState, doorKey, counted]{
		Name: "door", Shape: "g", Initial: closed, Judge: (*counted).judge,
		Canonical: doorState.CanonicalKey, Keys: doorState.Keys, Parse: parseDoor,
		Timers:   []live.Timer[doorState, doorKey]{{State: opened, After: 10 * time.Second, Fire: "close"}},
		Visits:   func(m *counted) []int64 { return m.visits[:] },
		Values:   func(m *counted) []string { return m.values[:] },
		Deadline: func(m *counted) *time.Time { return &m.deadline },
	}, counted{guard: guard}, live.Clock(clock))

	return m, clock
}

// openAndClose does it a number of times.
func openAndClose(t *testing.T, m *guardedDoor, times int) {
	t.Helper()
	for range times {
		for _, key := range []doorKey{"open", "close"} {
			if _, err := m.Fire(key); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestGuards(t *testing.T) {
	var seen runtime.GuardInput[json.RawMessage]
	m, _ := newGuarded(func(in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
		seen = in
		if in.Value == `{"please":true}` {
			return runtime.Yes(), nil
		}
		return runtime.No("it is late"), nil
	})
	openAndClose(t, m, 2)

	want := &runtime.GuardRejectedError{Machine: "door", State: "closed", Key: "open", Guards: []runtime.GuardReason{
		{Guard: `visits["opened"] < 2`, Reason: "false"}, {Guard: "may-open", Reason: "it is late"},
	}}
	for _, attempt := range []drive.Attempt{{Key: "open"}, {To: "opened"}} {
		if _, err := m.Can(attempt); !reflect.DeepEqual(err, want) {
			t.Errorf("can: %v", err)
		}
		if _, err := m.Try(attempt); !reflect.DeepEqual(err, want) || m.State() != closed || m.Seq() != 5 {
			t.Errorf("%v; %v, seq %d", err, m.State(), m.Seq())
		}
	}
	step, err := m.Try(drive.Attempt{To: "opened", Value: `{"please":true}`})
	if err != nil || step.Key != "open" || step.Matched != rt.MatchGuard || len(step.Guards) != 2 ||
		step.Guards[0].OK || !step.Guards[1].OK {
		t.Errorf("%+v, %v", step, err)
	}
	if string(seen.Data) != `{"please":true}` || seen.Visit != 3 || seen.State != "closed" {
		t.Errorf("the guard was asked about %+v", seen)
	}
}

// TestGuardFails: a guard that panics, or ends with an error, is an error of the attempt; the machine stays and goes on.
func TestGuardFails(t *testing.T) {
	broken := errors.New("no list of guests")
	fails := true
	m, _ := newGuarded(func(in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
		switch {
		case fails && in.Value == "panic":
			panic("nobody is there")
		case fails:
			return runtime.Yes(), broken
		}
		return runtime.Yes(), nil
	})
	openAndClose(t, m, 2)
	var failed *runtime.GuardError
	var panicked *runtime.PanicError
	if _, err := m.Try(drive.Attempt{Key: "open", Value: "panic"}); !errors.As(err, &failed) || !errors.As(err, &panicked) {
		t.Errorf("a panic: %v", err)
	}
	if _, err := m.Fire("open"); !errors.As(err, &failed) || !errors.Is(err, broken) || failed.Guard != "may-open" {
		t.Errorf("an error: %v", err)
	}
	if m.State() != closed || m.Seq() != 5 {
		t.Errorf("%v, seq %d", m.State(), m.Seq())
	}
	fails = false
	if _, err := m.Fire("open"); err != nil {
		t.Error(err)
	}
}

// TestGuardOfTimer: a timer whose guard says no keeps nobody from anything, and is tried again.
func TestGuardOfTimer(t *testing.T) {
	m, clock := newGuarded(nil)
	if _, err := m.Try(drive.Attempt{Key: "open", Value: "stay"}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	var rejected *runtime.GuardRejectedError
	if _, fired, err := m.Tick(); fired || !errors.As(err, &rejected) || rejected.Key != "close" {
		t.Errorf("%v, %v", fired, err)
	}
	if step, err := m.Try(drive.Attempt{Key: "slam"}); err != nil || step.From != "opened" || step.Seq != 3 {
		t.Errorf("%+v, %v", step, err)
	}
}

// TestMemoryOfSnapshots: visits and values come back, under new names too, and what is no count is refused.
func TestMemoryOfSnapshots(t *testing.T) {
	m, _ := newGuarded(nil)
	if _, err := m.Try(drive.Attempt{Key: "open", Value: "stay"}); err != nil {
		t.Fatal(err)
	}
	snapshot, err := m.Snapshot()
	const want = `{"type":"fsm","current_state":"opened","machine":"door","shape":"g","seq":2,` +
		`"visits":{"closed":1,"opened":1},"values":{"closed":"stay"},"deadline":"1970-01-01T00:00:10Z"}`
	if err != nil || string(snapshot) != want {
		t.Fatalf("%s, %v", snapshot, err)
	}
	other, _ := newGuarded(nil)
	openAndClose(t, other, 2)
	if err := other.Restore(snapshot); err != nil {
		t.Fatal(err)
	}
	if again, err := other.Snapshot(); err != nil || string(again) != want {
		t.Errorf("%s, %v", again, err)
	}
	for _, visits := range []string{`{"opened":-1}`, `{"opened":9223372036854775807}`} {
		var bad *drive.SnapshotError
		err := other.Restore(json.RawMessage(`{"type":"fsm","current_state":"locked","visits":` + visits + `}`))
		if !errors.As(err, &bad) || other.State() != opened {
			t.Errorf("%s: %v", visits, err)
		}
	}
}

func isFalse() string { return "false" }
