package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/access"
	"github.com/agentc-dev/agentc/runtime/client"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/spell"
	"github.com/agentc-dev/agentc/runtime/internal/wire"
)

// taskInput are the arguments of an agent.
type taskInput struct {
	Task string `json:"task" jsonschema:"what the agent is to do"`
	waitInput
	claimant
}

// workflowInput are the arguments of a workflow.
type workflowInput struct {
	taskInput
	Context json.RawMessage `json:"context,omitempty" jsonschema:"the initial context, an object"`
}

// addAgents adds a tool for each agent and workflow that can be started.
func (s *Server) addAgents() {
	for _, a := range s.runnable() {
		t := tool{name: "agent_" + a.Name, needs: need(access.Start)}
		t.description = fmt.Sprintf("Run the %s agent %s and wait for its result. %s", a.Pattern, a.Name, a.Description)
		if a.Context == nil {
			add(s, t, func(ctx context.Context, c call, in taskInput) (runReply, error) {
				return s.runAgent(ctx, c, wire.Start{Agent: a.Name, Input: in.Task}, in.waitInput)
			})
			continue
		}
		add(s, t, func(ctx context.Context, c call, in workflowInput) (runReply, error) {
			return s.runAgent(ctx, c, wire.Start{Agent: a.Name, Input: in.Task, Context: in.Context}, in.waitInput)
		})
	}
}

// runAgent starts a run and waits for it, or takes answers to the questions that it has sent to the client.
func (s *Server) runAgent(ctx context.Context, c call, in wire.Start, wait waitInput) (reply runReply, err error) {
	run, problems := c.request.Params.RequestState, map[string]string(nil)
	follow := s.following(run)
	if run != "" {
		open, err := s.show(ctx, c, run)
		if err != nil {
			return runReply{}, err
		}
		if open.Agent != in.Agent {
			return runReply{}, wrong("requestState", "is that of a run of another agent: "+open.Agent)
		}
		var answered bool
		if answered, problems, err = s.takeAnswers(ctx, c, open); err != nil {
			return runReply{}, err
		}
		if !answered && len(problems) == 0 { // the user does not answer now
			return replyOf(open)
		}
	} else if run, follow, err = s.options.Runs.Start(in, c.who, c.traceparent()); err != nil {
		return runReply{}, err
	}
	shown, err := s.wait(ctx, c, run, follow, wait)
	if err != nil {
		return runReply{}, err
	}
	if shown.Status == client.Paused && len(shown.Questions) > 0 && c.elicits() {
		return runReply{}, inputFor(shown, problems)
	}

	return replyOf(shown)
}

// reporter sends progress to a client that asked for it: a line for each state that is entered, and each agent and tool that ends. It
// returns nil for a client that did not ask. What cannot be sent is left out: the result counts.
func reporter(ctx context.Context, c call) func(line []byte) {
	token := c.request.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	count := 0.0

	return func(line []byte) {
		message := progressOf(line)
		if message == "" {
			return
		}
		count++
		_ = c.request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: count, Message: message})
	}
}

// progressOf describes an event in a line; "" for what is not reported.
func progressOf(line []byte) string {
	var e struct {
		Event, Agent, Machine, State, Name, Key, Error, Wait string
		Attempt                                              int
	}
	_ = json.Unmarshal(line, &e) // of the other kinds some fields are of other types
	switch event.Kind(e.Event) {
	case event.Enter:
		return e.Machine + ": " + e.State
	case event.Tool:
		return e.Agent + ": tool " + e.Name
	case event.Finish:
		return e.Agent + ": finished with " + e.Key
	case event.Retry:
		return fmt.Sprintf("%s: attempt %d failed, again in %s: %s", e.Agent, e.Attempt, spell.Written(e.Wait), e.Error)
	}

	return ""
}
