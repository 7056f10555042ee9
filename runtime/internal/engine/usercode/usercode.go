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

// WithLimit returns a context that ends with a *runtime.TimeoutError after a limit, if that is not
// 0.
func WithLimit(ctx context.Context, limit time.Duration, name Name) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}

	return context.WithTimeoutCause(ctx, limit, &runtime.TimeoutError{What: name.String(), After: limit})
}

// LimitError returns the error of a call whose context is from WithLimit: the *runtime.TimeoutError
// if the call took too long, also if it has reported the end of its context in other words.
func LimitError(ctx context.Context, limit time.Duration, err error) error {
	if err == nil || limit <= 0 {
		return err
	}
	var late *runtime.TimeoutError
	if errors.As(context.Cause(ctx), &late) {
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
