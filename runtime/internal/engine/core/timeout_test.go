package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestTimeout: a call of a model or a function that takes longer than it may is a TimeoutError,
// whether it minds its context or not; the run goes on.
func TestTimeout(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	llm := func(ctx context.Context, r model.Request) (model.Reply, error) {
		switch r.Agent {
		case "minds":
			<-ctx.Done()

			return model.Reply{}, &model.Error{Class: model.Network, Err: ctx.Err()}
		case "ignores":
			<-release
		}

		return model.Reply{Text: "in time"}, nil
	}
	for name, ctx := range map[string]context.Context{"cancellable": t.Context(), "not": context.Background()} {
		fx, err := core.New(core.Config{Model: model.ProviderFunc(llm)}).Effects(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, agent := range []string{"minds", "ignores"} {
			_, err := fx.Model(model.Request{Agent: agent, Timeout: time.Millisecond})
			var late *runtime.TimeoutError
			if !errors.As(err, &late) || late.What != "the model of agent "+agent || late.After != time.Millisecond {
				t.Errorf("%s, %s: %v", name, agent, err)
			}
		}
		reply, err := fx.Model(model.Request{Agent: "fast", Timeout: time.Hour})
		if err != nil || reply.Text != "in time" {
			t.Errorf("%s: %+v, %v", name, reply, err)
		}
		_, err = fx.Call(runtime.FuncCall{Name: "pkg:slow", Timeout: time.Millisecond,
			Run: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
				<-ctx.Done()

				return nil, errors.New("interrupted")
			}})
		if want := "function pkg:slow took longer than 1ms"; err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTimeoutAndCancellation: what cancels the run is its end, and no timeout.
func TestTimeoutAndCancellation(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	fx, err := core.New(core.Config{Model: model.ProviderFunc(
		func(ctx context.Context, _ model.Request) (model.Reply, error) {
			cancel(cause)
			<-ctx.Done()

			return model.Reply{}, ctx.Err()
		})}).Effects(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fx.Model(model.Request{Agent: "a", Timeout: time.Hour}); err != cause {
		t.Errorf("got %v", err)
	}
}

// TestFunctionsUnderAScript: a section answers for a function, and each name in it is one that the
// program calls.
func TestFunctionsUnderAScript(t *testing.T) {
	p := &compiled.Program{Name: "p", Funcs: []string{"pkg.mod:score"}, Agents: []compiled.Agent{{Name: "a", Questions: []string{"approve"}}}}
	const script = `{"funcs":{"pkg.mod:score":[{"result":{"n":1}},{"result":"text"},{"error":"no connection"}]},"ask":{"approve":[]}}`
	fx, err := core.New(core.Config{Script: script}).Effects(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	call := func() string {
		result, err := fx.Call(runtime.FuncCall{Name: "pkg.mod:score"})
		if err != nil {
			return err.Error()
		}

		return string(result.Value)
	}
	for _, want := range []string{`{"n":1}`, `"text"`, `function "pkg.mod:score": no connection`,
		`script, funcs, "pkg.mod:score": ran out: the list has 3 answers, and one more is asked for`} {
		if got := call(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}

	_, err = core.New(core.Config{Script: `{"funcs":{"pkg.mod:scored":[]}}`}).Effects(t.Context(), p)
	if err == nil || !strings.Contains(err.Error(), `there is no function "pkg.mod:scored" (did you mean "pkg.mod:score"?); there are pkg.mod:score`) {
		t.Errorf("an unknown function: %v", err)
	}
}

// TestArgumentsUnderAScript: an argument that the function could not read fails the call, and takes
// no answer.
func TestArgumentsUnderAScript(t *testing.T) {
	fx, err := core.New(core.Config{Script: `{"funcs":{"pay":[{"result":"paid"}]}}`}).Effects(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	errArgument := errors.New("amount is required, but missing")
	call := runtime.FuncCall{Name: "pay", Args: json.RawMessage(`{}`), CheckArgs: func(args json.RawMessage) error {
		if string(args) == `{}` {
			return errArgument
		}
		return nil
	}}
	if _, err := fx.Call(call); !errors.Is(err, errArgument) || err.Error() != `function "pay": amount is required, but missing` {
		t.Errorf("got %v", err)
	}
	call.Args = json.RawMessage(`{"amount":1}`)
	if result, err := fx.Call(call); err != nil || string(result.Value) != `"paid"` {
		t.Errorf("got %s, %v", result.Value, err)
	}
}

// TestTurnsForAFunction: turns for a function, or for a workflow that calls no model, are answers
// in the wrong section.
func TestTurnsForAFunction(t *testing.T) {
	p := &compiled.Program{Funcs: []string{"t:pay"}, Agents: []compiled.Agent{{Name: "pay", Pattern: "workflow"}, {Name: "hand"}}}
	const under = `; functions are answered under "funcs", with {"result": VALUE}`
	for script, want := range map[string]string{
		`{"t:pay":[{"say":3}]}`:           `script, "t:pay": "t:pay" is a function` + under,
		`{"pay":[{"say":3}]}`:             `script, "pay": agent "pay" calls no model itself` + under,
		`{"funcs":{"t:pay":[{"say":3}]}}`: `script, funcs, "t:pay", turn 1: unknown field "say": there are result, error`,
		`{"hand":[{"say":3}]}`:            "<nil>",
	} {
		_, err := core.New(core.Config{Script: script}).Effects(t.Context(), p)
		if got := fmt.Sprint(err); got != want {
			t.Errorf("%s: got %s, want %s", script, got, want)
		}
	}
}
