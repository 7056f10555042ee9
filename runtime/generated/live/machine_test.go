package live_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/generated/live"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// Machines of all kinds fit in one slice.
var _ = []drive.Machine{(*door)(nil), (*live.Machine[place, string])(nil)}

func TestFire(t *testing.T) {
	m := newDoor(nil)
	if m.Name() != "door" || m.Current() != "closed" || m.State() != closed || m.Seq() != 1 {
		t.Errorf("a new door: %s in %s, seq %d", m.Name(), m.Current(), m.Seq())
	}
	for _, c := range []struct {
		key  doorKey
		want live.Step[doorState, doorKey]
	}{
		{"open", live.Step[doorState, doorKey]{From: closed, To: opened, Key: "open", Matched: rt.MatchExact, Seq: 2}},
		{" SLAM", live.Step[doorState, doorKey]{From: opened, To: locked, Key: "Slam", Matched: "folded", Seq: 3}},
		{"break", live.Step[doorState, doorKey]{From: locked, To: broken, Key: "break", Matched: rt.MatchExact, Seq: 4}},
	} {
		if got, err := m.Fire(c.key); err != nil || got != c.want {
			t.Errorf("%q: %+v, %v", c.key, got, err)
		}
	}
	if m.Current() != "broken" || m.Seq() != 4 || m.Valid() != nil && len(m.Valid()) > 0 {
		t.Errorf("at the end: %s, seq %d, %q", m.Current(), m.Seq(), m.Valid())
	}
}

// TestRefused: whatever is refused has changed nothing, and the error says where the machine stands.
func TestRefused(t *testing.T) {
	m := newDoor(nil, history(5))
	told := 0
	m.Subscribe(func(drive.Step) { told++ })
	for _, c := range []struct {
		what string
		try  func() error
		want error
	}{
		{"a key of another state", func() error { _, err := m.Fire("unlock"); return err },
			&runtime.InvalidTransitionError{Machine: "door", State: "closed", Key: "unlock", Valid: []string{"open", "lock"}}},
		{"no key", func() error { return m.FireKey("") },
			&runtime.InvalidTransitionError{Machine: "door", State: "closed", Valid: []string{"open", "lock"}}},
		{"an old sequence number", func() error { _, err := m.FireIf(7, "open"); return err },
			&drive.StaleError{Machine: "door", Want: 7, Have: 1}},
		{"an old sequence number of a host", func() error { _, err := m.Try(drive.Attempt{Key: "open", Seq: 2}); return err },
			&drive.StaleError{Machine: "door", Want: 2, Have: 1}},
		{"a state that no row leads to", func() error { _, err := m.Try(drive.Attempt{To: "broken"}); return err },
			&runtime.InvalidTransitionError{Machine: "door", State: "closed", To: "broken", Valid: []string{"open", "lock"}}},
		{"a state that is none", func() error { _, err := m.Try(drive.Attempt{To: "ajar"}); return err },
			&rt.UnknownNameError{Machine: "door", Kind: "state", Name: "ajar"}},
	} {
		if err := c.try(); !reflect.DeepEqual(err, c.want) {
			t.Errorf("%s: %v, want %v", c.what, err, c.want)
		}
	}
	if m.State() != closed || m.Seq() != 1 || told > 0 || len(m.History()) > 0 {
		t.Errorf("after refusals: %s, seq %d, told %d, %v", m.Current(), m.Seq(), told, m.History())
	}
}

func TestTry(t *testing.T) {
	m := newDoor(func(s *doorSpec) {
		s.Plain = false
		s.Enter = map[doorState][]string{closed: {"greet"}, locked: {"light", "bell"}}
		s.Exit = map[doorState][]string{closed: {"hold"}}
	}, history(2))
	if got := m.OnEnter(m.State()); !slices.Equal(got, []string{"greet"}) {
		t.Errorf("the initial state: %q", got)
	}
	want := drive.Step{
		Machine: "door", From: "closed", To: "locked", Key: "lock", Matched: rt.MatchExact, Agent: "guest", Seq: 2,
		Exit: []string{"hold"}, Enter: []string{"light", "bell"},
	}
	attempt := drive.Attempt{To: "locked", Agent: "guest", Seq: 1}
	if got, err := m.Can(attempt); err != nil || !reflect.DeepEqual(got, want) || m.Seq() != 1 {
		t.Errorf("can: %+v, %v; seq %d", got, err, m.Seq())
	}
	if got, err := m.Try(attempt); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("try: %+v, %v", got, err)
	}
	for _, key := range []string{"unlock", "open"} {
		if err := m.FireKey(key); err != nil {
			t.Error(err)
		}
	}
	var kept []string
	for _, step := range m.History() {
		kept = append(kept, step.Key)
	}
	if !slices.Equal(kept, []string{"unlock", "open"}) {
		t.Errorf("the last two steps: %q", kept)
	}
}

// TestSize: a machine without guards and timers is small, whatever its options could be.
func TestSize(t *testing.T) {
	if size := unsafe.Sizeof(door{}); size > 64 {
		t.Errorf("a machine has %d bytes", size)
	}
}

func TestAllocations(t *testing.T) {
	m := newDoor(nil)
	if n := testing.AllocsPerRun(100, func() {
		for _, key := range []doorKey{"open", "close", "lock", "unlock"} {
			_, _ = m.Fire(key)
		}
	}); n > 0 {
		t.Errorf("four steps allocate %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() {
		step, err := m.FireIf(m.Seq(), "open")
		if err != nil || step.To != opened || m.FireKey("close") != nil {
			t.Fatal(step, err)
		}
	}); n > 0 {
		t.Errorf("a step for a sequence number allocates %v times", n)
	}
}

func TestAccess(t *testing.T) {
	m, _ := newTimed()
	var denied *drive.AccessError
	nobody := drive.AccessError{Machine: "door", State: "closed", Key: "open"}
	if _, err := m.Fire("open"); !errors.As(err, &denied) || *denied != nobody {
		t.Errorf("without a name: %v", err)
	}
	if _, err := m.Try(drive.Attempt{To: "opened", Agent: "thief"}); !errors.As(err, &denied) || denied.Agent != "thief" {
		t.Errorf("by another: %v", err)
	}
	if _, err := m.Try(drive.Attempt{Key: " OPEN ", Agent: "guest"}); err != nil {
		t.Error(err)
	}
	if _, err := m.Try(drive.Attempt{Key: "close", Agent: "guest"}); !errors.As(err, &denied) || denied.State != "opened" {
		t.Errorf("what is denied: %v", err)
	}
	if m.Current() != "opened" || m.Seq() != 2 {
		t.Errorf("%s, seq %d", m.Current(), m.Seq())
	}
}
