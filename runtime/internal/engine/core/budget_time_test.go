package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// takes is a tool that works for a while, unless it is told to stop.
func takes(clock clock.Clock, d time.Duration) runtime.ToolCall {
	return runtime.ToolCall{
		Agent: "a", Tool: &runtime.ToolSpec{Name: "work"}, Args: json.RawMessage("{}"),
		Run: func(ctx context.Context, _ json.RawMessage) (runtime.ToolResult, error) {
			clock.Sleep(ctx, d)

			return runtime.ToolResult{Text: "done"}, ctx.Err()
		},
	}
}

const minute = `agent "x" has worked 1m0s of at most 1m0s`

// TestTimeEnds: time that runs out ends the effect that is under way, whatever it is, and refuses
// the next.
func TestTimeEnds(t *testing.T) {
	for what, effect := range map[string]func(fx runtime.Effects, clock clock.Clock) error{
		"a sleep": func(fx runtime.Effects, _ clock.Clock) error { return fx.Sleep(time.Hour) },
		"a tool": func(fx runtime.Effects, clock clock.Clock) error {
			_, err := fx.Tool(takes(clock, time.Hour))

			return err
		},
		"a function": func(fx runtime.Effects, clock clock.Clock) error {
			_, err := fx.Call(runtime.FuncCall{Name: "f", Run: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
				clock.Sleep(ctx, time.Hour)

				return nil, ctx.Err()
			}})

			return err
		},
		"a guard": func(fx runtime.Effects, clock clock.Clock) error {
			_, err := fx.Guard(runtime.GuardCall{Name: "g", Run: func(ctx context.Context) (runtime.Verdict, error) {
				clock.Sleep(ctx, time.Hour)

				return runtime.Verdict{}, ctx.Err()
			}})

			return err
		},
		"a model that is asked again": func(fx runtime.Effects, _ clock.Clock) error {
			_, err := fx.Model(model.Request{Agent: "slow"})

			return err
		},
		"two sleeps": func(fx runtime.Effects, _ clock.Clock) error {
			return errors.Join(fx.Sleep(40*time.Second), fx.Sleep(40*time.Second))
		},
	} {
		t.Run(what, func(t *testing.T) {
			clock := clock.NewSkip(time.Unix(0, 0))
			fx := spender(t, core.Config{
				Clock: clock, Retry: model.Retry{Attempts: 100, First: 40 * time.Second, Most: 40 * time.Second},
				Model: model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
					return model.Reply{}, &model.Error{Class: model.Server}
				}),
			})
			end := fx.Limit("x", "", &runtime.Budget{Time: time.Minute})
			wantError(t, effect(fx, clock), minute)
			if got := clock.Now().Sub(time.Unix(0, 0)); got != time.Minute {
				t.Errorf("it ended after %s", got)
			}
			wantError(t, fx.Sleep(0), minute)
			_, err := fx.Ask(runtime.Question{ID: "q"})
			wantError(t, err, minute)
			wantError(t, fx.Parallel(1, 0, func(int, runtime.Effects) error { return nil }), minute)
			end()
			if err := fx.Sleep(time.Hour); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestShortestTime: the budget with the least time left ends an effect, whether it is the inner or
// the outer one.
func TestShortestTime(t *testing.T) {
	fx := spender(t, core.Config{})
	defer fx.Limit("outer", "", &runtime.Budget{Time: time.Minute})()
	inner := fx.Limit("inner", "", &runtime.Budget{Time: 20 * time.Second})
	wantError(t, fx.Sleep(time.Hour), `agent "inner" has worked 20s of at most 20s`)
	inner()
	inner = fx.Limit("inner", "", &runtime.Budget{Time: time.Hour})
	wantError(t, fx.Sleep(time.Hour), `agent "outer" has worked 1m0s of at most 1m0s`)
	inner()
}

// TestPeopleTakeTheirTime: what a person takes does not count, nor what lies between effects.
func TestPeopleTakeTheirTime(t *testing.T) {
	clock := clock.NewSkip(time.Unix(0, 0))
	fx := spender(t, core.Config{Clock: clock, Asker: slowly(func(ctx context.Context) { clock.Sleep(ctx, 72*time.Hour) })})
	defer fx.Limit("x", "", &runtime.Budget{Time: time.Minute})()
	if err := fx.Sleep(30 * time.Second); err != nil {
		t.Error(err)
	}
	if _, err := fx.Ask(runtime.Question{ID: "q"}); err != nil {
		t.Error(err)
	}
	clock.Sleep(t.Context(), time.Hour)
	if err := fx.Sleep(29 * time.Second); err != nil {
		t.Error(err)
	}
	wantError(t, fx.Sleep(time.Hour), minute)
}

// slowly is an asker who does something before the answer.
type slowly func(ctx context.Context)

func (a slowly) Ask(ctx context.Context, _ runtime.Question) (runtime.Answer, error) {
	a(ctx)

	return runtime.Answer{Value: "yes"}, nil
}

// TestSideBySide: what is done side by side counts once.
func TestSideBySide(t *testing.T) {
	clock := clock.NewSkip(time.Unix(0, 0))
	fx := spender(t, core.Config{Clock: clock})
	defer fx.Limit("x", "", &runtime.Budget{Time: time.Minute})()
	begun, may := make(chan bool), make(chan bool)
	wait := runtime.ToolCall{
		Tool: &runtime.ToolSpec{Name: "wait"}, Args: json.RawMessage("{}"),
		Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
			begun <- true
			<-may

			return runtime.ToolResult{}, nil
		},
	}
	go func() {
		for range 4 {
			<-begun
		}
		clock.Sleep(context.Background(), 50*time.Second)
		close(may)
	}()
	err := fx.Parallel(4, 0, func(_ int, fx runtime.Effects) error {
		_, err := fx.Tool(wait)

		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := fx.Sleep(9 * time.Second); err != nil {
		t.Error(err)
	}
	wantError(t, fx.Sleep(2*time.Second), minute)
}

// plainClock is a clock that rings no alarms.
type plainClock struct{ clock.Clock }

// TestClockWithoutAlarms: an effect that has begun ends by itself, and the next one is refused.
func TestClockWithoutAlarms(t *testing.T) {
	fx := spender(t, core.Config{Clock: plainClock{clock.NewSkip(time.Unix(0, 0))}})
	defer fx.Limit("x", "", &runtime.Budget{Time: time.Minute})()
	if err := fx.Sleep(90 * time.Second); err != nil {
		t.Error(err)
	}
	wantError(t, fx.Sleep(0), `agent "x" has worked 1m30s of at most 1m0s`)
}

// TestTimeOfTheSystem: the system's clock ends what hangs, too.
func TestTimeOfTheSystem(t *testing.T) {
	fx, err := core.New(core.Config{Model: model.ProviderFunc(says)}).Effects(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer fx.Limit("x", "", &runtime.Budget{Time: 5 * time.Millisecond})()
	_, err = fx.Tool(runtime.ToolCall{
		Tool: &runtime.ToolSpec{Name: "hang"}, Args: json.RawMessage("{}"),
		Run: func(ctx context.Context, _ json.RawMessage) (runtime.ToolResult, error) {
			<-ctx.Done()

			return runtime.ToolResult{}, ctx.Err()
		},
	})
	var spent *runtime.BudgetError
	if !errors.As(err, &spent) || spent.Limit != wording.LimitTime || spent.Spent < spent.Max {
		t.Errorf("it ended with %v", err)
	}
}

// TestLongWaits: a provider that asks for a day does not get it.
func TestLongWaits(t *testing.T) {
	clock := clock.NewSkip(time.Unix(0, 0))
	for _, c := range []struct {
		after, longest time.Duration
		turns          int
	}{{24 * time.Hour, 0, 1}, {5 * time.Minute, 0, 3}, {5*time.Minute + 1, 0, 1}, {24 * time.Hour, 48 * time.Hour, 3}} {
		turns := 0
		fx := spender(t, core.Config{
			Clock: clock, Retry: model.Retry{Attempts: 3, Longest: c.longest},
			Model: model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
				turns++

				return model.Reply{}, &model.Error{Class: model.RateLimit, Status: 429, RetryAfter: c.after}
			}),
		})
		_, err := fx.Model(model.Request{Agent: "a"})
		var failed *model.Error
		if errs.Has(err, "LongWaitError") != (c.turns == 1) || !errors.As(err, &failed) || turns != c.turns {
			t.Errorf("%s: %d turns, %v", c.after, turns, err)
		}
		if c.turns == 1 && !isCoded(err, "LongWaitError", "asks to wait for "+wording.Wait(c.after)) {
			t.Errorf("%s: %v", c.after, err)
		}
	}
}
