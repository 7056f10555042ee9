package mcp_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/mcp"
	"github.com/agentc-dev/agentc/runtime/mcp/internal/desk/agents"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/board"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

func TestAgents(t *testing.T) {
	c := connect(t, desk(t, "", board.Options{}), nil)
	c.want("agent_clerk", args{"task": "a bill"}, args{"ok": true, "agent": "clerk", "result": result("done", "a bill!")})
	c.want("agent_clerk", args{}, args{"ok": false, "error": "task is required"})
	letter := c.want("agent_letter", args{"task": "thanks", "context": args{"to": "Ada"}}, args{"ok": true})
	if of := letter["result"].(map[string]any); of["value"] != "thanks to Ada!" {
		t.Errorf("the letter is %v", of)
	}
	c.want("agent_letter", args{"task": "thanks", "context": args{"to": 7}}, args{"ok": false, "errorType": "ContextError"})
}

// only is the program with one agent offered.
func only(t *testing.T, agent string, runs *serve.Server) *visitor {
	return connect(t, mcp.NewServer(mcp.Options{Program: agents.New().Program(), Runs: runs, Agent: agent}), nil)
}

func TestOneAgent(t *testing.T) {
	c := only(t, "clerk", runsOf(t, `{"*": [{"error": {"status": 400}}]}`, nil))
	var names []string
	for tool, err := range c.session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	if got := strings.Join(names, " "); got != "agent_clerk orchestrator_info run_answer run_cancel run_status" {
		t.Errorf("the tools are %s", got)
	}
	failed := c.want("agent_clerk", args{"task": "x"}, args{"ok": false, "errorType": "ModelError"})
	c.want("run_status", args{"run": failed["run"]}, args{"ok": true, "status": "failed", "input": "x"})
	c.want("orchestrator_info", args{}, args{"agents": []string{"clerk"}, "blackboard": args{"available": false, "keys": 0}})
}

// slow is a model that answers when it may.
type slow struct {
	began, may chan struct{}
	// stopped is closed when the run is told to stop.
	stopped chan struct{}
}

func newSlow() slow { return slow{make(chan struct{}, 64), make(chan struct{}), make(chan struct{})} }

func (s slow) Chat(ctx context.Context, r model.Request) (model.Reply, error) {
	s.began <- struct{}{}
	select {
	case <-s.may:
		return model.Reply{Text: r.Input + "!", Model: "test:slow"}, nil
	case <-ctx.Done():
		return model.Reply{}, context.Cause(ctx)
	}
}

func (s slow) runs(t *testing.T, store journal.Store) *serve.Server {
	return runsOn(t, store, core.Config{Model: s, Stop: func(string, error) { close(s.stopped) }})
}

// A client that cancels its call cancels the run.
func TestCancelledCall(t *testing.T) {
	model := newSlow()
	store := journal.Memory()
	c := only(t, "clerk", model.runs(t, store))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-model.began
		cancel()
	}()
	if _, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: "agent_clerk", Arguments: args{"task": "x"}}); err == nil {
		t.Error("the call has a reply")
	}
	<-model.stopped
	c.want("run_cancel", args{"run": theRun(t, store)}, args{"ok": true}) // at once, as it is to stop already
	c.want("run_status", args{"run": theRun(t, store), "wait": 60}, args{"status": "cancelled"})
}

// A client that leaves without that ends nothing: the run goes on, and others find it.
func TestClientLeaves(t *testing.T) {
	for name, connect := range map[string]func(*testing.T, *mcp.Server) *visitor{
		"pipe":               func(t *testing.T, s *mcp.Server) *visitor { return connect(t, s, nil) },
		"HTTP":               func(t *testing.T, s *mcp.Server) *visitor { return overHTTP(t, s, "") },
		"HTTP with sessions": func(t *testing.T, s *mcp.Server) *visitor { return overHTTP(t, s, "2025-06-18") },
	} {
		t.Run(name, func(t *testing.T) {
			model, store := newSlow(), journal.Memory()
			s := mcp.NewServer(mcp.Options{Program: agents.New().Program(), Runs: model.runs(t, store)})
			c := connect(t, s)
			go func() {
				result, err := c.session.CallTool(context.Background(), &sdk.CallToolParams{Name: "agent_clerk", Arguments: args{"task": "x"}})
				if err == nil && !result.IsError {
					t.Error("the call has a reply")
				}
			}()
			<-model.began
			c.leave()
			other, run := connect(t, s), theRun(t, store)
			other.want("run_status", args{"run": run}, args{"ok": true, "status": "running"})
			close(model.may)
			other.want("run_status", args{"run": run, "wait": 60}, args{"ok": true, "status": "done", "result": result("done", "x!")})
		})
	}
}

// A run that a call does not wait for goes on, as many as there are places for.
func TestBackground(t *testing.T) {
	model := newSlow()
	runs := serve.New(serve.Options{Program: agents.New().Program(), MaxRuns: 1, Engine: engine.Options{Model: model}})
	defer runs.CloseNow()
	c := only(t, "clerk", runs)
	reply := c.want("agent_clerk", args{"task": "x", "wait": 0}, args{"ok": true, "status": "running", "agent": "clerk"})
	c.want("agent_clerk", args{"task": "y"}, args{"ok": false, "errorType": "TooManyRunsError"})
	c.want("agent_clerk", args{"task": "y", "wait": -1}, args{"ok": false, "errorType": "ArgumentError"})
	close(model.may)
	c.want("run_status", args{"run": reply["run"], "wait": 60}, args{"ok": true, "status": "done", "result": result("done", "x!"), "input": "x"})
}

// theRun is the only run of a store.
func theRun(t *testing.T, store journal.Store) string {
	t.Helper()
	names, err := store.List(t.Context(), journal.Query{})
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}

	return names[0]
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
