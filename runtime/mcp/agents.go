package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime"
)

// TaskInput are the arguments of an agent.
type TaskInput struct {
	Task string `json:"task" jsonschema:"what the agent is to do"`
	Claim
}

func (in TaskInput) check() error { return required("task", in.Task) }

// WorkflowInput are the arguments of a workflow.
type WorkflowInput struct {
	TaskInput
	Context json.RawMessage `json:"context,omitempty" jsonschema:"the initial context, an object"`
}

// FinishReply is how an agent ended.
type FinishReply struct {
	OK    bool   `json:"ok" jsonschema:"whether it was done"`
	Agent string `json:"agent" jsonschema:"the agent that ran"`
	Key   string `json:"key" jsonschema:"the word by which the agent says how it ended"`
	// Value is a text, or what the agent gave as JSON.
	Value json.RawMessage `json:"value" jsonschema:"the result"`
}

// addAgents adds a tool for each agent and workflow that can be started.
func (s *Server) addAgents() {
	for _, a := range s.runnable() {
		t := tool{name: "agent_" + a.Name}
		t.description = fmt.Sprintf("Run the %s agent %s and wait for its result. %s", a.Pattern, a.Name, a.Description)
		if a.Context == nil {
			add(s, t, func(ctx context.Context, c call, in TaskInput) (FinishReply, error) {
				return s.run(ctx, c, s.options.Program, a.Name, in.Task)
			})
			continue
		}
		add(s, t, func(ctx context.Context, c call, in WorkflowInput) (FinishReply, error) {
			p := s.options.Program
			if len(in.Context) > 0 {
				var err error
				if p, err = p.WithContext(a.Name, in.Context); err != nil {
					return FinishReply{}, err
				}
			}
			return s.run(ctx, c, p, a.Name, in.Task)
		})
	}
}

// run runs an agent on an engine of its own. A client that cancels the call cancels the run.
func (s *Server) run(ctx context.Context, c call, p *runtime.Program, agent, task string) (FinishReply, error) {
	from, _ := c.request.Params.Meta["traceparent"].(string)
	ctx = runtime.WithTraceparent(ctx, from)
	fin, err := s.options.Engine(newReporter(ctx, c)).Run(ctx, p, agent, task)
	if err != nil {
		return FinishReply{}, err
	}
	value := json.RawMessage(fin.Value)
	if !fin.JSON {
		value = encode(fin.Value)
	}

	return FinishReply{OK: true, Agent: agent, Key: fin.Key, Value: value}, nil
}

// reporter tells a client that asked for it how far a run is: a line for each state that is entered, and each agent and tool that
// ends. What cannot be told is not told: the result counts.
type reporter struct {
	ctx     context.Context
	session *sdk.ServerSession
	token   any

	mu    sync.Mutex
	count float64
}

// newReporter returns nil for a client that did not ask.
func newReporter(ctx context.Context, c call) runtime.Observer {
	token := c.request.Params.GetProgressToken()
	if token == nil {
		return nil
	}

	return &reporter{ctx: ctx, session: c.request.Session, token: token}
}

// Observe implements runtime.Observer.
func (r *reporter) Observe(e runtime.Event) {
	message := progressOf(e)
	if message == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	_ = r.session.NotifyProgress(r.ctx, &sdk.ProgressNotificationParams{ProgressToken: r.token, Progress: r.count, Message: message})
}

// progressOf says what happened in a line; "" for what is not told.
func progressOf(e runtime.Event) string {
	switch e.Kind {
	case runtime.EventEnter:
		return e.Machine + ": " + e.State
	case runtime.EventTool:
		return e.Agent + ": tool " + e.Name
	case runtime.EventFinish:
		return e.Agent + ": finished with " + e.Key
	case runtime.EventRetry:
		return fmt.Sprintf("%s: attempt %d failed, again in %v: %s", e.Agent, e.Count, e.Wait, e.Problem)
	}

	return ""
}
