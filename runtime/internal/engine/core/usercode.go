package core

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/agentc-dev/agentc/runtime"
)

// errGoexit is the error of code that has left its goroutine, as testing's FailNow does.
var errGoexit = errors.New("the goroutine was left by runtime.Goexit")

// userContext returns the context for the user's methods and for providers.
func (f *Effects) userContext() context.Context {
	count := f.count

	return runtime.WithCall(f.effectContext(), func() runtime.CallInfo { return f.callInfo(count) })
}

// callInfo describes the branch's effect with a number to the code that runs in it.
func (f *Effects) callInfo(count int) runtime.CallInfo {
	address := f.addressOf(count)

	return runtime.CallInfo{Run: f.run.id, Address: address, Traceparent: f.run.events.traceparent(address)}
}

// cutShort returns why the result of the user's code does not count: the run, or the time for the
// effect, has ended. In a run with a journal, what was done counts.
func (f *Effects) cutShort(err error) error {
	if err == nil && f.run.journal != nil {
		return nil
	}

	return f.stopped()
}

// codeName names code of the user in errors: a kind, and a name that may be "".
type codeName struct{ kind, name string }

func (n codeName) String() string {
	if n.name == "" {
		return n.kind
	}

	return n.kind + " " + n.name
}

// callUser runs code of the user, for at most limit if that is not 0. A panic is a
// *runtime.PanicError, and what takes longer a *runtime.TimeoutError. As soon as the run is
// cancelled the error is the cause: code that ignores its context must not hold the run. It then
// continues by itself, so that its results must not be read after an error that ends the run.
func callUser(ctx context.Context, limit time.Duration, name codeName, code func(context.Context) error) error {
	limited, cancel := withLimit(ctx, limit, name)
	defer cancel()
	if limited.Done() == nil { // without a goroutine, so that a test's FailNow in a method ends the test
		return runUser(limited, name, code)
	}

	ended := make(chan error, 1)
	go func() {
		err := error(&runtime.PanicError{Where: name.String(), Value: errGoexit})
		defer func() { ended <- err }()
		err = runUser(limited, name, code)
	}()
	select {
	case err := <-ended:
		return limitError(limited, limit, err)
	case <-limited.Done():
		return limitError(limited, limit, context.Cause(limited))
	}
}

// runUser runs code of the user. A panic is a *runtime.PanicError.
func runUser(ctx context.Context, name codeName, code func(context.Context) error) (err error) {
	defer recoverPanic(name, &err)

	return code(ctx)
}

// withLimit returns a context that ends with a *runtime.TimeoutError after a limit, if that is not
// 0.
func withLimit(ctx context.Context, limit time.Duration, name codeName) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}

	return context.WithTimeoutCause(ctx, limit, &runtime.TimeoutError{What: name.String(), After: limit})
}

// limitError returns the error of a call whose context is from withLimit: the *runtime.TimeoutError
// if the call took too long, also if it has reported the end of its context in other words.
func limitError(ctx context.Context, limit time.Duration, err error) error {
	var late *runtime.TimeoutError
	if err != nil && limit > 0 && errors.As(context.Cause(ctx), &late) {
		return late
	}

	return err
}

// catchPanic runs code of the user; a panic is a *runtime.PanicError.
func catchPanic(where string, code func() error) (err error) {
	defer recoverPanic(codeName{kind: where}, &err)

	return code()
}

// recoverPanic is deferred by what runs code of the user. It sets err to a *runtime.PanicError if
// the code has panicked.
func recoverPanic(name codeName, err *error) {
	if value := recover(); value != nil {
		*err = panicError(name.String(), value)
	}
}

// panicError returns the error of code that is panicking.
func panicError(where string, value any) error {
	return &runtime.PanicError{Where: where, Value: value, Stack: debug.Stack()}
}
