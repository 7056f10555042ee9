package live_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/signals"
)

func signalled(options ...func(*door)) *door {
	return newDoor(func(s *doorSpec) {
		s.Signals = []signals.Rule{
			{On: "stop", Do: signals.GracefulStop},
			{On: "stop", Do: signals.ForceStop, Priority: 1, In: []string{"locked"}},
			{On: "wind", Do: signals.Fire, Key: "Slam", In: []string{"opened"}},
			{On: "wind", Do: signals.Continue, In: []string{"closed"}},
			{On: "rain", Do: signals.Fire, Key: "close"},
		}
	}, options...)
}

// TestTiers: the file decides before Go code, the agent's tier before the host's, whatever their priorities; inside of a tier the
// higher priority, then the order.
func TestTiers(t *testing.T) {
	loud := func(s signals.Signal) bool { return s.Value == "loud" }
	added := &drive.Routes{}
	added.Add("",
		signals.Rule{On: "stop", Do: signals.Continue, Priority: 100},
		signals.Rule{On: "knock", Do: signals.ForceStop},
		signals.Rule{On: "bell", Do: signals.GracefulStop, Priority: 2},
		signals.Rule{On: "bell", Do: signals.ForceStop, Priority: 2})
	added.Add("door", signals.Rule{On: "knock", Do: signals.GracefulStop, Fits: loud})
	m := signalled(routes(added))
	for _, c := range []struct {
		kind, value string
		want        signals.Answer
		tier        string
	}{
		{"stop", "", signals.GracefulStop, "machine"},
		{"knock", "loud", signals.GracefulStop, "agent"},
		{"knock", "", signals.ForceStop, "host"},
		{"bell", "", signals.GracefulStop, "host"},
		{"thunder", "", "", ""},
	} {
		got, err := m.Signal(signals.Signal{Kind: c.kind, Value: c.value})
		if err != nil || got.Answer != c.want || got.Tier != c.tier {
			t.Errorf("%s %q: %+v, %v", c.kind, c.value, got, err)
		}
	}
	if _, err := m.Fire("lock"); err != nil {
		t.Fatal(err)
	}
	if got, _ := m.Signal(signals.Signal{Kind: "stop"}); got.Answer != signals.ForceStop {
		t.Errorf("the rule of the state: %+v", got)
	}
	if m.State() != locked || m.Seq() != 2 {
		t.Errorf("signals moved the machine to %v, %d", m.State(), m.Seq())
	}
}

// TestSignalFires: a key that a signal fires is a step like any other, and its refusal one like any other.
func TestSignalFires(t *testing.T) {
	m := signalled()
	got, err := m.Signal(signals.Signal{Kind: "rain"})
	var invalid *runtime.InvalidTransitionError
	if !errors.As(err, &invalid) || got.Err != err || got.Answer != signals.Fire || m.Seq() != 1 {
		t.Errorf("refused: %+v, %v", got, err)
	}
	if _, err := m.Fire("open"); err != nil {
		t.Fatal(err)
	}
	got, err = m.Signal(signals.Signal{Kind: "rain"})
	if err != nil || got.Step.To != "closed" || got.Step.Agent != "signal" || got.Step.Seq != 3 || m.State() != closed {
		t.Errorf("fired: %+v, %v", got, err)
	}
}

// TestPutOff: a signal that is put off is decided about when the state is left, and the step that it makes comes after.
func TestPutOff(t *testing.T) {
	m := signalled(history(9))
	var told []string
	m.Subscribe(func(s drive.Step) { told = append(told, s.Key) })
	for range 2 {
		if got, err := m.Signal(signals.Signal{Kind: "wind", Value: "west"}); err != nil || got.Answer != signals.Continue {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	step, err := m.Try(drive.Attempt{Key: "open"})
	if err != nil || len(step.Decisions) != 2 {
		t.Fatalf("%+v, %v", step, err)
	}
	first, second := step.Decisions[0], step.Decisions[1]
	if first.Answer != signals.Fire || first.Step.To != "locked" || first.Step.Seq != 3 || first.Signal.Value != "west" {
		t.Errorf("the first: %+v", first)
	}
	if second.Answer != "" || second.Signal.Kind != "wind" {
		t.Errorf("the second, which met the state after it: %+v", second)
	}
	if want := []string{"open", "Slam"}; m.State() != locked || !slices.Equal(told, want) || len(m.History()) != 2 {
		t.Errorf("%v, told %q, %v", m.State(), told, m.History())
	}
}

// TestPredicatePanics: whose predicate panics has no decision, and a step that was made on the way is told.
func TestPredicatePanics(t *testing.T) {
	added := &drive.Routes{}
	added.Add("", signals.Rule{On: "wind", Do: signals.ForceStop, Fits: func(signals.Signal) bool { panic("no vane") }})
	m := signalled(routes(added))
	told := 0
	m.Subscribe(func(drive.Step) { told++ })
	if _, err := m.Signal(signals.Signal{Kind: "wind"}); err != nil {
		t.Fatal(err)
	}
	step, err := m.Try(drive.Attempt{Key: "lock"})
	var panicked *runtime.PanicError
	if err != nil || told != 1 || len(step.Decisions) != 1 || !errors.As(step.Decisions[0].Err, &panicked) {
		t.Errorf("%+v, %v; told of %d", step, err, told)
	}
	if decision, err := m.Signal(signals.Signal{Kind: "wind"}); !errors.As(err, &panicked) || decision.Answer != "" {
		t.Errorf("%+v, %v", decision, err)
	}
}
