package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// TestRequest: a request has what was asked for, byte for byte.
func TestRequest(t *testing.T) {
	s := wiretest.Serve(t, sayHello)
	temperature, tokens := 0.25, 64
	r := model.Request{
		Agent: "a", System: "Be \"kind\".", Schema: `{"type":"string"}`,
		Model: &model.Choice{Settings: model.Settings{Temperature: &temperature, MaxTokens: &tokens}},
		Messages: []model.Message{
			{Role: model.RoleUser, Text: "Begin\nnow.\xff"},
			{Role: model.RoleAssistant, Calls: []model.ToolCall{{ID: "c1", Name: "t", Args: ` {"x": [1, "y"]}`}, {ID: "c2", Name: "u"}}},
			{Role: model.RoleTool, CallID: "c1", Name: "t", Text: "found"},
			{Role: model.RoleTool, CallID: "c2", Name: "u", Text: "", Failed: true},
			{Role: model.RoleAssistant, Text: "Well."},
		},
		Tools: []model.Tool{{Name: "t", Description: "Looks <up>.", Schema: `{"type": "object"}`}, {Name: "u"}},
	}
	want := `{"model":"m","messages":[{"role":"system","content":"Be \"kind\"."},{"role":"user","content":"Begin\nnow.\ufffd"},` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":` +
		`" {\"x\": [1, \"y\"]}"}},{"id":"c2","type":"function","function":{"name":"u","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c1","content":"found"},{"role":"tool","tool_call_id":"c2","content":""},` +
		`{"role":"assistant","content":"Well."}],"tools":[{"type":"function","function":{"name":"t","description":"Looks <up>.",` +
		`"parameters":{"type": "object"}}},{"type":"function","function":{"name":"u","description":"","parameters":` +
		`{"type":"object","properties":{}}}}],"temperature":0.25,"max_completion_tokens":64,"response_format":` +
		`{"type":"json_schema","json_schema":{"name":"answer","strict":false,"schema":{"type":"string"}}}`
	m := open(t, s, openai.Options{})
	for _, ask := range []struct {
		delta func(string)
		end   string
	}{{nil, "}"}, {func(string) {}, `,"stream":true,"stream_options":{"include_usage":true}}`}} {
		if _, err := m.Stream(t.Context(), r, ask.delta); err != nil {
			t.Fatal(err)
		}
		lastRequest(t, s)
		all := s.Requests()
		if got := string(all[len(all)-1].Body); got != want+ask.end {
			t.Errorf("got  %s\nwant %s", got, want+ask.end)
		}
	}
}

// TestBoundName: OpenAI calls the bound of a reply by its new name, others by the old one.
func TestBoundName(t *testing.T) {
	tokens := 5
	r := hello()
	r.Model = &model.Choice{Settings: model.Settings{MaxTokens: &tokens}}
	for provider, newer := range map[string]bool{"openai": true, "ollama": false, "any": false} {
		s := wiretest.Serve(t, sayHello)
		if _, err := openAs(t, provider, "m", s.URL, openai.Options{}).Chat(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if got := lastRequest(t, s); (got.MaxCompletion != nil) != newer || (got.MaxTokens != nil) == newer {
			t.Errorf("%s: %+v", provider, got)
		}
	}
}

// TestWhatModelsWroteComesBackInForm: names that are none and arguments that are no objects stand in the conversation so that no
// server refuses it, and still say what the model wrote.
func TestWhatModelsWroteComesBackInForm(t *testing.T) {
	for _, c := range []struct{ name, args, wantName, wantArgs string }{
		{"search", `{"a":1}`, "search", `{"a":1}`},
		{"search", "", "search", "{}"},
		{"search", " \n", "search", "{}"},
		{"search", `[1]`, "search", `{"unreadable":"[1]"}`},
		{"search", `null`, "search", `{"unreadable":"null"}`},
		{"search", `{"a": half`, "search", `{"unreadable":"{\"a\": half"}`},
		{"search", `{"a":1}}`, "search", `{"unreadable":"{\"a\":1}}"}`},
		{"search", "\x00\xff", "search", `{"unreadable":"\u0000\ufffd"}`},
		{"", "{}", "unnamed", "{}"},
		{"functions.search:0", "{}", "functions_search_0", "{}"},
		{"größe", "{}", "gr____e", "{}"},
		{strings.Repeat("n", 70), "{}", strings.Repeat("n", 64), "{}"},
	} {
		s := wiretest.Serve(t, sayHello)
		r := hello()
		call := model.ToolCall{ID: "c", Name: c.name, Args: c.args}
		r.Messages = append(r.Messages, model.Message{Role: model.RoleAssistant, Calls: []model.ToolCall{call}},
			model.Message{Role: model.RoleTool, CallID: "c", Text: "no"})
		if _, err := open(t, s, openai.Options{}).Chat(t.Context(), r); err != nil {
			t.Errorf("%q %q: %v", c.name, c.args, err)
			continue
		}
		f := lastRequest(t, s).Messages[2].Calls[0].Function
		if f.Name != c.wantName || f.Arguments != c.wantArgs || !json.Valid([]byte(f.Arguments)) {
			t.Errorf("%q %q: %q %s", c.name, c.args, f.Name, f.Arguments)
		}
	}
}

// TestSignatures: what comes with a call goes back with it, from another process too, and with no other; Gemini gets its word for those
// that another model has made, and nobody else does.
func TestSignatures(t *testing.T) {
	const extra = `{"google":{"thought_signature":"abc=="}}`
	signed := `{"tool_calls":[{"id":"a","function":{"name":"t","arguments":"{}"},"extra_content":` + extra +
		`},{"id":"b","function":{"name":"t","arguments":"{}"},"extra_content":null}]}`
	const word = `{"google":{"thought_signature":"skip_thought_signature_validator"}}`
	for _, c := range []struct {
		provider, model string
		// known and unknown are what goes back with the calls of a reply, and with those of another process.
		known, unknown string
	}{
		{"gemini", "gemini-3-pro", extra, word},
		{"google", "models/gemini-4", extra, word},
		{"gemini", "gemini-2.5-flash", extra, ""},
		{"gemini", "gemma-3", extra, ""},
		{"any", "gemini-3-pro", extra, ""},
	} {
		for _, delta := range []func(string){nil, func(string) {}} {
			s := wiretest.Serve(t, func(w httpWriter, r *wiretest.Request) {
				if delta != nil {
					wiretest.Events(`{"choices":[{"delta":`+signed+`,"finish_reason":"tool_calls"}]}`, "[DONE]")(w, r)
					return
				}
				message(signed)(w, r)
			})
			m := openAs(t, c.provider, c.model, s.URL, openai.Options{})
			reply, err := m.Stream(t.Context(), hello(), delta)
			if err != nil {
				t.Fatal(err)
			}
			r := hello()
			other := []model.ToolCall{{ID: "x", Name: "t"}, {ID: "y", Name: "t"}}
			if m = openAs(t, c.provider, c.model, s.URL, openai.Options{}); reply.Carry == "" {
				t.Fatal("nothing is carried")
			}
			for i, calls := range [][]model.ToolCall{reply.Calls, other} {
				said := model.Message{Role: model.RoleAssistant, Calls: calls, Carry: reply.Carry}
				if i == 1 {
					said.Carry = []string{"", "no JSON", `["a"]`}[len(c.model)%3]
				}
				r.Messages = append(r.Messages, said)
				for _, call := range calls {
					r.Messages = append(r.Messages, model.Message{Role: model.RoleTool, CallID: call.ID})
				}
			}
			if _, err := m.Chat(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			messages := lastRequest(t, s).Messages
			got := []string{
				string(messages[2].Calls[0].Extra), string(messages[2].Calls[1].Extra),
				string(messages[5].Calls[0].Extra), string(messages[5].Calls[1].Extra),
			}
			if want := []string{c.known, "", c.unknown, ""}; strings.Join(got, "|") != strings.Join(want, "|") {
				t.Errorf("%s %s: %q, want %q", c.provider, c.model, got, want)
			}
		}
	}
}

// TestEmptyConversation: without a system prompt there is no message for it.
func TestEmptyConversation(t *testing.T) {
	s := wiretest.Serve(t, chatwire.Reply(model.Reply{Text: "?"}))
	r := hello()
	r.System = ""
	if _, err := open(t, s, openai.Options{}).Chat(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if messages := lastRequest(t, s).Messages; len(messages) != 1 || messages[0].Role != "user" {
		t.Errorf("%+v", messages)
	}
}
