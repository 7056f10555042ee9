package usercode_test

import (
	"context"
	"errors"
	gort "runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
)

var pay = usercode.Name{Kind: "tool", Name: "pay"}

func TestCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	failed := errors.New("no money")
	for _, c := range []struct {
		name string
		code func(context.Context) error
		want string
	}{
		{"succeeds", func(context.Context) error { return nil }, ""},
		{"fails", func(context.Context) error { return failed }, "no money"},
		{"panics", func(context.Context) error { panic("boom") }, "tool pay panicked: boom"},
		{"leaves its goroutine", func(context.Context) error { gort.Goexit(); return nil }, "tool pay panicked: " + usercode.ErrGoexit.Error()},
	} {
		for name, ctx := range map[string]context.Context{"that ends": ctx, "that does not end": context.Background()} {
			if c.name == "leaves its goroutine" && ctx.Done() == nil {
				continue // it would end the test
			}
			got := ""
			if err := usercode.Call(ctx, 0, pay, c.code); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("code that %s, in a context %s: got %q, want %q", c.name, name, got, c.want)
			}
		}
	}
}

// TestCallDoesNotWait: code that ignores its context does not hold its caller.
func TestCallDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ignores := func(context.Context) error {
			time.Sleep(time.Hour)

			return nil
		}
		var late *runtime.TimeoutError
		if err := usercode.Call(t.Context(), time.Second, pay, ignores); !errors.As(err, &late) || late.What != "tool pay" || late.After != time.Second {
			t.Errorf("after its limit the error is %v", err)
		}
		cause := errors.New("stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(cause) })
		if err := usercode.Call(ctx, 0, pay, ignores); err != cause {
			t.Errorf("after cancellation the error is %v", err)
		}
		time.Sleep(2 * time.Hour)
	})
}

// TestLimitError: code that reports the end of its context in its own words has timed out.
func TestLimitError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		err := usercode.Call(t.Context(), time.Second, pay, func(ctx context.Context) error {
			<-ctx.Done()

			return errors.New("interrupted")
		})
		var late *runtime.TimeoutError
		if !errors.As(err, &late) {
			t.Errorf("got %v", err)
		}
	})
}

func TestCatch(t *testing.T) {
	var panicked *runtime.PanicError
	if err := usercode.Catch("the observer", func() error { panic(7) }); !errors.As(err, &panicked) || panicked.Where != "the observer" {
		t.Errorf("got %v", err)
	}
	if err := usercode.Catch("the observer", func() error { return nil }); err != nil {
		t.Errorf("got %v", err)
	}
}
