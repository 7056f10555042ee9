package core

import (
	"context"

	"github.com/agentc-dev/agentc/runtime"
)

// userContext returns the context for the user's methods and for providers.
func (f *Effects) userContext() context.Context {
	count := f.at.Ordinal()

	return runtime.WithCall(f.scope.EffectContext(), func() runtime.CallInfo { return f.callInfo(count) })
}

// callInfo describes the branch's effect with a number to the code that runs in it.
func (f *Effects) callInfo(count int) runtime.CallInfo {
	address := f.at.AddressOf(count)

	return runtime.CallInfo{Run: f.run.id, Address: address, Traceparent: f.run.events.traceparent(address)}
}

// cutShort returns why the result of the user's code does not count: the run, or the time for the
// effect, has ended. In a run with a journal, what was done counts.
func (f *Effects) cutShort(err error) error {
	if err == nil && f.run.journal != nil {
		return nil
	}

	return f.scope.Stopped()
}
