package core_test

import (
	"context"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// dangerous are built-in tools that warn about one of them.
type dangerous struct{}

func (dangerous) Run(context.Context, runtime.ToolCall) (runtime.ToolResult, bool, error) {
	return runtime.ToolResult{}, false, nil
}

func (dangerous) Warning(tool string) string {
	if tool == "bash" {
		return "bash is dangerous"
	}

	return ""
}

// Warnings of the tools that agents have are reported once, and none under a script.
func TestWarnings(t *testing.T) {
	agent := func(name string, tools ...string) compiled.Agent { return compiled.Agent{Name: name, Builtins: tools} }
	for _, test := range []struct {
		agents []compiled.Agent
		script string
		want   []string
	}{
		{agents: []compiled.Agent{agent("a", "http_get"), agent("b")}},
		{agents: []compiled.Agent{agent("a", "bash", "http_get"), agent("b", "bash")}, want: []string{"bash is dangerous"}},
		{agents: []compiled.Agent{agent("a", "bash")}, script: "{}"},
	} {
		p := &compiled.Program{Agents: test.agents, Builtins: func(func(string) (string, bool)) (compiled.BuiltinTools, error) {
			return dangerous{}, nil
		}}
		if got := core.New(core.Config{Script: test.script}).Warnings(p); !slices.Equal(got, test.want) {
			t.Errorf("%+v: %q, want %q", test.agents, got, test.want)
		}
	}
}
