package otel_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// hidden is in every text of the run that is not a name.
const hidden = "nobody may see"

// TestNoContent: nothing that a person, a model or a tool has written leaves the process, nor what errors say.
func TestNoContent(t *testing.T) {
	for name, config := range map[string]core.Config{"done": {Asker: boss{}}, "paused": {}, "failed": {Model: failing}} {
		r := newReceiver(t)
		export(t, r)
		_, err := run(t, config)
		if (err == nil) != (name == "done") {
			t.Fatal(name, err)
		}
		if strings.Contains(r.wire(), hidden) || strings.Contains(r.wire(), "no such tool, says the model") {
			t.Errorf("%s: a text was sent", name)
		}
	}
}

// TestContent: on request it does, but for what is secret.
func TestContent(t *testing.T) {
	t.Setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
	t.Setenv("DESK_API_KEY", "a thing that nobody may see")
	r := newReceiver(t)
	export(t, r)
	if _, err := run(t, core.Config{Asker: boss{}}); err != nil {
		t.Fatal(err)
	}
	chats := r.named("chat gpt-x")
	last := chats[len(chats)-1].Attributes
	if got, want := attributeOf(last, "gen_ai.output.messages"),
		`[{"role":"assistant","parts":[{"type":"text","content":"a text that nobody may see"}],"finish_reason":"stop"}]`; got != want {
		t.Errorf("got %s", got)
	}
	in := attributeOf(last, "gen_ai.input.messages")
	for _, want := range []string{
		`{"type":"tool_call","id":"c2","name":"look","arguments":{"for":"b"}}`,
		`{"role":"tool","parts":[{"type":"tool_call_response","id":"c2","response":"found by {\"for\":\"b\"}"}]}`,
	} {
		if !strings.Contains(in, want) {
			t.Errorf("the messages lack %s:\n%s", want, in)
		}
	}
	if got := attributeOf(last, "gen_ai.system_instructions"); !strings.Contains(got, "Write.") {
		t.Errorf("the system prompt is %q", got)
	}
	if got := attributeOf(r.span(t, "ask boss").Attributes, "agentc.question.answer"); got != "an answer that nobody may see" {
		t.Errorf("the answer is %q", got)
	}
	if strings.Contains(r.wire(), "a thing that nobody may see") || !strings.Contains(r.wire(), "[redacted DESK_API_KEY]") {
		t.Error("a secret was sent")
	}
}

// TestHeadersAreSecret: the credentials of the collector go to it, and nowhere else.
func TestHeadersAreSecret(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer hunter2")
	r := newReceiver(t)
	export(t, r)
	if _, err := run(t, core.Config{Asker: boss{}}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.wire(), "Bearer hunter2") {
		t.Error("the credentials were not sent")
	}
	r.Close()
	told, err := run(t, core.Config{Asker: boss{}})
	if err != nil || told == "" || strings.Contains(told, "hunter2") {
		t.Errorf("%v, and told %q", err, told)
	}
}

var failing = failingWith(&model.Error{Class: model.Auth, Status: 401, Message: "an error that nobody may see"})
