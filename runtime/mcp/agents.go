package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventtext"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
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

// toolOf returns the name of the tool that runs an agent.
func toolOf(agent string) string { return "agent_" + agent }

// hideAgents leaves out of tools/list the agents that the caller may not start.
func (s *Server) hideAgents(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, r)
		list, isList := result.(*sdk.ListToolsResult)
		if err != nil || !isList {
			return result, err
		}
		who, hidden := s.callerOf(r), map[string]bool{}
		for _, a := range s.runnableAgents() {
			hidden[toolOf(a.Name)] = who.Check(access.Start, access.Target{Agent: a.Name}) != nil
		}
		shown := *list
		shown.Tools, shown.CacheScope = []*sdk.Tool{}, "private" // other callers are shown others
		for _, t := range list.Tools {
			if !hidden[t.Name] {
				shown.Tools = append(shown.Tools, t)
			}
		}

		return &shown, nil
	}
}

// addAgents adds a tool for each agent and workflow that can be started.
func (s *Server) addAgents() {
	for _, a := range s.runnableAgents() {
		t := tool{name: toolOf(a.Name), needs: need(access.Start)}
		t.description = fmt.Sprintf("Run the %s agent %s and wait for its result. %s", a.Pattern, a.Name, a.Description)
		if a.Context == nil {
			addTool(s, t, func(ctx context.Context, c call, in taskInput) (runReply, error) {
				return s.runAgent(ctx, c, client.Start{Agent: a.Name, Input: in.Task}, in.waitInput)
			})
			continue
		}
		addTool(s, t, func(ctx context.Context, c call, in workflowInput) (runReply, error) {
			return s.runAgent(ctx, c, client.Start{Agent: a.Name, Input: in.Task, Context: in.Context}, in.waitInput)
		})
	}
}

// runAgent starts a run and waits for it, or takes answers to the questions that it has sent to the client.
func (s *Server) runAgent(ctx context.Context, c call, in client.Start, wait waitInput) (reply runReply, err error) {
	var before *client.Run
	problems := map[string]string(nil)
	if run := c.request.Params.RequestState; run != "" {
		before, err = s.showRun(ctx, c, run)
		if err != nil {
			return runReply{}, err
		}
		if before.Agent != in.Agent {
			return runReply{}, newArgumentError("requestState", "belongs to a run of another agent: "+before.Agent)
		}
		var answered bool
		answered, problems, err = s.takeAnswers(ctx, c, before)
		if err != nil {
			return runReply{}, err
		}
		if !answered && len(problems) == 0 { // the user does not answer now
			return replyOf(before)
		}
	} else {
		started, err := s.clientFor(c).Start(c.withTrace(ctx), in)
		if err != nil {
			return runReply{}, err
		}
		before = &client.Run{ID: started.ID} // all of its events are to be reported
	}
	shown, err := s.waitForRun(ctx, c, before, wait)
	if err != nil {
		return runReply{}, err
	}
	if shown.Status == client.Paused && len(shown.Questions) > 0 && c.canElicit() {
		return runReply{}, inputFor(shown, problems)
	}

	return replyOf(shown)
}

// newProgressReporter sends progress to a client that asked for it: a line for each state that is entered, and each agent and tool that ends. To a
// client that did not ask it sends nothing. What cannot be sent is left out: the result counts.
func newProgressReporter(ctx context.Context, c call) func(event.Event) {
	token := c.request.Params.GetProgressToken()
	count := 0.0

	return func(e event.Event) {
		message := progressOf(e)
		if token == nil || message == "" {
			return
		}
		count++
		_ = c.request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: count, Message: message})
	}
}

// progressOf describes an event in a line; "" for what is not reported.
func progressOf(e event.Event) string {
	kind := eventkind.Of(string(e.Kind))
	if kind == nil || kind.Report == eventkind.Ignored {
		return ""
	}

	return eventtext.Line(kind.ReportLine, &e)
}
