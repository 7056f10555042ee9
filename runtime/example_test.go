package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// A property that may be absent is a pointer in the generated type; nil leaves it out.
func ExamplePointer() {
	limit := runtime.Pointer(10)
	fmt.Println(*limit)
	// Output: 10
}

// A server hands on where in a distributed trace the run belongs.
func ExampleWithTraceparent() {
	ctx := runtime.WithTraceparent(context.Background(), "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	fmt.Println(runtime.TraceparentFrom(ctx))
	// Output: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
}

// middleware counts the models that are asked: it overrides one method, and keeps all others.
type middleware struct {
	runtime.Effects
	asked *int
}

func (m middleware) Model(r model.Request) (model.Reply, error) {
	*m.asked++

	return m.Effects.Model(r)
}

// TestMiddleware: a struct that embeds Effects keeps budgets and signals, in branches too.
func TestMiddleware(t *testing.T) {
	asked := 0
	program := &compiled.Program{Agents: []compiled.Agent{{Name: "a", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
		defer fx.Limit("a", "", &runtime.Budget{Calls: 2})()
		defer fx.Listen("m", "s", nil)()
		if fx.Watched() {
			t.Error("it is watched without an observer")
		}
		err := fx.Parallel(3, 1, func(_ int, fx runtime.Effects) error {
			_, err := fx.Model(model.Request{Agent: "a"})
			return err
		})
		return runtime.Finish{}, err
	}}}}
	through := program.Through(func(fx runtime.Effects) runtime.Effects { return middleware{fx, &asked} })
	_, err := core.New(core.Config{Script: `{"a": [{"say": "x"}, {"say": "y"}, {"say": "z"}]}`, Partial: true}).Run(t.Context(), through, "a", "")
	var spent *runtime.BudgetError
	if !errors.As(err, &spent) || asked != 3 {
		t.Errorf("%d models were asked, %v", asked, err)
	}
}
