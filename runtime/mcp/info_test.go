package mcp_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/mcp/internal/desk/agents"
	"github.com/agentc-dev/agentc/runtime/stores/board"
)

func TestInfo(t *testing.T) {
	c := connect(t, desk(t, "head", board.Options{}), nil)
	c.want("fsm_transition", fire("case/7", "open", "head"), args{"ok": true})
	c.want("blackboard_write", args{"key": "a", "value": 1}, args{"ok": true})
	program := agents.New().Program()
	if program.Text == program.TextHash() {
		t.Error("the agents have no texts")
	}
	reply := c.want("orchestrator_info", args{}, args{
		"ok": true, "program": program.Name, "shape": program.Shape, "text": program.TextHash(), "identity": "head",
		"agents": []string{"approve", "clerk", "letter"}, "blackboard": args{"available": true, "keys": 3},
	})
	var seen []string
	for _, m := range reply["machines"].([]any) {
		m := m.(map[string]any)
		seen = append(seen, m["fsmId"].(string)+" "+m["state"].(string))
	}
	if got := strings.Join(seen, ", "); got != "case new, case/7 opened" {
		t.Errorf("the machines are %s", got)
	}
}

// Every tool has schemas, and what tools reply fits them, whether they did it or not.
func TestSchemas(t *testing.T) {
	c := connect(t, desk(t, "head", board.Options{}), nil)
	run := c.call("agent_approve", args{"task": "x"})["run"]
	calls := map[string][]args{
		"fsm_transition": {{"fsm_id": "case", "key": "open", "agent_id": "head"}, {"fsm_id": "case", "key": "burn", "agent_id": "head"},
			{"fsm_id": "case", "key": "open", "agent_id": "head"}},
		"fsm_state":        {{"fsm_id": "case"}},
		"fsm_pending":      {{}, {"fsm_id": "case"}},
		"fsm_ack":          {{"fsm_id": "case", "entries": []int{1, 99}}},
		"fsm_history":      {{"fsm_id": "case"}, {"fsm_id": "case/2"}},
		"fsm_snapshot":     {{"fsm_id": "case"}},
		"blackboard_write": {{"key": "a", "value": nil}, {"key": "a", "value": args{}, "ttl": 1}, {"key": "fsm:x", "value": 1}},
		"blackboard_read":  {{"key": "a"}, {"key": "b"}}, "blackboard_list": {{}},
		"blackboard_delete": {{"key": "a"}}, "blackboard_exists": {{"key": "a"}}, "orchestrator_info": {{}},
		"run_status": {{"run": run}, {"run": "none"}}, "run_answer": {{"run": run, "question": "approve", "value": "yes"}, {"run": run, "question": "x", "value": args{"a": 1}}},
		"run_cancel":  {{"run": run}, {"run": "../x"}},
		"agent_clerk": {{"task": "x"}}, "agent_approve": {{"task": "x"}}, "agent_letter": {{"task": "x", "context": args{"to": "Ada"}}},
	}
	order := []string{
		"fsm_transition", "fsm_state", "fsm_history", "fsm_pending", "fsm_ack", "fsm_snapshot", "blackboard_write", "blackboard_read", "blackboard_list",
		"blackboard_exists", "blackboard_delete", "orchestrator_info", "agent_clerk", "agent_approve", "agent_letter",
		"run_status", "run_answer", "run_cancel",
	}
	tools := map[string]*sdk.Tool{}
	for tool, err := range c.session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		tools[tool.Name] = tool
	}
	if len(tools) != len(order) {
		t.Errorf("%d tools, want %d", len(tools), len(order))
	}
	for _, name := range order {
		tool := tools[name]
		if tool == nil || tool.Description == "" || tool.InputSchema == nil || tool.OutputSchema == nil {
			t.Errorf("%s is not described: %+v", name, tool)
			continue
		}
		in, out := resolved(t, tool.InputSchema), resolved(t, tool.OutputSchema)
		for _, arguments := range append(calls[name], args{"nonsense": 1}) {
			fits := in.Validate(map[string]any(arguments)) == nil
			if reply := c.call(name, arguments); out.Validate(reply) != nil {
				t.Errorf("%s %v replies %v: %v", name, arguments, reply, out.Validate(reply))
			} else if reply["ok"] == true && !fits {
				t.Errorf("%s takes %v, against its schema", name, arguments)
			}
			if _, nonsense := arguments["nonsense"]; !fits != nonsense {
				t.Errorf("%s: whether %v fits the schema is %v", name, arguments, fits)
			}
		}
	}
}

func resolved(t *testing.T, schema any) *jsonschema.Resolved {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(s, jsonschema.Schema{}) {
		t.Errorf("the schema says nothing: %s", text)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}

	return r
}
