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

	return runtime.WithCall(f.scope.EffectContext(), func() runtime.CallInfo { return f.run.callInfo(f.at.AddressOf(count)) })
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

// promiseReporter reports broken promises of code that a branch calls; it implements
// usercode.Owner.
type promiseReporter struct{ branch *Effects }

// ReportBrokenPromise reports that code has not returned in time. The branch waits meanwhile.
func (r promiseReporter) ReportBrokenPromise(name usercode.Name) {
	const text = "%s promises to return when a call is cancelled, and has not done so within %v: " +
		"from now on, calls do not wait for it"
	r.branch.note(&Sight{Event: event.Event{
		Kind: event.Error, Type: "BrokenPromiseError", Problem: fmt.Sprintf(text, name, usercode.Grace),
	}})
}

// callInfo describes the effect at an address to the code that runs in it.
func (r *run) callInfo(address string) runtime.CallInfo {
	return runtime.CallInfo{Run: r.id, Address: address, Traceparent: r.events.traceparent(address)}
}

// cutShort returns why the result of the user's code does not count: the run, or the time for the
// effect, has ended. In a run with a journal, what was done counts.
func (f *Effects) cutShort(err error) error {
	if err == nil && f.run.journal != nil {
		return nil
	}

	return f.scope.Stopped()
}
