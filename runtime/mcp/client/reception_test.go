package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/mcp/internal/reception/agents"
	"github.com/agentc-dev/agentc/runtime/model"
)

// withDesk puts the server of internal/reception where its command is found.
func withDesk(t *testing.T) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(program, filepath.Join(bin, deskServer)); err != nil {
		t.Skip(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("DESK_TOKEN", "token-of-the-desk")
}

// clerk is a model that reads the skill, calls the tool with the arguments, and finishes with what that says.
func clerk(args string) model.ProviderFunc {
	return func(_ context.Context, r model.Request) (model.Reply, error) {
		call := model.ToolCall{ID: "1", Name: "read_skill", Args: `{"name":"desk"}`}
		last := r.Messages[len(r.Messages)-1]
		switch {
		case last.Name == "read_skill":
			call = model.ToolCall{ID: "2", Name: "desk_greet", Args: args}
		case last.Name == "desk_greet":
			text, _ := json.Marshal(map[string]string{"key": "done", "value": last.Text})
			call = model.ToolCall{ID: "3", Name: "finish", Args: string(text)}
		case last.Role != model.RoleUser:
			return model.Reply{}, errors.New("an unexpected message: " + last.Text)
		}

		return model.Reply{Calls: []model.ToolCall{call}, StopReason: model.ReasonCalls}, nil
	}
}

// A compiled project calls the tools of its server.
func TestReception(t *testing.T) {
	withDesk(t)
	for args, want := range map[string]string{
		`{"name":"Ada"}`: `{"greeting":"Hello, Ada!"}`,
		`{"nam":"Ada"}`:  "The arguments of desk_greet do not fit: ",
	} {
		engine := core.New(core.Config{Model: clerk(args)})
		finish, err := agents.New().Run(t.Context(), engine, "Ada")
		if err != nil || !strings.Contains(finish.Value, want) {
			t.Errorf("%s: %+v, %v", args, finish, err)
		}
	}
}

// The types of what a tool takes and gives are there for tests and guards.
func TestTypesOfTools(t *testing.T) {
	in, err := json.Marshal(agents.DeskGreetInput{Name: "Ada"})
	if err != nil || string(in) != `{"name":"Ada"}` {
		t.Errorf("%s, %v", in, err)
	}
	var out agents.DeskGreetOutput
	if err := json.Unmarshal([]byte(`{"greeting":"Hello"}`), &out); err != nil || out.Greeting != "Hello" {
		t.Errorf("%+v, %v", out, err)
	}
}

// Nothing is asked of a model if the server cannot be used, or offers something else.
func TestReceptionWithoutServer(t *testing.T) {
	model := model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
		t.Error("a model was asked")

		return model.Reply{}, nil
	})
	t.Setenv("DESK_TOKEN", "token-of-the-desk")
	_, err := agents.New().Run(t.Context(), core.New(core.Config{Model: model}), "Ada")
	if runtime.ErrorType(err) != "StartError" || !strings.Contains(err.Error(), "("+deskServer+")") {
		t.Errorf("without the server the run ends with %v", err)
	}
}

// Under a script no server is started: its tools are answered by the script.
func TestReceptionUnderScript(t *testing.T) {
	script := `{"clerk": [
		{"call": {"name": "read_skill", "args": {"name": "desk"}}},
		{"call": {"name": "desk_greet", "args": {"name": "Ada"}}},
		{"finish": {"key": "done", "value": "greeted"}}
	]%s}`
	t.Setenv("DESK_TOKEN", "token-of-the-desk")
	answered := strings.Replace(script, "%s", `, "tools": {"desk_greet": [{"result": {"greeting": "Hello"}}]}`, 1)
	if finish, err := agents.New().Run(t.Context(), core.Scripted(answered, core.Config{}), "Ada"); err != nil || finish.Value != "greeted" {
		t.Errorf("%+v, %v", finish, err)
	}
	_, err := agents.New().Run(t.Context(), core.Scripted(strings.Replace(script, "%s", "", 1), core.Config{}), "Ada")
	var unanswered *runtime.ScriptError
	if !errors.As(err, &unanswered) || unanswered.Name != "desk_greet" {
		t.Errorf("without an answer the run ends with %v", err)
	}
}
