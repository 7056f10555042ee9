package recording_test

import (
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
	"github.com/agentc-dev/agentc/runtime/internal/testing/golden"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestExample: the recording that README.md shows is what is written, and is played.
func TestExample(t *testing.T) {
	zero := 0.0
	ask := func(messages ...model.Message) model.Request {
		return model.Request{
			Agent: "clerk", System: "Look the order up.", Messages: messages,
			Model: &model.Choice{Role: "worker", Name: "openai:gpt-5-mini", Settings: model.Settings{Temperature: &zero}},
			Tools: []model.Tool{{Name: "find_order", Schema: `{"type":"object"}`}},
		}
	}
	call := []model.ToolCall{{ID: "call_9fQx", Name: "find_order", Args: `{"id":7}`}}
	begin := user("Where is order 7?")
	run := []made{
		{at: "1", request: ask(begin), err: &model.Error{Class: model.RateLimit, Status: 429, Message: "slow down", RetryAfter: 2e9}},
		{at: "1", request: ask(begin), reply: model.Reply{
			Calls: call, StopReason: "tool_calls", Usage: model.Usage{Input: 41, Output: 9}, Model: "openai:gpt-5-mini",
		}},
		{at: "3", request: ask(begin, model.Message{Role: model.RoleAssistant, Calls: call},
			model.Message{Role: model.RoleTool, CallID: "call_9fQx", Name: "find_order", Text: "in Genoa"}), reply: model.Reply{
			Text: "It is in Genoa.", StopReason: "stop", Usage: model.Usage{Input: 60, Output: 6, Cached: 41}, Model: "openai:gpt-5-mini",
		}},
	}
	path, kept := filepath.Join(t.TempDir(), "r.jsonl"), filepath.Join("testdata", "example.jsonl")
	record(t, path, run)
	golden.Compare(t, kept, contentOf(t, path))
	example, err := recording.ReadFile(kept)
	if err != nil || example.Len() != 3 {
		t.Fatal(err)
	}
	p := example.Play(nil)
	for _, m := range run {
		reply, err := p.Model(&m.request, m.at)
		if (err == nil) != (m.err == nil) || reply.Text != m.reply.Text || reply.Usage != m.reply.Usage {
			t.Errorf("%+v %v", reply, err)
		}
	}
}
