package usercode

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/agentc-dev/agentc/runtime"
)

// ErrGoexit is the error of code that has left its goroutine, as testing's FailNow does.
var ErrGoexit = errors.New("the goroutine was left by runtime.Goexit")

// Name names code of the user in errors: a kind, and a name that may be "".
type Name struct{ Kind, Name string }

func (n Name) String() string {
	if n.Name == "" {
		return n.Kind
	}

	return n.Kind + " " + n.Name
}

// Call runs code of the user, for at most limit if that is not 0. A panic is a
// *runtime.PanicError, and what takes longer a *runtime.TimeoutError. As soon as the run is
// cancelled the error is the cause: code that ignores its context must not hold the run. It then
// continues by itself, so that its results must not be read after an error that ends the run.
func Call(ctx context.Context, limit time.Duration, name Name, code func(context.Context) error) error {
	limited, cancel := WithLimit(ctx, limit, name)
	defer cancel()
	if limited.Done() == nil { // without a goroutine, so that a test's FailNow in a method ends the test
		return run(limited, name, code)
	}

	ended := make(chan error, 1)
	go func() {
		err := error(&runtime.PanicError{Where: name.String(), Value: ErrGoexit})
		defer func() { ended <- err }()
		err = run(limited, name, code)
	}()
	select {
	case err := <-ended:
		return LimitError(limited, limit, err)
	case <-limited.Done():
		return LimitError(limited, limit, context.Cause(limited))
	}
}

// run runs code of the user. A panic is a *runtime.PanicError.
func run(ctx context.Context, name Name, code func(context.Context) error) (err error) {
	defer Recover(name, &err)

	return code(ctx)
}

// WithLimit returns a context that ends with a *runtime.TimeoutError after a limit, if that is not
// 0.
func WithLimit(ctx context.Context, limit time.Duration, name Name) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}

	return context.WithTimeoutCause(ctx, limit, &runtime.TimeoutError{What: name.String(), After: limit})
}

// LimitError returns the error of a call whose context is from withLimit: the *runtime.TimeoutError
// if the call took too long, also if it has reported the end of its context in other words.
func LimitError(ctx context.Context, limit time.Duration, err error) error {
	var late *runtime.TimeoutError
	if err != nil && limit > 0 && errors.As(context.Cause(ctx), &late) {
		return late
	}

	return err
}

// Catch runs code of the user; a panic is a *runtime.PanicError.
func Catch(where string, code func() error) (err error) {
	defer Recover(Name{Kind: where}, &err)

	return code()
}

// Recover is deferred by what runs code of the user. It sets err to a *runtime.PanicError if
// the code has panicked.
func Recover(name Name, err *error) {
	if value := recover(); value != nil {
		*err = PanicError(name.String(), value)
	}
}

// PanicError returns the error of code that is panicking.
func PanicError(where string, value any) error {
	return &runtime.PanicError{Where: where, Value: value, Stack: debug.Stack()}
}
