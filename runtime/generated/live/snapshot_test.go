package live_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/signals"
)

func TestSnapshot(t *testing.T) {
	m, clock := newTimed()
	if _, err := m.Try(guest("open")); err != nil {
		t.Fatal(err)
	}
	got, err := m.Snapshot()
	const want = `{"type":"fsm","current_state":"opened","machine":"door","shape":"t","seq":2,"deadline":"2026-01-02T03:04:35Z"}`
	if err != nil || string(got) != want {
		t.Fatalf("%s, %v", got, err)
	}

	other, later := newTimed()
	*later = later.Add(10 * time.Second)
	if err := other.Restore(got); err != nil {
		t.Fatal(err)
	}
	if at, ok := other.Deadline(); !ok || !at.Equal(clock.Add(30*time.Second)) || other.Seq() != 2 || other.State() != opened {
		t.Errorf("restored: %v, seq %d, deadline %v", other.State(), other.Seq(), at)
	}
	again, err := other.Snapshot()
	if err != nil || string(again) != want {
		t.Errorf("a snapshot of what was restored: %s, %v", again, err)
	}
}

func TestRestore(t *testing.T) {
	renamed := func(s *doorSpec) {
		s.Ends = true
		s.Renames = map[string]doorState{"shut": closed, "opened": locked}
	}
	for _, c := range []struct {
		what, snapshot string
		want           doorState
		seq            uint64
	}{
		{"two fields", `{"type":"fsm","current_state":"locked"}`, locked, 1},
		{"of this shape", `{"type":"fsm","current_state":"opened","machine":"door","shape":"d","seq":9}`, opened, 9},
		{"of another shape, renamed", `{"type":"fsm","current_state":"opened","machine":"door","shape":"old","seq":9}`, locked, 9},
		{"of another shape, not renamed", `{"type":"fsm","current_state":"broken","shape":"old","seq":3}`, broken, 3},
		{"an older name", `{"type":"fsm","current_state":"shut"}`, closed, 1},
		{"what has ended", `{"type":"fsm","current_state":"","machine":"door","seq":4}`, 0, 4},
		{"more fields", `{"type":"fsm","current_state":"locked","visits":{"locked":3,"gone":7},"note":1}`, locked, 1},
	} {
		m := newDoor(renamed, history(3))
		if err := m.FireKey("open"); err != nil {
			t.Fatal(err)
		}
		if err := m.Restore(json.RawMessage(c.snapshot)); err != nil || m.State() != c.want || m.Seq() != c.seq {
			t.Errorf("%s: %v, seq %d, %v", c.what, m.State(), m.Seq(), err)
		}
		if len(m.History()) > 0 {
			t.Errorf("%s: the history of before is there: %v", c.what, m.History())
		}
		if err := m.FireKey("no such key"); err == nil {
			t.Errorf("%s: an unknown key is taken", c.what)
		}
	}
}

func TestNotRestored(t *testing.T) {
	for _, c := range []struct{ what, snapshot, problem string }{
		{"no JSON", `{`, "the snapshot cannot be read"},
		{"another type", `{"type":"direct","current_state":"locked"}`, `the type is "direct", not "fsm"`},
		{"another machine", `{"type":"fsm","current_state":"locked","machine":"gate"}`, `the snapshot is of machine "gate"`},
		{"no state", `{"type":"fsm"}`, "the snapshot has no current_state"},
		{"an unknown state", `{"type":"fsm","current_state":"ajar"}`, `it has no state "ajar", under no older name either`},
		{"an end that there is not", `{"type":"fsm","current_state":""}`, `it has no state "", under no older name either`},
		{"a sequence number below 0", `{"type":"fsm","current_state":"locked","seq":-1}`, "the snapshot cannot be read"},
		{"a deadline that is none", `{"type":"fsm","current_state":"locked","deadline":"soon"}`, "the snapshot cannot be read"},
	} {
		m := newDoor(nil)
		err := m.Restore(json.RawMessage(c.snapshot))
		var bad *drive.SnapshotError
		if !errors.As(err, &bad) || bad.Machine != "door" || bad.Problem != c.problem {
			t.Errorf("%s: %v", c.what, err)
		}
		if m.State() != closed || m.Seq() != 1 {
			t.Errorf("%s: the machine is in %v, seq %d", c.what, m.State(), m.Seq())
		}
	}
}

// TestSnapshotKeepsSignals: what was put off is not lost when a machine moves to another process.
func TestSnapshotKeepsSignals(t *testing.T) {
	m := signalled()
	if _, err := m.Signal(signals.Signal{Kind: "wind", Value: "west"}); err != nil {
		t.Fatal(err)
	}
	snapshot, err := m.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	other := signalled()
	if err := other.Restore(snapshot); err != nil {
		t.Fatal(err)
	}
	if step, err := other.Try(drive.Attempt{Key: "open"}); err != nil || len(step.Decisions) != 1 || other.State() != locked {
		t.Errorf("%+v, %v", step, err)
	}
}
