package core_test

import (
	"context"
	"encoding/json"
	"errors"
	goruntime "runtime"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestModelThatIgnoresItsContext does not hold a run that is cancelled.
func TestModelThatIgnoresItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	release := make(chan struct{})
	defer close(release)
	engine := core.New(core.Config{Model: model.ProviderFunc(
		func(context.Context, model.Request) (model.Reply, error) {
			cancel(cause)
			<-release

			return model.Reply{Text: "too late"}, nil
		})})
	fx, err := engine.Effects(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if reply, err := fx.Model(model.Request{Agent: "a"}); !errors.Is(err, cause) {
		t.Errorf("got %+v, %v", reply, err)
	}
}

// TestProviderPanicsAtStart: it is an error before anything runs.
func TestProviderPanicsAtStart(t *testing.T) {
	engine := core.New(core.Config{Providers: map[string]model.Opener{
		"odd": func(model.Model, func(string) (string, bool)) (model.Provider, error) { panic("bang") },
	}})
	p := &compiled.Program{Name: "p", Entry: "a", Agents: []compiled.Agent{{
		Name: "a", Pattern: "oneshot", Model: &model.Choice{Name: "odd:one"},
		Run: func(runtime.Effects, string) (runtime.Finish, error) { return runtime.Finish{}, errors.New("it ran") },
	}}}
	var panicked *runtime.PanicError
	if _, err := engine.Run(t.Context(), p, "", "x"); !errors.As(err, &panicked) || panicked.Where != "the provider odd" {
		t.Errorf("got %v", err)
	}
}

// TestToolLeavesItsGoroutine: where a run can be cancelled, that is a problem of the call.
func TestToolLeavesItsGoroutine(t *testing.T) {
	fx, err := core.New(core.Config{}).Effects(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	result, err := fx.Tool(runtime.ToolCall{
		Tool: &runtime.ToolSpec{Name: "odd"},
		Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
			goruntime.Goexit()

			return runtime.ToolResult{}, nil
		},
	})
	if want := "tool odd panicked: the goroutine was left by runtime.Goexit"; err != nil || result.Problem != want {
		t.Errorf("got %+v, %v", result, err)
	}
}
