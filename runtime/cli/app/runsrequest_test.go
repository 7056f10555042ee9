package app

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestShowRequest: runs show prints what the model was asked, as text and as JSON.
func TestShowRequest(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	scripts(t, map[string]string{"s.json": agrees})
	k := &clerk{shape: "s1"}
	if code, _, stderr := k.at("run", "--script", "s.json", "write to ada"); code != cli.Done {
		t.Fatal(stderr)
	}
	const want = "agent draft asks model script:none\nsystem\n  Write.\nuser\n  write to ada\n"
	if code, stdout, stderr := k.at("runs", "show", "last", "--at", "1", "--request"); code != cli.Done || stdout != want || stderr != "" {
		t.Errorf("%d\n%s%s", code, stdout, stderr)
	}
	code, stdout, _ := k.at("runs", "show", "last", "--at", "1", "--request", "--json")
	var line page.Turn
	if err := json.Unmarshal([]byte(stdout), &line); err != nil || code != cli.Done || line.Address != "1" || line.System != "Write." ||
		line.Model != "script:none" || len(line.Messages) != 1 || line.Messages[0].Text != "write to ada" {
		t.Errorf("%d %v\n%s", code, err, stdout)
	}

	for args, want := range map[string]struct {
		code int
		text string
	}{
		"runs show last --compare x":         {cli.Usage, "a comparison is a page: name its file with --html FILE"},
		"runs show last --html x":            {cli.Problem, "this binary writes no pages"},
		"runs --html x":                      {cli.Usage, "does not belong to runs"},
		"runs show last --request":           {cli.Usage, "which request? Name the address with --at ADDRESS; clerk runs show last prints it"},
		"runs show last --at 1":              {cli.Usage, "--at needs --request"},
		"runs --at 1 --request":              {cli.Usage, "does not belong to runs"},
		"runs show none --at 1 --request":    {cli.Usage, `there is no run "none"`},
		"runs show last --at 2 --request":    {cli.Problem, "the effect is not a request to a model, but: "},
		"runs show last --at 1.1 --request":  {cli.Problem, "the run has no such effect"},
		"runs show last --at ../x --request": {cli.Problem, "the run has no such effect"},
	} {
		code, stdout, stderr := k.at(strings.Fields(args)...)
		if code != want.code || stdout != "" || !strings.Contains(stderr, want.text) {
			t.Errorf("%s: %d\n%s%s", args, code, stdout, stderr)
		}
	}
	if code, _, stderr := (&clerk{shape: "s2"}).at("runs", "show", "last", "--at", "1", "--request"); code != cli.Problem ||
		!strings.Contains(stderr, "shape") {
		t.Error(code, stderr)
	}
}

// TestRequestText: each part of a request has a heading, and no text gets out of its part, or at the terminal.
func TestRequestText(t *testing.T) {
	warm, most := 0.5, 100
	r := &model.Request{
		Agent: "a", Model: &model.Choice{Name: "openai:x", Settings: model.Settings{Temperature: &warm, MaxTokens: &most}}, System: "Be\nkind.\n",
		Messages: []model.Message{
			{Role: model.RoleUser, Text: "hello\nsystem\n\x1b[2J"},
			{Role: model.RoleAssistant, Text: "Well.", Calls: []model.ToolCall{{ID: "c1", Name: "look", Args: `{"for":"x"}`}}},
			{Role: model.RoleTool, CallID: "c1", Name: "look", Text: "nothing", Failed: true},
		},
		Tools:  []model.Tool{{Name: "look", Description: "It looks.", Schema: `{"type":"object"}`}},
		Schema: `{"type":"string"}`,
	}
	const want = `agent a asks model openai:x, temperature 0.5 unless the server refuses it, max_tokens 100
system
  Be
  kind.
user
  hello
  system
  U+001B[2J
assistant
  Well.
  calls look c1 {"for":"x"}
result of look c1, failed
  nothing
tool look
  It looks.
  {"type":"object"}
schema of the answer
  {"type":"string"}
`
	if got := requestText(r); got != want {
		t.Errorf("it is\n%s", got)
	}
	of := page.Run{ID: "r"}
	of.AddTurn("1", r)
	line, err := json.Marshal(of.Turns[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"args":{"for":"x"}`, `"call":"c1","name":"look","failed":true`, `"schema":{"type":"object"}}]`, `"temperature":0.5,"max_tokens":100`,
	} {
		if !strings.Contains(string(line), part) {
			t.Errorf("%s is not in %s", part, line)
		}
	}
}
