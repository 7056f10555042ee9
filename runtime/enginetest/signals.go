package enginetest

import (
	"context"

	"github.com/agentc-dev/agentc/runtime"
)

// signals: a machine that asks for signals where none was sent is told of none, and may go on.
func signals(t T, make Make) {
	t.Helper()
	err := play(make, Setup{}, func(fx runtime.Effects) error {
		verdict, err := fx.Guard(runtime.GuardCall{
			Machine: "m", State: "s", Name: runtime.SignalGuard,
			Run:     func(context.Context) (runtime.Verdict, error) { return runtime.Verdict{}, nil },
			Signals: &runtime.SignalQuestion{Rules: []runtime.SignalRule{{On: runtime.SignalStop, Do: runtime.AnswerForceStop}}},
		})
		check(t, err == nil && verdict.Signal == nil, "signals without any: %+v, %v", verdict.Signal, err)

		return nil
	})
	check(t, err == nil, "the run: %v", err)
}
