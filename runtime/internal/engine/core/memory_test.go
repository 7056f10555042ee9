package core_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// TestOlderMemoryAnswers: a memory tool that is called by its older name answers as it did then.
func TestOlderMemoryAnswers(t *testing.T) {
	fx, err := core.New(core.Config{}).Effects(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ called, args, want string }{
		{"tama_mem_get", `{"key":"nokey"}`, "[no value stored for key 'nokey']"},
		{"mem_get", `{"key":"nokey"}`, `nothing is stored under "nokey"`},
		{"", `{"key":"nokey"}`, `nothing is stored under "nokey"`},
		{"functions.mem_get", `{"key":"nokey"}`, `nothing is stored under "nokey"`},
		{"tama_mem_append", `{"key":"list","item":"a"}`, `["a"]`},
		{"tama_mem_append", `{"key":"list","item":{"b":1}}`, `["a",{"b":1}]`},
		{"mem_append", `{"key":"list","item":"c"}`, `appended to "list", which has 3 items now`},
		{"tama_mem_get", `{"key":"list"}`, `["a",{"b":1},"c"]`},
		{"tama_mem_set", `{"key":"x","value":"1"}`, `stored under "x"`},
		{"tama_mem_append", `{"key":"x","item":"a"}`, `what is stored under "x" is not a list; nothing was changed`},
	} {
		tool := "mem_get"
		if c.called != "" && c.called[0] == 't' {
			tool = c.called[len("tama_"):]
		} else if c.called == "mem_append" {
			tool = c.called
		}
		result, err := fx.Tool(runtime.ToolCall{Called: c.called, Tool: rt.Builtin(tool), Args: json.RawMessage(c.args)})
		if got := result.Text + result.Problem; err != nil || got != c.want {
			t.Errorf("%s(%s): %q, %v", c.called, c.args, got, err)
		}
	}
}

// TestToolsOfTheMemory: the built-in tools that no setting turns on are those of the memory, which
// the engine itself executes.
func TestToolsOfTheMemory(t *testing.T) {
	fx, err := core.New(core.Config{}).Effects(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range rt.Builtins() {
		spec, flow := rt.Builtin(name), rt.BuiltinFlow(name)
		_, err := fx.Tool(runtime.ToolCall{Tool: spec, Called: name, Args: json.RawMessage(`{"key":"k","value":"v","item":"i"}`)})
		isMemory := !errors.Is(err, runtime.ErrNotAvailable)
		if isMemory != (flow.Setting() == "") || isMemory != (flow.Stores || flow.Recalls) {
			t.Errorf("the engine executes %s is %v, and its descriptor says %+v", name, isMemory, flow)
		}
	}
}
