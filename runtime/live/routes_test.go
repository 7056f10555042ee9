package live_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/live"
)

// TestRouted: the rules of a program count in their tier: after those of the machine itself of the same priority, before them
// with a higher one, and never before a tier above.
func TestRouted(t *testing.T) {
	own := func(on string, priority int) runtime.SignalRule {
		return runtime.SignalRule{On: on, Do: runtime.AnswerContinue, Priority: priority}
	}
	routes := live.NewRoutes("door", "gate")
	m := signalled(live.Routed(routes), live.Route(runtime.TierAgent, own("both", 0), own("higher", 1)),
		live.Route(runtime.TierHost, own("agent", 9)))
	stop := func(on string, priority int) runtime.SignalRule {
		return runtime.SignalRule{On: on, Do: runtime.AnswerGracefulStop, Priority: priority}
	}
	routes.Add(runtime.Agent("door"), stop("both", 0), stop("higher", 2), stop("agent", 0))
	routes.Add(runtime.Agent("gate"), stop("gate", 0))
	routes.Add(runtime.Host, stop("both", 9), stop("host", 0), stop("rain", 9))
	for _, c := range []struct {
		kind string
		want runtime.SignalAnswer
		tier runtime.Tier
	}{
		{"both", runtime.AnswerContinue, runtime.TierAgent},
		{"higher", runtime.AnswerGracefulStop, runtime.TierAgent},
		{"agent", runtime.AnswerGracefulStop, runtime.TierAgent},
		{"host", runtime.AnswerGracefulStop, runtime.TierHost},
		{"gate", runtime.AnswerNone, ""},
		{"rain", runtime.AnswerFire, runtime.TierMachine},
	} {
		got, _ := m.Signal(runtime.Signal{Kind: c.kind})
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
	live.NewRoutes("door").Add(runtime.Agent("doer"), runtime.SignalRule{On: "stop"})
	t.Error("the rules were taken")
}

// TestRoutesWhileSignalsCome adds rules while a machine is asked; the race detector looks on.
func TestRoutesWhileSignalsCome(t *testing.T) {
	routes := live.NewRoutes("door")
	m := signalled(live.Routed(routes))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 200 {
				routes.Add(runtime.Agent("door"), runtime.SignalRule{On: "bell", Do: runtime.AnswerGracefulStop})
				routes.Add(runtime.Host, runtime.SignalRule{On: "bell", Do: runtime.AnswerForceStop})
				if got, _ := m.Signal(runtime.Signal{Kind: "bell"}); got.Tier != runtime.TierAgent {
					t.Errorf("the rule of tier %q counts", got.Tier)
				}
			}
		})
	}
	all.Wait()
}
