package live_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

func guest(key string) drive.Attempt { return drive.Attempt{Key: key, Agent: "guest"} }

// TestTimer: nothing fires before the deadline; from then on the timer comes before whatever is asked.
func TestTimer(t *testing.T) {
	m, clock := newTimed()
	if at, ok := m.Deadline(); ok {
		t.Errorf("a state without a timer has the deadline %v", at)
	}
	if _, err := m.Try(guest("open")); err != nil {
		t.Fatal(err)
	}
	if at, ok := m.Deadline(); !ok || !at.Equal(clock.Add(30*time.Second)) {
		t.Errorf("the deadline is %v, %v", at, ok)
	}
	*clock = clock.Add(30*time.Second - 1)
	if step, fired, err := m.Tick(); fired || err != nil {
		t.Errorf("too early: %+v, %v", step, err)
	}
	*clock = clock.Add(1)
	want := drive.Step{
		Machine: "door", From: "opened", To: "closed", Key: "close", Matched: rt.MatchExact, Agent: drive.AgentTimer, Seq: 3,
	}
	if step, fired, err := m.Tick(); !fired || err != nil || !reflect.DeepEqual(step, want) {
		t.Errorf("at the deadline: %+v, %v, %v", step, fired, err)
	}
	if _, fired, err := m.Tick(); fired || err != nil {
		t.Errorf("a second time: %v, %v", fired, err)
	}
}

// TestLateEvent: what comes too late meets the state after the timeout.
func TestLateEvent(t *testing.T) {
	m, clock := newTimed()
	if _, err := m.Try(guest("open")); err != nil {
		t.Fatal(err)
	}
	*clock = clock.Add(time.Hour)

	// Can tells what would be, and does nothing.
	var invalid *runtime.InvalidTransitionError
	if _, err := m.Can(guest("slam")); !errors.As(err, &invalid) || invalid.State != "closed" {
		t.Errorf("can: %v", err)
	}
	if step, err := m.Can(guest("lock")); err != nil || step.From != "closed" || step.Seq != 4 {
		t.Errorf("can: %+v, %v", step, err)
	}
	if m.State() != opened || m.Seq() != 2 {
		t.Errorf("Can has moved the machine to %v, %d", m.State(), m.Seq())
	}

	var stale *drive.StaleError
	late, err := m.Try(drive.Attempt{Key: "slam", Agent: "guest", Seq: 2})
	if !errors.As(err, &stale) || stale.Have != 3 {
		t.Errorf("for the state before the timeout: %v", err)
	}
	if len(late.Timers) != 1 || late.Timers[0].From != "opened" || late.Timers[0].Agent != drive.AgentTimer || late.Machine != "" {
		t.Errorf("the step of the timer is returned with the refusal: %+v", late)
	}
	if _, err := m.Try(guest("slam")); !errors.As(err, &invalid) || invalid.State != "closed" {
		t.Errorf("late: %v", err)
	}
	if m.State() != closed || m.Seq() != 3 {
		t.Errorf("the timeout left the machine in %v, %d", m.State(), m.Seq())
	}
}

// TestTimersOfTwoStates: the second timer begins when the machine is moved by the first, not at its deadline.
func TestTimersOfTwoStates(t *testing.T) {
	m, clock := newTimed()
	for _, key := range []string{"lock"} {
		if _, err := m.Try(guest(key)); err != nil {
			t.Fatal(err)
		}
	}
	*clock = clock.Add(24 * time.Hour)
	if step, fired, err := m.Tick(); !fired || err != nil || step.To != "broken" {
		t.Errorf("%+v, %v, %v", step, fired, err)
	}
	if at, ok := m.Deadline(); ok {
		t.Errorf("a machine that has ended has the deadline %v", at)
	}
}
