package usercode_test

import (
	"context"
	"errors"
	gort "runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
)

var pay = usercode.Name{Kind: "tool", Name: "pay"}

// code is a function that makes no promise.
type code func(context.Context) error

func (c code) Run(ctx context.Context) error { return c(ctx) }

// promising is code that promises to return when its context ends.
type promising struct{}

func (promising) Interruptible() bool { return true }

// owner keeps what it is notified of.
type owner struct{ broken []usercode.Name }

func (o *owner) ReportBrokenPromise(name usercode.Name) { o.broken = append(o.broken, name) }

// call runs code with a caller of its own.
func call(ctx context.Context, limit time.Duration, c code) error {
	var caller usercode.Caller
	defer caller.Close()
	_, err := caller.Call(ctx, limit, pay, nil, c)

	return err
}

func TestCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	failed := errors.New("no money")
	var caller usercode.Caller // all of them call one after the other
	defer caller.Close()
	var promises usercode.Promises
	for _, c := range []struct {
		name string
		code code
		want string
	}{
		{"succeeds", func(context.Context) error { return nil }, ""},
		{"fails", func(context.Context) error { return failed }, "no money"},
		{"panics", func(context.Context) error { panic("boom") }, "tool pay panicked: boom"},
		{"leaves its goroutine", func(context.Context) error { gort.Goexit(); return nil }, "tool pay panicked: " + usercode.ErrGoexit.Error()},
		{"succeeds after that", func(context.Context) error { return nil }, ""},
	} {
		for _, promise := range []*usercode.Promise{nil, promises.Of(pay, promising{})} {
			for name, ctx := range map[string]context.Context{"that ends": ctx, "that does not end": context.Background()} {
				if c.name == "leaves its goroutine" && (ctx.Done() == nil || promise != nil) {
					continue // it would end the test
				}
				got := ""
				hasReturned, err := caller.Call(ctx, 0, pay, promise, c.code)
				if err != nil {
					got = err.Error()
				}
				if got != c.want || !hasReturned {
					t.Errorf("code that %s, in a context %s: got %q, want %q", c.name, name, got, c.want)
				}
			}
		}
	}
}

// goroutineName returns the name of the goroutine in stack traces, such as "goroutine 7".
func goroutineName() string {
	stack := make([]byte, 64)
	name, _, _ := strings.Cut(string(stack[:gort.Stack(stack, false)]), " [")

	return name
}

// TestCallsShareAGoroutine: calls without a promise run in one goroutine, and those with one in the caller's.
func TestCallsShareAGoroutine(t *testing.T) {
	var promises usercode.Promises
	for _, c := range []struct {
		name     string
		promise  *usercode.Promise
		isCaller bool
	}{{"no promise", nil, false}, {"a promise", promises.Of(pay, promising{}), true}} {
		var caller usercode.Caller
		seen := map[string]int{}
		for range 100 {
			count := code(func(context.Context) error { seen[goroutineName()]++; return nil })
			if _, err := caller.Call(t.Context(), 0, pay, c.promise, count); err != nil {
				t.Fatal(err)
			}
		}
		if isCaller := seen[goroutineName()] == 100; len(seen) != 1 || isCaller != c.isCaller {
			t.Errorf("%s: 100 calls run in the goroutines %v, and the caller's is %s", c.name, seen, goroutineName())
		}
		allocs := testing.AllocsPerRun(100, func() { _, _ = caller.Call(t.Context(), 0, pay, c.promise, nothing) })
		if allocs != 0 {
			t.Errorf("%s: a call allocates %v times", c.name, allocs)
		}
		caller.Close()
	}
}

var nothing = code(func(context.Context) error { return nil })

// TestCallDoesNotWait: code that ignores its context does not hold its caller.
func TestCallDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ignores := func(context.Context) error {
			time.Sleep(time.Hour)

			return nil
		}
		var late *runtime.TimeoutError
		if err := call(t.Context(), time.Second, ignores); !errors.As(err, &late) || late.What != "tool pay" || late.After != time.Second {
			t.Errorf("after its limit the error is %v", err)
		}
		cause := errors.New("stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(cause) })
		if err := call(ctx, 0, ignores); err != cause {
			t.Errorf("after cancellation the error is %v", err)
		}
		time.Sleep(2 * time.Hour)
	})
}

// TestAbandonedCall: the next call does not wait for one that was abandoned.
func TestAbandonedCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var caller usercode.Caller
		defer caller.Close()
		released := false
		hasReturned, err := caller.Call(t.Context(), time.Second, pay, nil, code(func(context.Context) error {
			time.Sleep(time.Hour)
			released = true

			return nil
		}))
		if hasReturned || err == nil {
			t.Errorf("the call is not abandoned: %v", err)
		}
		hasReturned, err = caller.Call(t.Context(), time.Second, pay, nil, nothing)
		if !hasReturned || err != nil {
			t.Errorf("the next call: %v", err)
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if !released {
			t.Error("the abandoned call has not continued")
		}
	})
}

// TestBrokenPromise: code that promises to return and does not is reported once, and then runs as code without a promise.
func TestBrokenPromise(t *testing.T) {
	for _, limit := range []time.Duration{0, time.Second} { // the end of the run, and that of a call's time
		synctest.Test(t, func(t *testing.T) {
			var o owner
			caller := usercode.Caller{Owner: &o}
			defer caller.Close()
			var promises usercode.Promises
			promise := promises.Of(pay, promising{})
			ctx, cancel := context.WithCancel(t.Context())
			if limit == 0 {
				time.AfterFunc(time.Second, cancel)
			}
			defer cancel()
			took := func(of time.Duration, called context.Context) time.Duration {
				start := time.Now()
				_, _ = caller.Call(called, limit, pay, promise, code(func(context.Context) error {
					time.Sleep(of)

					return nil
				}))

				return time.Since(start)
			}
			if got := took(usercode.Grace, ctx); got != usercode.Grace || o.broken != nil {
				t.Errorf("code that returns in time: %v after %v", o.broken, got)
			}
			if limit == 0 {
				ctx, cancel = context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				defer cancel()
			}
			if got := took(time.Hour, ctx); got != time.Hour || len(o.broken) != 1 || o.broken[0] != pay {
				t.Errorf("code that does not: %v after %v", o.broken, got)
			}
			if promises.Of(pay, promising{}) != promise {
				t.Error("the promise is forgotten")
			}
			ctx, cancel = context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			defer cancel()
			if got := took(time.Hour, ctx); got != time.Second || len(o.broken) != 1 {
				t.Errorf("the next call: %v after %v", o.broken, got)
			}
			time.Sleep(2 * time.Hour)
		})
	}
}

// TestEndedContext: code with a promise does not begin after the end of its context.
func TestEndedContext(t *testing.T) {
	var promises usercode.Promises
	var caller usercode.Caller
	defer caller.Close()
	cause := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	_, err := caller.Call(ctx, 0, pay, promises.Of(pay, promising{}), code(func(context.Context) error {
		t.Error("it has begun")

		return nil
	}))
	if err != cause {
		t.Errorf("the error is %v", err)
	}
}

// TestLimitError: code that reports the end of its context in its own words has timed out.
func TestLimitError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		err := call(t.Context(), time.Second, func(ctx context.Context) error {
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
