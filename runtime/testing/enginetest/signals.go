package enginetest

import (
	"context"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signalrule"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// signalCases: a machine that asks for signals where none was sent is notified of none, and may go
// on.
func signalCases(t T, make Make) {
	mustRunBody(t, make, Setup{}, func(fx runtime.Effects) error {
		verdict, err := fx.Guard(runtime.GuardCall{
			Machine: "m", State: "s", Name: signalrule.GuardName,
			Run:     func(context.Context) (runtime.Verdict, error) { return runtime.Verdict{}, nil },
			Signals: &signals.Question{Rules: []signals.Rule{{On: "stop", Do: signals.ForceStop}}},
		})
		check(t, err == nil && verdict.Signal == nil, "signals without any: %+v, %v", verdict.Signal, err)

		return nil
	})
}
