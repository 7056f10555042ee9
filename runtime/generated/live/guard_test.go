package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/generated/live"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// guarded is the table of a door that is opened twice, and after that if the user's guard says so; once "stay" was said it stays
// open.
func guarded(s doorState, key doorKey, j *rt.Judge) (doorState, bool) {
	next, ok := s.Next(key)
	if s == closed && key == "open" {
		ok = record(j, `visits["opened"] < 2`, j.Visits[opened] < 2) || j.Ask("may-open")
	}
	if s == opened && key == "close" {
		ok = record(j, `steps.closed != "stay"`, j.Values[closed] != "stay")
	}

	return next, ok
}

// newGuarded returns a guarded door, which closes by itself after 10 s, and what moves its clock.
func newGuarded(guard func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error)) (*door, *time.Time) {
	clock := time.Unix(0, 0).UTC()
	m := &door{}
	live.Start(m, &doorSpec{
		Name: "door", Shape: "g", Initial: closed, Guarded: guarded, States: 4, Values: true,
		Canonical: doorState.CanonicalKey, Keys: doorState.Keys, Parse: parseDoor,
		Timers: map[doorState]live.Timer[doorKey]{opened: {After: 10 * time.Second, Fire: "close"}},
	}, func(_ context.Context, _ string, in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
		return guard(in)
	})
	m.SetClock(func() time.Time { return clock })

	return m, &clock
}

// openAndClose does it a number of times.
func openAndClose(t *testing.T, m *door, times int) {
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
	*clock = clock.Add(time.Minute)
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

// record records a guard, and reports whether it allows its row.
func record(j *rt.Judge, guard string, holds bool) bool {
	if holds {
		return j.RecordHeld(guard)
	}

	return j.RecordRefused(guard, "false", nil)
}
