package openai_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

const pointSchema = `{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"],"additionalProperties":false}`

// full is a request with everything that a server may not know.
func full() model.Request {
	r := hello()
	temperature, tokens := 0.5, 100
	r.Model = &model.Choice{Settings: model.Settings{Temperature: &temperature, MaxTokens: &tokens}}
	r.Schema = pointSchema

	return r
}

// without refuses requests that have a field, in the words of a server, and answers others.
func without(status int, refusals ...string) wiretest.Answer {
	return func(w httpWriter, r *wiretest.Request) {
		for i := 0; i < len(refusals); i += 2 {
			if strings.Contains(string(r.Body), `"`+refusals[i]+`":`) {
				wiretest.JSON(status, refusals[i+1])(w, r)
				return
			}
		}
		chatwire.Reply(model.Reply{Text: `{"x":1}`})(w, r)
	}
}

// TestWhatAServerDoesNotKnow: it is asked once without what it says that it does not know, and never with it again; what it does
// know stays.
func TestWhatAServerDoesNotKnow(t *testing.T) {
	const openaiSays = `{"error":{"message":"Unsupported value: '%[1]s' does not support 0.5 with this model.",` +
		`"param":"%[1]s","code":"unsupported_value"}}`
	for _, c := range []struct {
		name   string
		answer wiretest.Answer
		// gone are the fields that are left out, stay one that is not.
		gone []string
		stay string
		// requests are those of two calls.
		requests int
	}{
		{
			"a temperature", without(400, "temperature", fmt.Sprintf(openaiSays, "temperature")), []string{"temperature"},
			"response_format", 3,
		},
		{
			"a temperature, in prose", without(400, "temperature", `{"detail":"temperature is not supported with this model"}`),
			[]string{"temperature"}, "response_format", 3,
		},
		{
			"a bound", without(400, "max_completion_tokens", fmt.Sprintf(openaiSays, "max_completion_tokens")),
			[]string{"max_completion_tokens"}, "max_tokens", 3,
		},
		{
			"usage", without(422, "stream_options", `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"]}]}`),
			[]string{"stream_options"}, "temperature", 3,
		},
		{
			"a form", without(400, "response_format", `{"error":"json_schema is not supported"}`), []string{"response_format"},
			"temperature", 3,
		},
		{"a form, without a reason", without(400, "response_format", ``), []string{"response_format"}, "temperature", 3},
		{
			"a form, as a fault", without(500, "response_format", `{"error":"failed to parse grammar"}`),
			[]string{"response_format"}, "temperature", 3,
		},
		{"a form, not yet", without(501, "response_format", `{}`), []string{"response_format"}, "temperature", 3},
		{
			"everything", without(400, "temperature", fmt.Sprintf(openaiSays, "temperature"), "max_completion_tokens",
				fmt.Sprintf(openaiSays, "max_completion_tokens"), "stream_options", `{"error":"unknown field stream_options"}`,
				"response_format", `{}`),
			[]string{"temperature", "max_completion_tokens", "stream_options", "response_format"}, "max_tokens", 6,
		},
	} {
		s := wiretest.Serve(t, c.answer)
		m := open(t, s, openai.Options{})
		for range 2 {
			reply, err := m.Stream(t.Context(), full(), func(string) {})
			if err != nil || reply.Text != `{"x":1}` {
				t.Errorf("%s: %+v, %v", c.name, reply, err)
			}
		}
		all := s.Requests()
		first, last := string(all[0].Body), string(all[len(all)-1].Body)
		if len(all) != c.requests {
			t.Errorf("%s: %d requests", c.name, len(all))
		}
		for _, field := range c.gone {
			if !strings.Contains(first, `"`+field+`":`) || strings.Contains(last, `"`+field+`":`) {
				t.Errorf("%s: %s in\n%s\n%s", c.name, field, first, last)
			}
		}
		if !strings.Contains(last, `"`+c.stay+`":`) {
			t.Errorf("%s: no %s in %s", c.name, c.stay, last)
		}
	}
}

// TestRefusedForAnotherReason: a server that has another reason is not asked again and again, and its reason is told.
func TestRefusedForAnotherReason(t *testing.T) {
	for _, c := range []struct {
		name, says string
		status     int
		schema     bool
		requests   int
	}{
		{
			"a temperature out of range", `{"error":{"message":"temperature must be at most 1","param":"temperature"}}`, 400,
			false, 1,
		},
		{
			"a bound that is too large",
			`{"error":{"message":"max_completion_tokens is too large: this model supports at most 10"}}`, 400, false, 1,
		},
		{"another field", `{"error":{"message":"messages is unknown","param":"messages"}}`, 400, true, 1},
		{"a reason without a name", `{"error":{"message":"no"}}`, 400, true, 2},
		{"too long", `{"error":{"message":"no","code":"context_length_exceeded"}}`, 400, true, 1},
		{"a key", `{"error":{"message":"unsupported temperature"}}`, 401, true, 1},
		{"a rate", `{"error":{"message":"unsupported temperature"}}`, 429, true, 1},
		{"a fault", `{"error":{"message":"unsupported temperature"}}`, 500, true, 1},
	} {
		s := wiretest.Serve(t, wiretest.JSON(c.status, c.says))
		r := full()
		if !c.schema {
			r.Schema = ""
		}
		_, err := open(t, s, openai.Options{}).Chat(t.Context(), r)
		if e := modelError(t, err); e.Status != c.status || len(s.Requests()) != c.requests {
			t.Errorf("%s: %d requests, %v", c.name, len(s.Requests()), err)
		}
	}
}

// TestFormsAreRememberedBySchema: a server that refuses one schema may know another; without the form the schema is in the prompt.
func TestFormsAreRememberedBySchema(t *testing.T) {
	s := wiretest.Serve(t, func(w httpWriter, r *wiretest.Request) {
		if strings.Contains(string(r.Body), `"response_format"`) && strings.Contains(string(r.Body), "hostile") {
			wiretest.JSON(400, `{}`)(w, r)
			return
		}
		sayHello(w, r)
	})
	m := open(t, s, openai.Options{})
	for _, schema := range []string{`{"type":"object","description":"hostile"}`, pointSchema, `{"type":"object","description":"hostile"}`} {
		r := hello()
		r.Schema = schema
		if _, err := m.Chat(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		last := lastRequest(t, s)
		hostile := strings.Contains(schema, "hostile")
		system := *last.Messages[0].Content
		if (last.Format == nil) != hostile || strings.Contains(system, schema) != hostile || !strings.HasPrefix(system, "Be kind.") {
			t.Errorf("%s: %+v, %q", schema, last.Format, system)
		}
	}
	if n := len(s.Requests()); n != 4 {
		t.Errorf("%d requests", n)
	}
}

// TestStrict: a schema is to be enforced word for word only if it is one that servers take for that.
func TestStrict(t *testing.T) {
	const closed = `"additionalProperties":false}`
	one := func(x string) string {
		return `{"type":"object","properties":{"x":` + x + `},"required":["x"],` + closed
	}
	want := map[string]bool{
		pointSchema: true,
		`{"type":"object","properties":{},` + closed:                     true,
		one(`{"type":"array","items":{"type":"string","enum":["a"]}}`):   true,
		one(`{"anyOf":[{"type":"null"},{"$ref":"#/$defs/d"}]}`):          true,
		one(`{"type":"integer","default":1}`):                            false,
		one(`{"anyOf":[true]}`):                                          false,
		one(`{"type":"object"}`):                                         false,
		one(`{"properties":{}}`):                                         false,
		one(`true`):                                                      false,
		one(`{"type":"array","items":[{}]}`):                             false,
		`{"type":"object","properties":{"x":{}},"required":[],` + closed: false,
		`{"type":"object","properties":{"x":{}},"required":["x"]}`:       false,
		`{"type":"object","properties":[],` + closed:                     false,
		`{"type":"object","anyOf":[],"properties":{},` + closed:          false,
		`{"type":"array","items":{"type":"string"}}`:                     false,
		`{}`: false,
	}
	for schema, want := range want {
		s := wiretest.Serve(t, sayHello)
		r := hello()
		r.Schema = schema
		if _, err := open(t, s, openai.Options{}).Chat(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if f := lastRequest(t, s).Format; f.Schema.Strict != want || string(f.Schema.Schema) != schema || f.Type != "json_schema" {
			t.Errorf("%s: %+v", schema, f)
		}
	}
}
