package mcp_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/board"
	"github.com/agentc-dev/agentc/runtime/local"
	"github.com/agentc-dev/agentc/runtime/mcp"
	"github.com/agentc-dev/agentc/runtime/mcp/internal/desk/agents"
)

func TestAgents(t *testing.T) {
	c := connect(t, desk(t, "", board.Options{}), nil)
	c.want("agent_clerk", args{"task": "a bill"}, args{"ok": true, "agent": "clerk", "key": "done", "value": "a bill!"})
	c.want("agent_clerk", args{}, args{"ok": false, "error": "task is required"})
	c.want("agent_letter", args{"task": "thanks", "context": args{"to": "Ada"}}, args{"ok": true, "value": "thanks to Ada!"})
	c.want("agent_letter", args{"task": "thanks", "context": args{"to": 7}}, args{"ok": false, "errorType": "ContextError"})

	reply := c.want("agent_approve", args{"task": "the bill"}, args{"ok": false, "errorType": "PausedError"})
	questions, _ := reply["questions"].([]any)
	if !holds(questions, []any{map[string]any{"id": "approve", "prompt": "the bill!"}}) {
		t.Errorf("the questions are %v", questions)
	}
}

// only is the program with one agent offered, and an engine of the test's.
func only(t *testing.T, agent string, engine func(runtime.Observer) runtime.Engine) *client {
	return connect(t, mcp.NewServer(mcp.Options{Program: agents.New().Program(), Engine: engine, Agent: agent}), nil)
}

func TestOneAgent(t *testing.T) {
	c := only(t, "clerk", scripted(`{"*": [{"error": {"status": 400}}]}`))
	var names []string
	for tool, err := range c.session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	if got := strings.Join(names, " "); got != "agent_clerk orchestrator_info" {
		t.Errorf("the tools are %s", got)
	}
	c.want("agent_clerk", args{"task": "x"}, args{"ok": false, "errorType": "ModelError"})
	c.want("orchestrator_info", args{}, args{"agents": []string{"clerk"}, "blackboard": args{"available": false, "keys": 0}})
}

// slow is a model that answers when the run is cancelled, and says so.
type slow struct{ began, cancelled chan struct{} }

func (s slow) Chat(ctx context.Context, _ runtime.ModelRequest) (runtime.ModelReply, error) {
	close(s.began)
	<-ctx.Done()
	close(s.cancelled)

	return runtime.ModelReply{}, ctx.Err()
}

// A client that cancels its call cancels the run.
func TestCancelledCall(t *testing.T) {
	model := slow{make(chan struct{}), make(chan struct{})}
	c := only(t, "clerk", func(o runtime.Observer) runtime.Engine { return local.New(local.Config{Model: model, Observer: o}) })
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-model.began
		cancel()
	}()
	if _, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: "agent_clerk", Arguments: args{"task": "x"}}); err == nil {
		t.Error("the call has a reply")
	}
	select {
	case <-model.cancelled:
	case <-time.After(10 * time.Second):
		t.Error("the run goes on")
	}
}

func TestProgress(t *testing.T) {
	var mu sync.Mutex
	var told []string
	options := &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, r.Params.Message)
	}}
	c := connect(t, desk(t, "", board.Options{}), options)
	params := &sdk.CallToolParams{Name: "agent_clerk", Arguments: args{"task": "x"}}
	params.SetProgressToken("p")
	if _, err := c.session.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	for range 100 { // the last notification and the reply race to the client
		mu.Lock()
		got := strings.Join(told, "; ")
		mu.Unlock()
		if got == "clerk: finished with done" {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("told: %q", told)
}
