package otel_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/otel"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestInterrupted: the pause of a run whose process was killed in the midst of a call names the call, and has no text of its arguments,
// not even where texts are sent.
func TestInterrupted(t *testing.T) {
	t.Setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
	args := json.RawMessage(`{"to":"an argument that nobody may see"}`)
	spec := &runtime.ToolSpec{Name: "pay", Input: `{"type":"object"}`, Effect: runtime.EffectExternal}
	for kind, call := range map[string]func(fx runtime.Effects, during func()) error{
		"gen_ai.tool.name": func(fx runtime.Effects, during func()) error {
			_, err := fx.Tool(runtime.ToolCall{
				Agent: "clerk", ID: "1", Tool: spec, Args: args,
				Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
					during()

					return runtime.ToolResult{}, nil
				},
			})

			return err
		},
		"agentc.function.name": func(fx runtime.Effects, during func()) error {
			_, err := fx.Call(runtime.FuncCall{
				Name: "pay", Args: args,
				Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
					during()

					return json.RawMessage("1"), nil
				},
			})

			return err
		},
	} {
		t.Run(kind, func(t *testing.T) {
			store, killed := journal.Memory(), journal.Memory()
			during := func() { copyRun(t, killed, store) }
			p := &compiled.Program{
				Name: "shop", Entry: "clerk", Shape: "s", Text: "t", Parts: []compiled.Part{otel.Part{}},
				Agents: []compiled.Agent{{Name: "clerk", Pattern: "oneshot", Run: func(fx runtime.Effects, _ string) (runtime.Finish, error) {
					return runtime.Finish{Key: "done"}, call(fx, during)
				}}},
			}
			config := core.Config{Store: store, RunID: func() string { return "r1" }}
			if _, err := core.New(config).Run(t.Context(), p, "", "x"); err != nil {
				t.Fatal(err)
			}
			closed()

			r := newReceiver(t)
			export(t, r)
			config.Store = killed
			if _, err := core.New(config).Resume(t.Context(), p, "r1", core.ResumeOptions{}); len(core.Questions(err)) != 1 {
				t.Fatal(err)
			}
			closed()
			checkPause(t, r, kind)
		})
	}
}

// checkPause wants one pause, which names the interrupted call.
func checkPause(t *testing.T, r *receiver, kind string) {
	t.Helper()
	want := map[string]string{
		kind: "pay", "agentc.question.name": "unknown:pay", "agentc.effect.address": "1", "agentc.call.idempotency_key": "r1/1",
	}
	if kind == "gen_ai.tool.name" {
		want["gen_ai.agent.name"] = "clerk"
	}
	pauses := 0
	for _, s := range r.spans {
		for _, e := range s.Events {
			if e.Name != "agentc.pause" {
				continue
			}
			pauses++
			for name, value := range want {
				if got := attributeOf(e.Attributes, name); got != value {
					t.Errorf("%s is %q, and not %q", name, got, value)
				}
			}
			for _, a := range e.Attributes {
				if strings.Contains(valueOf(a.Value), "nobody may see") {
					t.Errorf("%s has the arguments", a.Key)
				}
			}
		}
	}
	if pauses != 1 {
		t.Errorf("there are %d pauses:\n%s", pauses, r.tree())
	}
}

// copyRun copies the journal as it is now.
func copyRun(t *testing.T, to, from journal.Store) {
	t.Helper()
	r, err := from.Read(t.Context(), "r1")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	file, err := to.Create(t.Context(), "r1")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Append(content); err != nil {
		t.Fatal(err)
	}
}
