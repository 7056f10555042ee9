package anthropic_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
)

// sent is the request that a server gets, as it is written.
func sent(t *testing.T, r model.Request, vars ...string) []byte {
	t.Helper()
	s := wiretest.Serve(t, sayHello)
	if _, err := open(t, s.URL, anthropic.Options{}, vars...).Chat(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	lastRequest(t, s)

	return s.Requests()[0].Body
}

// everything is a request with all that a request can have.
func everything() model.Request {
	r := called()
	temperature, tokens := 0.5, 100
	r.Model = &model.Choice{Settings: model.Settings{Temperature: &temperature, MaxTokens: &tokens}}
	r.Schema = `{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"],"additionalProperties":false}`
	r.Messages[1].Carry = `{"anthropic":[{"type":"thinking","thinking":"hm","signature":"s"},"I look.",0,` +
		`{"type":"redacted_thinking","data":"abc="},1]}`
	r.Messages = append(r.Messages, model.Message{Role: model.RoleUser, Text: "Go on."})

	return r
}

// TestRequestsAreThoseOfTheSDK: the SDK's types read what is sent, and write the same: i cannot contain anythingt that they do not know, and
// nothing is missing that they demand.
func TestRequestsAreThoseOfTheSDK(t *testing.T) {
	for name, body := range map[string][]byte{
		"plain": sent(t, hello()), "everything": sent(t, everything()),
		"thinking":         sent(t, hello(), "AGENTC_PROVIDER_ANTHROPIC_THINKING", "adaptive"),
		"thinking so much": sent(t, hello(), "AGENTC_PROVIDER_ANTHROPIC_THINKING", "2048"),
		"not thinking":     sent(t, hello(), "AGENTC_PROVIDER_ANTHROPIC_THINKING", "off"),
	} {
		var params sdk.MessageNewParams
		if err := json.Unmarshal(body, &params); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		var got, want map[string]any
		if json.Unmarshal(body, &want) != nil || json.Unmarshal(again, &got) != nil {
			t.Fatal(name)
		}
		if want["stream"] != true {
			t.Errorf("%s: no stream in %s", name, body)
		}
		delete(want, "stream") // a method of its own in the SDK
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\nsent %s\nSDK  %s", name, body, again)
		}
	}
}

// TestMarks: tools, instructions and the conversation are marked, and where it ended a turn before; who has no tools asks once, and only
// the instructions are.
func TestMarks(t *testing.T) {
	for name, c := range map[string]struct {
		request model.Request
		want    []string
	}{
		"a question":        {hello(), []string{"system.0"}},
		"a conversation":    {called(), []string{"tools.1", "system.0", "messages.2.1", "messages.4.1"}},
		"one that goes on":  {everything(), []string{"tools.1", "system.0", "messages.2.1", "messages.4.2"}},
		"one that begins":   {begin(), []string{"tools.1", "system.0", "messages.0.0"}},
		"nothing to say of": {model.Request{Messages: hello().Messages}, nil},
	} {
		s := wiretest.Serve(t, sayHello)
		if _, err := open(t, s.URL, anthropic.Options{}).Chat(t.Context(), c.request); err != nil {
			t.Fatal(err)
		}
		if got := lastRequest(t, s).Marks(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func begin() model.Request {
	r := called()
	r.Messages = r.Messages[:1]

	return r
}

// TestWhatServersRefuse: what a conversation can have and the interface refuses is written so that it does not.
func TestWhatServersRefuse(t *testing.T) {
	r := hello()
	r.Messages[0].Text = " \n"
	warm := 1.7
	r.Model = &model.Choice{Settings: model.Settings{Temperature: &warm}}
	r.Messages = append(r.Messages,
		model.Message{Role: model.RoleAssistant, Text: "\n\n", Calls: []model.ToolCall{
			{ID: "functions.look:0", Name: "functions.look", Args: "[1"}, {ID: "", Name: "", Args: " "},
		}},
		model.Message{Role: model.RoleTool, CallID: "functions.look:0"},
		model.Message{Role: model.RoleTool, CallID: ""},
		model.Message{Role: model.RoleUser, Text: "Well?"},
		model.Message{Role: model.RoleAssistant},
		model.Message{Role: model.RoleUser, Text: "Say something."})
	body := string(sent(t, r)) // a strict server has read it
	has(t, body, `"(nothing)"`, `"functions_look"`, `{"unreadable":"[1"}`, `"temperature":1,`, `"Well?"},{"type":"text","text":"Say`)
	if n := strings.Count(body, `"role":`); n != 3 {
		t.Errorf("%d messages in %s", n, body)
	}
}

// TestCarriedByOthers: what somebody else has carried is left alone, and thoughts stay with a message whose text somebody has changed.
func TestCarriedByOthers(t *testing.T) {
	const thought = `{"type":"thinking","thinking":"hm","signature":"s"}`
	for carry, want := range map[string]string{
		`{"anthropic":[` + thought + `,"I look.",0,1]}`:    `"content":[` + thought + `,{"type":"text","text":"I look."},{"type":"tool_use","id":"old"`,
		`{"anthropic":["I ",0,` + thought + `,"look.",1]}`: `"look","input":{"at": "<it>"}},` + thought + `,{"type":"text","text":"look."},{"type":"tool_use","id":"old2"`,
		`{"anthropic":[` + thought + `,"I looked.",0,1]}`:  `"content":[` + thought + `,{"type":"text","text":"I look."},{"type":"tool_use","id":"old"`,
		`{"anthropic":[` + thought + `,"I look.",0]}`:      `"content":[` + thought + `,{"type":"text","text":"I look."},{"type":"tool_use","id":"old"`,
		`{"anthropic":[` + thought + `,"I look.",1,0]}`:    `"content":[` + thought + `,{"type":"text","text":"I look."},{"type":"tool_use","id":"old"`,
		`{"anthropic":[null,true,[],"\ud800",9]}`:          `"content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"old"`,
		`{"openai":{"reasoning":"hm"}}`:                    `"content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"old"`,
		`no JSON`:                                          `"content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"old"`,
	} {
		r := called()
		r.Messages[1].Carry = carry
		has(t, string(sent(t, r)), want)
	}
}

// TestForms: a schema is sent as servers enforce it, in the order in which it is written; one of which that cannot be made is in the
// instructions.
func TestForms(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"z":{"type":"string","minLength":2,"description":"Z."},"a":{"type":"array","items":{"type":"number"},"minItems":3}},"required":["z"]}`: `{"type":"object","properties":{"z":{"type":"string","description":"Z. {minLength: 2}"},"a":{"type":"array","items":{"type":"number"},"description":"{minItems: 3}"}},"required":["z"],"additionalProperties":false}`,
		`{"type":"object","properties":{"u":{"oneOf":[{"type":"null"},{"type":"string","format":"uuid"}]},"k":{"type":"string","format":"color"}}}`:                            `{"type":"object","properties":{"u":{"anyOf":[{"type":"null"},{"type":"string","format":"uuid"}]},"k":{"type":"string","description":"{format: \"color\"}"}},"additionalProperties":false}`,
		`{"type":"object","properties":{"any":{"type":"object"}}}`:   "",
		`{"type":"object","additionalProperties":{"type":"string"}}`: "",
		`{"type":"array","items":{"type":"string"}}`:                 "",
		`{"type":"object","properties":{"x":true}}`:                  "",
		`{"type":"object","properties":{"x":{"anyOf":[]}}}`:          "",
	} {
		r := hello()
		r.Schema = schema
		s := wiretest.Serve(t, sayHello)
		if _, err := open(t, s.URL, anthropic.Options{}).Chat(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		last := lastRequest(t, s)
		if want == "" {
			if last.OutputConfig != nil || !strings.Contains(last.System[0].Text, schema) {
				t.Errorf("%s: %s", schema, last.Raw)
			}
			continue
		}
		if last.OutputConfig == nil || string(last.OutputConfig.Format.Schema) != want || strings.Contains(last.System[0].Text, "JSON") {
			t.Errorf("%s:\ngot  %s\nwant %s", schema, last.Raw, want)
		}
	}
}

// TestThinking: a model that is told to think is told so, within the bound of the reply, and gets neither temperature nor top_p.
func TestThinking(t *testing.T) {
	for value, want := range map[string]string{
		"adaptive": `"thinking":{"type":"adaptive"}`, "off": `"thinking":{"type":"disabled"}`,
		"4096": `"thinking":{"type":"enabled","budget_tokens":4096}`, "99999": `"budget_tokens":31999}`,
	} {
		r := hello()
		warm, share := 0.8, 0.9
		r.Model = &model.Choice{Settings: model.Settings{Temperature: &warm, TopP: &share}}
		body := string(sent(t, r, "AGENTC_PROVIDER_ANTHROPIC_THINKING", value))
		if has(t, body, want); strings.Contains(body, "temperature") != (value == "off") {
			t.Errorf("%s: %s", value, body)
		}
		if strings.Contains(body, "top_p") != (value == "off") {
			t.Errorf("%s: %s", value, body)
		}
	}
	r := hello()
	few := 1000
	r.Model = &model.Choice{Settings: model.Settings{MaxTokens: &few}}
	if body := string(sent(t, r, "AGENTC_PROVIDER_ANTHROPIC_THINKING", "4096")); strings.Contains(body, "thinking") {
		t.Errorf("thoughts do not fit into %s", body)
	}
}
