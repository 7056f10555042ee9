package openai_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// echoes are servers that write back the key that they were sent, wherever they write something.
func echoes() map[string]wiretest.Answer {
	return map[string]wiretest.Answer{
		"an error":             chatwire.Refuse(401, "auth "+secret, "code "+secret, "Incorrect API key provided: "+secret),
		"an error that is cut": chatwire.Refuse(400, "", "", strings.Repeat("x", 580)+secret+" is the key"),
		"an error in its type": wiretest.JSON(400, `{"error":{"type":"`+secret+`","param":"`+secret+`"}}`),
		"an error as text":     wiretest.Body(500, "text/plain", "Authorization: Bearer "+secret),
		"a page":               wiretest.Page(502, secret),
		"a page with 200":      wiretest.Page(200, "you are "+secret),
		"text with 200":        wiretest.Body(200, secret, "you are "+secret),
		"detail":               wiretest.JSON(422, `{"detail":{"headers":["`+secret+`"]}}`),
		"the request's id":     wiretest.JSON(500, `{}`, "X-Request-Id", secret),
		"a redirect":           wiretest.Redirect(307, "https://elsewhere.example/"+secret+"?key="+secret),
		"no HTTP":              wiretest.Raw("HTTP/1.1 " + secret + "\r\n\r\n"),
		"a header":             wiretest.Raw("HTTP/1.1 200 OK\r\n" + secret + "\r\n\r\n"),
		"a length":             wiretest.Raw("HTTP/1.1 200 OK\r\nContent-Length: " + secret + "\r\n\r\n"),
		"broken JSON":          wiretest.JSON(200, `{"choices": `+secret+`}`),
		"JSON of another form": wiretest.JSON(200, `{"choices":"`+secret+`"}`),
		"an error in a stream": wiretest.Events(hi[0], `{"error":{"message":"`+secret+`"}}`),
		"a refusal":            message(`{"refusal":"I will not say ` + secret + `"}`),
		"a reply": wiretest.JSON(200, chatwire.Whole(model.Reply{
			Text: "Your key is " + secret + ".", Model: secret,
			Calls: []model.ToolCall{{ID: secret, Name: secret, Args: `{"key":"` + secret + `"}`}},
		})),
		"parts": wiretest.Events(
			`{"model":"`+secret+`","choices":[{"delta":{"content":"It is `+secret[:5]+`"}}]}`,
			`{"choices":[{"delta":{"content":"`+secret[5:12]+`"}}]}`,
			`{"choices":[{"delta":{"content":"`+secret[12:]+` or `+secret+secret+` or `+secret[:9]+`"}}]}`,
			`{"choices":[{"delta":{"tool_calls":[`+raw("0", "a", "t", secret[:5])+`]}}]}`,
			`{"choices":[{"delta":{"tool_calls":[`+raw("0", "", "", secret[5:])+`]},"finish_reason":"tool_calls"}]}`, "[DONE]"),
		"a reason": ends(model.Reply{Text: "Hello.", StopReason: secret}),
	}
}

// TestKeysAreNowhere: whatever a server does, the key stands in nothing that comes of it: replies, parts, errors with all that they
// wrap, and what an engine tells its observer.
func TestKeysAreNowhere(t *testing.T) {
	answers := echoes()
	for name, answer := range answers {
		var all strings.Builder
		for way, got := range both(t, hello(), openai.Options{}, answer) {
			fmt.Fprintf(&all, "%s: %+v %+v %#v %s\n", way, got.reply, got.err, got.err, got.deltas)
			for err := got.err; err != nil; err = errors.Unwrap(err) {
				fmt.Fprintf(&all, "%T %+v %#v\n", err, err, err)
			}
		}
		if strings.Contains(all.String(), secret) || strings.Contains(all.String(), secret[:14]) {
			t.Errorf("%s: the key is in\n%s", name, all.String())
		}
	}

	var events observer
	s := wiretest.Serve(t, chain(answers)...)
	o := openai.Options{Env: env("OPENAI_API_KEY", secret)}
	engine := core.New(core.Config{
		Providers: map[string]model.Opener{"openai": o.Open},
		Env:       env("AGENTC_MODEL_DEFAULT", "openai:m", "AGENTC_MODEL_DEFAULT_BASE_URL", s.URL),
		Observer:  &events, Retry: model.Retry{First: 1, Most: 1},
	})
	fx, err := engine.Effects(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for len(s.Requests()) < len(answers) {
		_, _ = fx.Model(hello())
	}
	if text := events.String(); strings.Contains(text, secret) || strings.Count(text, "\n") < len(answers) {
		t.Errorf("the events are\n%s", text)
	}
}

func chain(answers map[string]wiretest.Answer) []wiretest.Answer {
	var all []wiretest.Answer
	for _, a := range answers {
		all = append(all, a)
	}

	return all
}

type observer struct{ bytes.Buffer }

func (o *observer) Observe(e event.Event) { fmt.Fprintf(o, "%+v\n", e) }

// TestWhatIsHiddenIsAllThatIsHidden: a reply with the key in it is the reply but for the key, and parts add up to its text.
func TestWhatIsHiddenIsAllThatIsHidden(t *testing.T) {
	for way, got := range both(t, hello(), openai.Options{}, echoes()["parts"]) {
		want := "It is [key] or [key][key] or " + secret[:9]
		if got.err != nil || got.reply.Text != want || got.reply.Calls[0].Args != "[key]" {
			t.Errorf("%s: %+v, %v", way, got.reply, got.err)
		}
		if way == "parts" && got.deltas != want {
			t.Errorf("told %q", got.deltas)
		}
	}
	// Short keys stand in many a text by chance.
	s := wiretest.Serve(t, chatwire.Reply(model.Reply{Text: "a test of tests"}))
	var told string
	m := open(t, s, openai.Options{Env: env("OPENAI_API_KEY", "test")})
	reply, err := m.Stream(t.Context(), hello(), func(text string) { told += text })
	if err != nil || reply.Text != "a test of tests" || told != reply.Text {
		t.Errorf("%+v, %q, %v", reply, told, err)
	}
}

// TestRedirectsTakeNothingAlong: neither key nor conversation gets to where a server redirects, be it the same host or another.
func TestRedirectsTakeNothingAlong(t *testing.T) {
	other := wiretest.Serve(t, sayHello)
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{other.URL + "/v1/chat/completions", "/elsewhere", "//" + strings.TrimPrefix(other.URL, "http://")} {
			s := wiretest.Serve(t, wiretest.Redirect(status, to), sayHello)
			_, err := open(t, s, openai.Options{}).Chat(t.Context(), hello())
			if e := modelError(t, err); e.Class != model.BadRequest || e.Status != status {
				t.Error(err)
			}
			if len(s.Requests()) != 1 || len(other.Requests()) != 0 {
				t.Errorf("%d to %s: followed", status, to)
			}
		}
	}
}

// TestNothingIsWritten: the package writes to no output of the process.
func TestNothingIsWritten(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = w, w
	for _, answer := range echoes() {
		_, _ = open(t, wiretest.Serve(t, answer), openai.Options{}).Chat(context.Background(), hello())
	}
	os.Stdout, os.Stderr = stdout, stderr
	_ = w.Close()
	var written bytes.Buffer
	if _, err := written.ReadFrom(r); err != nil || written.Len() > 0 {
		t.Errorf("%q, %v", written.String(), err)
	}
}
