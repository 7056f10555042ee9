package rt_test

import (
	"encoding/json"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/model"
)

// capture is a door that keeps the first request and then refuses.
type capture struct {
	base
	request model.Request
}

func (c *capture) Model(request model.Request) (model.Reply, error) {
	c.request = request

	return model.Reply{}, &model.Error{Class: model.Other}
}

func (c *capture) Watched() bool { return false }

// firstRequest is what an agent asks its model first at a place.
func firstRequest(spec *rt.ReactSpec, at ...rt.Place) model.Request {
	fx := &capture{}
	_, _ = spec.Run(fx, nil, "the task", at...) // capture's own error

	return fx.request
}

// TestFinishSchemas compares the schemas of finish at every kind of place, byte for byte.
func TestFinishSchemas(t *testing.T) {
	const value = `"value":{"type":"string","description":"The result, whole."}`
	outer := rt.Closed("outer", "inner", "publish", "escalate")
	number := &rt.OutputSpec{Schema: `{"type":"number"}`, Check: checkNumber}
	for _, c := range []struct {
		name   string
		at     rt.Place
		keys   []string
		output *rt.OutputSpec
		want   string
	}{
		{
			name: "closed", at: rt.Closed("m", "s", "good-enough", "needs-work"),
			want: `{"type":"object","properties":{"key":{"type":"string","enum":["good-enough","needs-work"],` +
				`"description":"Decides what happens next."},` + value + `},"required":["key","value"],"additionalProperties":false}`,
		},
		{
			name: "closed by the machine around it", at: rt.Closed("inner", "last", "again", "publish").Or(outer),
			want: `{"type":"object","properties":{"key":{"type":"string","enum":["again","publish","escalate"],` +
				`"description":"Decides what happens next."},` + value + `},"required":["key","value"],"additionalProperties":false}`,
		},
		{
			name: "open", at: rt.Closed("m", "s", "say \"hi\"", "b").Or(rt.Place{}),
			want: `{"type":"object","properties":{"key":{"type":"string","description":` +
				`"Decides what happens next. Known keys: \"say \\\"hi\\\"\", \"b\". Any other text is possible."},` +
				value + `},"required":["key","value"],"additionalProperties":false}`,
		},
		{
			name: "open without keys", at: rt.Open("m", "s"),
			want: `{"type":"object","properties":{"key":{"type":"string","description":"Decides what happens next: any text."},` +
				value + `},"required":["key","value"],"additionalProperties":false}`,
		},
		{
			name: "free", at: rt.Place{},
			want: `{"type":"object","properties":{"key":{"type":"string",` +
				`"description":"Optional here: done, if nothing else is asked for."},` +
				value + `},"required":["value"],"additionalProperties":false}`,
		},
		{
			name: "declared keys and output", at: rt.Place{}, keys: []string{"kept"}, output: number,
			want: `{"type":"object","properties":{"key":{"type":"string","enum":["kept"],"description":"Decides what happens next."},` +
				`"value":{"type":"number"}},"required":["key","value"],"additionalProperties":false}`,
		},
		{
			name: "an output that contains itself", at: rt.Closed("m", "s", "ok"),
			output: &rt.OutputSpec{Schema: `{"properties":{"next":{"$ref":"#"},"of":{"$ref":"#/$defs/A"}},"$defs":{"A":{}}}`, Check: checkNumber},
			want: `{"type":"object","properties":{"key":{"type":"string","enum":["ok"],"description":"Decides what happens next."},` +
				`"value":{"properties":{"next":{"$ref":"#/properties/value"},"of":{"$ref":"#/properties/value/$defs/A"}},"$defs":{"A":{}}}},` +
				`"required":["key","value"],"additionalProperties":false}`,
		},
	} {
		spec := testAgent()
		spec.Keys, spec.Output = c.keys, c.output
		for range 3 {
			tools := firstRequest(spec, c.at).Tools
			if got := tools[1].Schema; tools[1].Name != "finish" || got != c.want {
				t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
			}
			if !json.Valid([]byte(tools[1].Schema)) {
				t.Errorf("%s: not JSON", c.name)
			}
		}
	}
}

// TestOtherSchemas compares what stands before and after finish.
func TestOtherSchemas(t *testing.T) {
	tools := firstRequest(testAgent(), rt.Place{}).Tools
	want := map[string]string{
		"start": `{"type":"object","properties":{},"additionalProperties":false}`,
		"read_skill": `{"type":"object","properties":{"name":{"type":"string","enum":["web","memory"]}},` +
			`"required":["name"],"additionalProperties":false}`,
	}
	if len(tools) != 3 || tools[0].Schema != want["start"] || tools[2].Schema != want["read_skill"] {
		t.Errorf("got %+v", tools)
	}
}

// TestSystemPrompt: the same text at every place, so that providers can cache it.
func TestSystemPrompt(t *testing.T) {
	const want = `You are a.

## Skills

Before you use a skill, call read_skill with its name: it returns the instructions and unlocks the skill's tools.

- web: Looks things up. In the web.
- memory: Remembers.

## How to begin and end

Call start first: it returns your task. Work with the tools that you have; each call is answered with a result.
When you are done, call finish once, with a key that says how it ended and the whole result as value.`
	for _, at := range []rt.Place{rt.Place{}, rt.Open("m", "s"), rt.Closed("m", "s", "a")} {
		if got := firstRequest(testAgent(), at).System; got != want {
			t.Errorf("got\n%s", got)
		}
	}
}

// TestBuiltins: every built-in tool has a schema that is JSON, and checks it.
func TestBuiltins(t *testing.T) {
	fits := map[string]string{
		"bash": `{"command":"ls"}`, "files_read": `{"path":"a"}`, "files_write": `{"path":"a","content":""}`,
		"http_get": `{"url":"http://x","headers":{"a":"b"}}`, "http_post": `{"url":"u","body":"b"}`,
		"mem_get": `{"key":"k"}`, "mem_set": `{"key":"k","value":{"any":1}}`, "mem_append": `{"key":"k","item":1}`,
	}
	if len(fits) != len(rt.Builtins()) {
		t.Fatalf("there are %q", rt.Builtins())
	}
	for _, name := range rt.Builtins() {
		spec := rt.Builtin(name)
		if spec == nil || spec.Name != name || !spec.Builtin || !json.Valid([]byte(spec.Input)) {
			t.Fatalf("%s: %+v", name, spec)
		}
		if err := spec.Check(json.RawMessage(fits[name])); err != nil {
			t.Errorf("%s refuses %s: %v", name, fits[name], err)
		}
		for _, bad := range []string{`{}`, `[]`, `null`, `{"x":1}`, `{"key":1,"url":1,"path":1,"command":1}`} {
			if spec.Check(json.RawMessage(bad)) == nil {
				t.Errorf("%s takes %s", name, bad)
			}
		}
		if got := rt.Builtin("tama_" + name); got != spec {
			t.Errorf("tama_%s is %v", name, got)
		}
	}
	if got := rt.Builtin("tama_search"); got != nil {
		t.Errorf("tama_search is %v", got)
	}
}
