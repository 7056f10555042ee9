package core

import (
	"context"
	"fmt"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
)

// userContext returns the context for the user's methods and for providers.
func (f *Effects) userContext() context.Context {
	count := f.at.Ordinal()

	return runtime.WithCall(f.scope.EffectContext(), func() runtime.CallInfo { return f.callInfo(count) })
}

// callUser runs code of the user. promises reports whether it promises to return when its context
// ends. After an error that ends the run, code without a promise may still run.
func (f *Effects) callUser(limit time.Duration, name usercode.Name, promises bool, code usercode.Code) error {
	var promise *usercode.Promise
	if promises {
		promise = f.run.engine.promises.Named(name)
	}
	_, err := f.caller.Call(f.userContext(), limit, name, promise, code)

	return err
}

// ReportBrokenPromise implements usercode.Owner. The branch waits meanwhile.
func (f *Effects) ReportBrokenPromise(name usercode.Name) {
	const text = "%s promises to return when a call is cancelled, and has not done so within %v: " +
		"from now on, calls do not wait for it"
	f.note(&event.Event{
		Kind: event.Error, Type: "BrokenPromiseError", Problem: fmt.Sprintf(text, name, usercode.Grace),
	}, Detail{})
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
