package runtime_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/local"
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

// TestOptionalEffects: the engine keeps budgets, and says that nothing observes.
func TestOptionalEffects(t *testing.T) {
	engine, err := local.New(local.Config{}).Effects(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var fx runtime.Effects = engine
	if keeps, ok := fx.(runtime.BudgetDoor); !ok {
		t.Error("the engine keeps no budgets")
	} else {
		keeps.Limit("agent", "", &runtime.Budget{Calls: 1})()
	}
	if watcher, ok := fx.(runtime.Watcher); !ok || watcher.Watched() {
		t.Error("the engine is watched without an observer")
	}
}
