package live_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
)

// TestSubscriberFires: what a subscriber fires is made at once, and told after the step that it was told of.
func TestSubscriberFires(t *testing.T) {
	m := newDoor(nil)
	var told []string
	m.Subscribe(func(s drive.Step) {
		if s.Key == "open" {
			if _, err := m.Fire("Slam"); err != nil {
				t.Error(err)
			}
			if m.State() != locked {
				t.Errorf("what was fired is not made: %v", m.State())
			}
		}
	})
	m.Subscribe(func(s drive.Step) { told = append(told, s.Key) })
	if _, err := m.Fire("open"); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(told, []string{"open", "Slam"}) {
		t.Errorf("told %q", told)
	}
}

// TestSubscriberPanics: the step stays, the others are told, and the machine goes on without the one that panicked.
func TestSubscriberPanics(t *testing.T) {
	m := newDoor(nil)
	calls, told := 0, 0
	m.Subscribe(func(drive.Step) { calls++; panic("no bell") })
	m.Subscribe(func(drive.Step) { told++ })
	for _, key := range []doorKey{"open", "close"} {
		if _, err := m.Fire(key); err != nil {
			t.Fatal(err)
		}
	}
	var panicked *runtime.PanicError
	if err := m.Err(); !errors.As(err, &panicked) || panicked.Value != "no bell" || calls != 1 || told != 2 {
		t.Errorf("%v; %d calls, told of %d", err, calls, told)
	}
}

// TestSubscriberExits: a subscriber that ends its goroutine, as a failed test does, loses nobody a step.
func TestSubscriberExits(t *testing.T) {
	m := newDoor(nil)
	var mutex sync.Mutex
	told := 0
	m.Subscribe(func(drive.Step) { goexit() })
	m.Subscribe(func(drive.Step) {
		mutex.Lock()
		defer mutex.Unlock()
		told++
	})
	var group sync.WaitGroup
	group.Go(func() { _ = m.FireKey("open") })
	group.Wait()
	if err := m.FireKey("close"); err != nil {
		t.Fatal(err)
	}
	if told != 2 || m.Err() != nil {
		t.Errorf("told of %d, %v", told, m.Err())
	}
}

func TestCancel(t *testing.T) {
	m := newDoor(nil)
	var told []string
	first := m.Subscribe(func(s drive.Step) { told = append(told, "first "+s.Key) })
	if err := m.FireKey("open"); err != nil {
		t.Fatal(err)
	}
	m.Subscribe(func(s drive.Step) { told = append(told, "second "+s.Key) })
	if err := m.FireKey("close"); err != nil {
		t.Fatal(err)
	}
	first()
	first()
	if err := m.FireKey("lock"); err != nil {
		t.Fatal(err)
	}
	if want := []string{"first open", "first close", "second close", "second lock"}; !slices.Equal(told, want) {
		t.Errorf("told %q", told)
	}
}

// TestUnheard: a step that was made before anybody subscribed is told to nobody, and keeps nothing.
func TestUnheard(t *testing.T) {
	m := newDoor(nil)
	cancel := m.Subscribe(func(drive.Step) { t.Error("told after cancel") })
	cancel()
	for _, key := range []string{"open", "close"} {
		if err := m.FireKey(key); err != nil {
			t.Fatal(err)
		}
	}
	if m.History() != nil && len(m.History()) > 0 {
		t.Errorf("a history that nobody asked for: %v", m.History())
	}
}
