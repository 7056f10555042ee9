package anthropic_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

// echoes are servers that write back the key that they were sent, wherever they write something.
func echoes() map[string]wiretest.Answer {
	return map[string]wiretest.Answer{
		"an error":             anthropicwire.Refuse(401, "type "+secret, "invalid x-api-key: "+secret),
		"an error that is cut": anthropicwire.Refuse(400, "", strings.Repeat("x", 580)+secret+" is the key"),
		"an error as text":     wiretest.Body(500, "text/plain", "X-Api-Key: "+secret),
		"a page":               wiretest.Page(502, secret),
		"a page with 200":      wiretest.Page(200, "you are "+secret),
		"text with 200":        wiretest.Body(200, secret, "you are "+secret),
		"the request's id":     wiretest.JSON(500, `{}`, "Request-Id", secret),
		"a redirect":           wiretest.Redirect(307, "https://elsewhere.example/"+secret+"?key="+secret),
		"no HTTP":              wiretest.Raw("HTTP/1.1 " + secret + "\r\n\r\n"),
		"a header":             wiretest.Raw("HTTP/1.1 200 OK\r\n" + secret + "\r\n\r\n"),
		"broken JSON":          wiretest.JSON(200, `{"content": `+secret+`}`),
		"JSON of another form": wiretest.JSON(200, `{"content":"`+secret+`"}`),
		"an error in a stream": anthropicwire.Events(hi[0], anthropicwire.Failure(secret, secret)),
		"a refusal": anthropicwire.Events(hi[0], `{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":`+
			`{"explanation":"I will not say `+secret+`"}}}`, `{"type":"message_stop"}`),
		"a reply": whole(model.Reply{
			Text: "Your key is " + secret + ".", StopReason: secret, Model: secret, Carry: `{"type":"redacted_thinking","data":"` + secret + `"}`,
			Calls: []model.ToolCall{{ID: secret, Name: secret, Args: `{"key":"` + secret + `"}`}},
		}),
		"parts": between(more("0", `{"type":"text_delta","text":"It is `+secret[:5]+`"}`), more("0", `{"type":"text_delta","text":"`+secret[5:12]+`"}`),
			more("0", `{"type":"text_delta","text":"`+secret[12:]+` or `+secret+secret+` or `+secret[:9]+`"}`),
			start("1", `{"type":"tool_use","id":"a","name":"t","input":{}}`), more("1", `{"type":"input_json_delta","partial_json":"`+secret[:5]+`"}`),
			more("1", `{"type":"input_json_delta","partial_json":"`+secret[5:]+`"}`)),
	}
}

// TestKeysAreNowhere: whatever a server does, the key stands in nothing that comes of it: replies, parts, errors with all that they
// wrap, what an engine tells its observer, and what the process writes.
func TestKeysAreNowhere(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = w, w
	answers := echoes()
	var all strings.Builder
	for name, answer := range answers {
		got := ask(t, hello(), anthropic.Options{}, answer)
		fmt.Fprintf(&all, "%s: %+v %+v %#v %s\n", name, got.reply, got.err, got.err, got.deltas)
		for err := got.err; err != nil; err = errors.Unwrap(err) {
			fmt.Fprintf(&all, "%T %+v %#v\n", err, err, err)
		}
	}
	observe(t, answers, &all)
	os.Stdout, os.Stderr = stdout, stderr
	_ = w.Close()
	var written bytes.Buffer
	if _, err := written.ReadFrom(r); err != nil || written.Len() > 0 {
		t.Errorf("%q, %v", written.String(), err)
	}
	for line := range strings.Lines(all.String()) {
		if strings.Contains(line, secret) || strings.Contains(line, secret[:14]) {
			t.Error(line)
		}
	}
}

// observe lets an engine ask each server, and notes its events.
func observe(t *testing.T, answers map[string]wiretest.Answer, events *strings.Builder) {
	t.Helper()
	var chain []wiretest.Answer
	for _, a := range answers {
		chain = append(chain, a)
	}
	s := wiretest.Serve(t, chain...)
	engine := core.New(core.Config{
		Providers: map[string]model.Opener{"anthropic": anthropic.Open}, Observer: observer{events}, Retry: model.Retry{First: 1, Most: 1},
		Env: env("ANTHROPIC_API_KEY", secret, "AGENTC_MODEL_DEFAULT", "anthropic:m", "AGENTC_MODEL_DEFAULT_BASE_URL", s.URL),
	})
	fx, err := engine.Effects(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	before := events.Len()
	for len(s.Requests()) < len(answers) {
		_, _ = fx.Model(hello())
	}
	if strings.Count(events.String()[before:], "\n") < len(answers) {
		t.Errorf("few events: %s", events.String()[before:])
	}
}

type observer struct{ *strings.Builder }

func (o observer) Observe(e event.Event) { fmt.Fprintf(o, "%+v\n", e) }

// TestWhatIsHiddenIsAllThatIsHidden: a reply with the key in it is the reply but for the key, and parts add up to its text.
func TestWhatIsHiddenIsAllThatIsHidden(t *testing.T) {
	got := ask(t, hello(), anthropic.Options{}, echoes()["parts"])
	want := "It is [key] or [key][key] or " + secret[:9]
	if got.err != nil || got.reply.Text != want || got.deltas != want || got.reply.Calls[0].Args != "[key]" {
		t.Errorf("%+v, %q, %v", got.reply, got.deltas, got.err)
	}
}

// TestRedirectsTakeNothingAlong: neither key nor conversation gets to where a server redirects, be it the same host or another.
func TestRedirectsTakeNothingAlong(t *testing.T) {
	other := wiretest.Serve(t, sayHello)
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{other.URL + "/v1/messages", "/elsewhere"} {
			s := wiretest.Serve(t, wiretest.Redirect(status, to), sayHello)
			_, err := open(t, s.URL, anthropic.Options{}).Chat(t.Context(), hello())
			if e := modelError(t, err); e.Class != model.BadRequest || e.Status != status {
				t.Error(err)
			}
			if len(s.Requests()) != 1 || len(other.Requests()) != 0 {
				t.Errorf("%d to %s: followed", status, to)
			}
		}
	}
}
