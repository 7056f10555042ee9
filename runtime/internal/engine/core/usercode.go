package core

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/agentc-dev/agentc/runtime"
)

// errGoexit is what code ends with that left its goroutine, as testing's FailNow does.
var errGoexit = errors.New("the goroutine was left by runtime.Goexit")

// userContext is what the user's methods, and providers, get.
func (f *Effects) userContext() context.Context {
	count := f.count

	return runtime.WithCall(f.context(), func() runtime.CallInfo { return f.callInfo(count) })
}

// callInfo is the branch's effect of that number, as the code knows it that runs in it.
func (f *Effects) callInfo(count int) runtime.CallInfo {
	address := f.addressOf(count)

	return runtime.CallInfo{Run: f.run.id, Address: address, Traceparent: f.run.traceparent(address)}
}

// cutShort is why code of the user has no result that counts: the run, or the time for the effect, has ended. What was done counts in
// a run that has a journal.
func (f *Effects) cutShort(err error) error {
	if err == nil && f.run.journal != nil {
		return nil
	}

	return f.stopped()
}

// within runs a method of the user. It returns the method's results, a panic as *runtime.PanicError, or, as soon as the run is
// cancelled, the cause: a method that ignores its context must not hold the run. It then goes on by itself, and what it returns is
// lost.
func within[T any](ctx context.Context, where string, method func(context.Context) (T, error)) (value T, err error) {
	if ctx.Done() == nil {
		// No one can cancel, so that no goroutine is needed: a test's FailNow in a method ends the test.
		err = catchPanic(where, func() (err error) {
			value, err = method(ctx)

			return err
		})

		return value, err
	}

	var theirs T
	returned, err := awaited(ctx, where, func() (err error) {
		theirs, err = method(ctx)

		return err
	})
	if returned {
		value = theirs
	}

	return value, err
}

// awaited runs code of the user and waits for it as long as the run is not cancelled; returned says that the code has ended.
func awaited(ctx context.Context, where string, code func() error) (returned bool, err error) {
	ended := make(chan error, 1)
	go func() {
		var err error = &runtime.PanicError{Where: where, Value: errGoexit}
		defer func() { ended <- err }()
		err = catchPanic(where, code)
	}()
	select {
	case err := <-ended:
		return true, err
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}

// bounded is within for a call that may take at most limit, if that is not 0. What takes longer ends as *runtime.TimeoutError.
func bounded[T any](
	ctx context.Context, limit time.Duration, where string, method func(context.Context) (T, error),
) (T, error) {
	ctx, cancel := withLimit(ctx, limit, where)
	defer cancel()
	value, err := within(ctx, where, method)

	return value, limitError(ctx, limit, err)
}

// withLimit returns a context that ends with a *runtime.TimeoutError after a limit, if that is not 0.
func withLimit(ctx context.Context, limit time.Duration, where string) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}

	return context.WithTimeoutCause(ctx, limit, &runtime.TimeoutError{What: where, After: limit})
}

// limitError returns the error of a call whose context is from withLimit: the *runtime.TimeoutError if the call took too long,
// also if it has reported the end of its context in other words.
func limitError(ctx context.Context, limit time.Duration, err error) error {
	var late *runtime.TimeoutError
	if err != nil && limit > 0 && errors.As(context.Cause(ctx), &late) {
		return late
	}

	return err
}

// catchPanic runs code of the user; a panic is a *runtime.PanicError.
func catchPanic(where string, code func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = panicError(where, value)
		}
	}()

	return code()
}

// panicError returns the error of code that is panicking.
func panicError(where string, value any) error {
	return &runtime.PanicError{Where: where, Value: value, Stack: debug.Stack()}
}
