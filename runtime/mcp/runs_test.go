package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/mcp"
	"github.com/agentc-dev/agentc/runtime/mcp/internal/desk/agents"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// asking is a script of agent approve, which asks and then says what it was answered.
const asking = `{"approve": [{"finish": {"key": "done", "value": "May I?"}}], "approve/resume": [{"finish": {"key": "filed", "value": "ok"}}]}`

// server serves the agents of internal/desk from a store.
func server(t testing.TB, store journal.Store, o mcp.Options) *mcp.Server {
	o.Program, o.Runs = agents.New().Program(), runsOf(t, asking, store)

	return mcp.NewServer(o)
}

// A run that waits for a person is found and answered by the server that has started it, by the next one, and by any client.
func TestAnswer(t *testing.T) {
	store := journal.Files(t.TempDir())
	c := connect(t, server(t, store, mcp.Options{}), nil)
	paused := c.want("agent_approve", args{"task": "the bill"}, args{"ok": true, "status": "paused", "agent": "approve"})
	run := paused["run"].(string)
	question, _ := paused["questions"].([]any)[0].(map[string]any)
	if question["question"] != "approve" || question["prompt"] != "May I?" || question["address"] == "" {
		t.Errorf("the questions are %v", paused["questions"])
	}
	if next := fmt.Sprint(paused["next"]); next != `[run_answer {"run":"`+run+`","question":"approve","value":"…"}]` {
		t.Errorf("next: %s", next)
	}

	for _, other := range []*visitor{c, connect(t, server(t, store, mcp.Options{}), nil)} {
		other.want("run_status", args{"run": run}, args{"ok": true, "status": "paused", "input": "the bill", "questions": paused["questions"]})
		other.want("run_answer", args{"run": run, "question": "other", "value": "yes"}, args{"ok": false, "errorType": "UnknownQuestionError"})
		other.want("run_answer", args{"run": run, "question": "approve"}, args{"ok": false, "errorType": "ArgumentError"})
		other.want("run_answer", args{"run": "none", "question": "approve", "value": "yes"}, args{"ok": false, "errorType": "UnknownRunError"})
	}
	next := connect(t, server(t, store, mcp.Options{}), nil)
	next.want("run_answer", args{"run": run, "question": "approve#" + question["address"].(string), "value": "yes", "agent_id": "ada"},
		args{"ok": true, "run": run, "status": "done", "result": result("filed", "ok")})
	next.want("run_answer", args{"run": run, "question": "approve", "value": "no"}, args{"ok": false, "errorType": "AnsweredError"})
	read, err := journal.Read(t.Context(), store, run)
	if err != nil {
		t.Fatal(err)
	}
	by := ""
	for i := range read.Records {
		if name, _ := read.Records[i].Get("by"); read.Records[i].Type == journal.Answer {
			by = name
		}
	}
	if by != "ada" {
		t.Errorf("the answer is by %q", by)
	}
}

// A run that the command run has begun is answered over MCP.
func TestRunFromElsewhere(t *testing.T) {
	store := journal.Memory()
	e := core.Scripted(asking, core.Config{Store: store, RunID: func() string { return "r1" }})
	if _, err := e.Run(t.Context(), agents.New().Program(), "approve", "x"); core.Questions(err) == nil {
		t.Fatal(err)
	}
	c := connect(t, server(t, store, mcp.Options{Caller: access.Named("head")}), nil)
	c.want("run_status", args{"run": "r1"}, args{"status": "paused", "by": nil})
	c.want("run_answer", args{"run": "r1", "question": "approve", "value": "yes"}, args{"ok": true, "status": "done"})
}

// The holder of a token sees and answers what it has started, and an operator everything.
func TestWhoMayAnswer(t *testing.T) {
	known, err := access.Parse("test", "head="+headToken+" clerk="+clerkToken+" boss=boss-0123456789abcdef")
	if err == nil {
		err = known.AddOperators("boss")
	}
	if err != nil {
		t.Fatal(err)
	}
	store := journal.Memory()
	url := httpServer(t, server(t, store, mcp.Options{}), known.Lookup).URL
	clerk, head, boss := dial(t, at(url, clerkToken), nil), dial(t, at(url, headToken), nil), dial(t, at(url, "boss-0123456789abcdef"), nil)
	run := clerk.want("agent_approve", args{"task": "x"}, args{"status": "paused"})["run"]
	for tool, in := range map[string]args{
		"run_status": {"run": run}, "run_cancel": {"run": run}, "run_answer": {"run": run, "question": "approve", "value": "yes"},
	} {
		reply := head.want(tool, in, args{"ok": false, "errorType": "UnknownRunError"})
		in["run"] = "none"
		other := head.want(tool, in, args{"ok": false, "errorType": "UnknownRunError"})
		if a, b := reply["error"].(string), other["error"].(string); strings.ReplaceAll(a, run.(string), "none") != b {
			t.Errorf("%s tells a run of another from one that does not exist: %s, %s", tool, a, b)
		}
	}
	clerk.want("run_status", args{"run": run}, args{"status": "paused", "by": "clerk"})
	boss.want("run_status", args{"run": run}, args{"status": "paused"})
	clerk.want("run_answer", args{"run": run, "question": "approve", "value": "yes", "agent_id": "boss"}, args{"ok": false, "errorType": "IdentityError"})
	boss.want("run_answer", args{"run": run, "question": "approve", "value": "yes"}, args{"ok": true, "status": "done"})
}

// elicited is a client whose user answers, time after time.
func elicited(t *testing.T, at sdk.Transport, version string, asked *[]string, answers ...*sdk.ElicitResult) *visitor {
	options := &sdk.ClientOptions{ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		*asked = append(*asked, r.Params.Message)
		if len(answers) == 0 {
			return nil, errors.New("nobody answers")
		}
		answer := answers[0]
		answers = answers[1:]

		return answer, nil
	}}

	return dialVersion(t, at, options, version)
}

// A client of a version with input_required has its user asked, over lines and over HTTP, by a server that may be another than the
// one that asked; any other gets the question as the result.
func TestElicitation(t *testing.T) {
	accept := &sdk.ElicitResult{Action: "accept", Content: map[string]any{"answer": "yes"}}
	for name, test := range map[string]struct {
		version string
		answers []*sdk.ElicitResult
		status  string
		asked   int
	}{
		"accepted":        {"", []*sdk.ElicitResult{accept}, "done", 1},
		"declined":        {"", []*sdk.ElicitResult{{Action: "decline"}}, "paused", 1},
		"an older client": {"2025-11-25", []*sdk.ElicitResult{accept}, "paused", 0},
	} {
		t.Run(name, func(t *testing.T) {
			store := journal.Memory()
			var asked []string
			s := server(t, store, mcp.Options{})
			there, here := sdk.NewInMemoryTransports()
			if err := s.Connect(t.Context(), there); err != nil {
				t.Fatal(err)
			}
			pipe := elicited(t, here, test.version, &asked, test.answers...)
			pipe.want("agent_approve", args{"task": "x"}, args{"ok": true, "status": test.status})
			overHTTP := elicited(t, at(httpServer(t, s, nil).URL, ""), test.version, &asked, test.answers...)
			overHTTP.want("agent_approve", args{"task": "x"}, args{"ok": true, "status": test.status})
			if got := strings.Join(asked, ","); got != strings.TrimSuffix(strings.Repeat("May I?,", 2*test.asked), ",") {
				t.Errorf("asked: %s", got)
			}
		})
	}
	without := connect(t, server(t, nil, mcp.Options{}), nil)
	without.want("agent_approve", args{"task": "x"}, args{"ok": true, "status": "paused"})
}

// What a client sends back with answers gives it no right: it has to be a run of the agent that the client may answer.
func TestRequestState(t *testing.T) {
	known, err := access.Parse("test", "head="+headToken+" clerk="+clerkToken)
	if err == nil {
		err = known.AddOperators("clerk")
	}
	if err != nil {
		t.Fatal(err)
	}
	url := httpServer(t, server(t, journal.Memory(), mcp.Options{}), known.Lookup).URL
	clerk, head := dial(t, at(url, clerkToken), nil), dial(t, at(url, headToken), nil)
	run := clerk.call("agent_approve", args{"task": "x"})["run"].(string)
	answers := sdk.InputResponseMap{"approve": &sdk.ElicitResult{Action: "accept", Content: map[string]any{"answer": "yes"}}}
	for _, test := range []struct {
		c           *visitor
		tool, state string
		want        string
	}{
		{head, "agent_approve", run, "UnknownRunError"},
		{clerk, "agent_approve", "../x", "UnknownRunError"},
		{clerk, "agent_clerk", run, "ArgumentError"},
		{clerk, "agent_approve", run, `"status":"done"`},
	} {
		result, err := test.c.session.CallTool(t.Context(), &sdk.CallToolParams{
			Name: test.tool, Arguments: args{"task": "x"}, RequestState: test.state, InputResponses: answers,
		})
		if err != nil {
			t.Fatal(err)
		}
		if text := result.Content[0].(*sdk.TextContent).Text; !strings.Contains(text, test.want) {
			t.Errorf("%s %s: %s", test.tool, test.state, text)
		}
	}
}

// A run that was cancelled has no open question, and takes no answer.
func TestCancelledTakesNoAnswer(t *testing.T) {
	c := connect(t, server(t, journal.Memory(), mcp.Options{}), nil)
	run := c.want("agent_approve", args{"task": "the bill"}, args{"ok": true, "status": "paused"})["run"]
	c.want("run_cancel", args{"run": run}, args{"ok": true})
	c.want("run_status", args{"run": run}, args{"ok": true, "status": "cancelled", "questions": []any{}})
	c.want("run_answer", args{"run": run, "question": "approve", "value": "yes"}, args{"ok": false, "errorType": "RunEndedError"})
}
