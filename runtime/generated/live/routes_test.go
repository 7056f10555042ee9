package live_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// TestRouted: the rules of a program count in their tier: after those that were added before with the same priority, before them
// with a higher one, and never before a tier above.
func TestRouted(t *testing.T) {
	own := func(on string, priority int) signals.Rule {
		return signals.Rule{On: on, Do: signals.Continue, Priority: priority}
	}
	added := &drive.Routes{Machines: []string{"door", "gate"}}
	m := signalled(routes(added))
	added.Add("door", own("both", 0), own("higher", 1))
	added.Add("", own("agent", 9))
	stop := func(on string, priority int) signals.Rule {
		return signals.Rule{On: on, Do: signals.GracefulStop, Priority: priority}
	}
	added.Add("door", stop("both", 0), stop("higher", 2), stop("agent", 0))
	added.Add("gate", stop("gate", 0))
	added.Add("", stop("both", 9), stop("host", 0), stop("rain", 9))
	for _, c := range []struct {
		kind string
		want signals.Answer
		tier string
	}{
		{"both", signals.Continue, "agent"},
		{"higher", signals.GracefulStop, "agent"},
		{"agent", signals.GracefulStop, "agent"},
		{"host", signals.GracefulStop, "host"},
		{"gate", "", ""},
		{"rain", signals.Fire, "machine"},
	} {
		got, _ := m.Signal(signals.Signal{Kind: c.kind})
		if got.Answer != c.want || got.Tier != c.tier {
			t.Errorf("%s: %q of tier %q, want %q of %q", c.kind, got.Answer, got.Tier, c.want, c.tier)
		}
	}
}

// TestRouteToNobody: rules for an agent that never asks are a mistake of the code that adds them.
func TestRouteToNobody(t *testing.T) {
	defer func() {
		if problem, _ := recover().(string); !strings.Contains(problem, `"doer"`) || !strings.Contains(problem, `"door"`) {
			t.Errorf("the panic says %q", problem)
		}
	}()
	(&drive.Routes{Machines: []string{"door"}}).Add("doer", signals.Rule{On: "stop"})
	t.Error("the rules were taken")
}

// TestRoutesWhileSignalsCome adds rules while a machine is asked; the race detector looks on.
func TestRoutesWhileSignalsCome(t *testing.T) {
	added := &drive.Routes{Machines: []string{"door"}}
	m := signalled(routes(added))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 200 {
				added.Add("door", signals.Rule{On: "bell", Do: signals.GracefulStop})
				added.Add("", signals.Rule{On: "bell", Do: signals.ForceStop})
				if got, _ := m.Signal(signals.Signal{Kind: "bell"}); got.Tier != "agent" {
					t.Errorf("the rule of tier %q counts", got.Tier)
				}
			}
		})
	}
	all.Wait()
}
