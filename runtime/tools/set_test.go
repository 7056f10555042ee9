package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// echo is a kind that gives its name back.
type echo struct {
	name string
	err  error
}

func (e echo) Open(env func(string) (string, bool)) (map[string]Tool, error) {
	return map[string]Tool{e.name: func(ctx context.Context, call runtime.ToolCall) (runtime.ToolResult, error) {
		home, _ := env("HOME")

		return runtime.ToolResult{Text: e.name + string(call.Args) + home}, nil
	}}, e.err
}

func call(name, args string) runtime.ToolCall {
	return runtime.ToolCall{Agent: "clerk", Tool: rt.Builtin(name), Args: json.RawMessage(args)}
}

func TestNothingIsOnByDefault(t *testing.T) {
	set, err := On()(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range rt.Builtins() {
		_, ok, err := set.Run(context.Background(), call(name, `{}`))
		if strings.HasPrefix(name, "mem_") {
			if ok || err != nil {
				t.Errorf("%s: %v, %v", name, ok, err)
			}

			continue
		}
		calls := fmt.Sprintf("agent %q calls tool %q,", "clerk", name)
		if !ok || runtime.ErrorType(err) != "OffError" || !strings.HasPrefix(err.Error(), calls) || !errors.Is(err, runtime.ErrNotAvailable) {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
	}

	_, _, err = set.Run(context.Background(), call("files_read", `{"path":"x"}`))
	const want = `agent "clerk" calls tool "files_read", which the project has not turned on: add files: {root: ./workspace} to agentc.yaml`
	if err == nil || err.Error() != want {
		t.Errorf("said %v", err)
	}
}

func TestRun(t *testing.T) {
	set, err := On(echo{name: "files_read"})(func(name string) (string, bool) { return name + "!", true })
	if err != nil {
		t.Fatal(err)
	}
	got, ok, err := set.Run(context.Background(), call("files_read", `{"path":"x"}`))
	if want := `files_read{"path":"x"}HOME!`; got.Text != want || !ok || err != nil {
		t.Errorf("got %+v, %v, %v", got, ok, err)
	}

	got, ok, err = set.Run(context.Background(), call("files_read", `{"path":1}`))
	if want := "The arguments of files_read do not fit: path: found 1, expected text"; got.Problem != want || !ok || err != nil {
		t.Errorf("got %+v, %v, %v", got, ok, err)
	}

	// A typed tool may have the name of a built-in one.
	own := &runtime.ToolSpec{Name: "files_read"}
	if _, ok, err := set.Run(context.Background(), runtime.ToolCall{Tool: own}); ok || err != nil {
		t.Errorf("a typed tool: %v, %v", ok, err)
	}

	ended := errors.New("ended")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(ended)
	if _, ok, err := set.Run(ctx, call("files_read", `{"path":"x"}`)); !ok || !errors.Is(err, ended) {
		t.Errorf("after the end: %v, %v", ok, err)
	}
}

func TestNewRefuses(t *testing.T) {
	broken := &runtime.BadSettingError{Name: "files.root", Value: "x", Problem: "is not a folder"}
	if _, err := On(echo{name: "bash"}, echo{name: "files_read", err: broken})(nil); !errors.Is(err, broken) {
		t.Errorf("a bad setting: %v", err)
	}
	var bad *runtime.BadSettingError
	if _, err := On(echo{name: "bash"}, echo{name: "bash"})(nil); !errors.As(err, &bad) || bad.Value != "bash" {
		t.Errorf("twice the same: %v", err)
	}
}
