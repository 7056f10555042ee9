package anthropic_test

import (
	"crypto/tls"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

// failing is a server and what comes of asking it.
type failing struct {
	name   string
	answer wiretest.Answer
	class  model.Class
	status int
	says   string
}

// check asks each server, and holds what comes of it, which must be a *model.Error, against the case.
func check(t *testing.T, o anthropic.Options, cases []failing) {
	t.Helper()
	o.MaxReply = 1 << 20
	for _, c := range cases {
		got := ask(t, hello(), o, c.answer)
		if got.err == nil {
			t.Errorf("%s: no error, but %+v", c.name, got.reply)
			continue
		}
		e := modelError(t, got.err)
		if e.Class != c.class || e.Status != c.status || e.Model != "anthropic:m" || e.Agent != "greeter" {
			t.Errorf("%s: class %q, status %d: %v", c.name, e.Class, e.Status, e)
		}
		if text := e.Error(); !strings.Contains(text, c.says) || len(text) > 1000 || strings.ContainsAny(text, "\n\x1b\u202e") {
			t.Errorf("%s: %.2000q does not say %q", c.name, text, c.says)
		}
	}
}

// TestConnectionsThatBreak: a connection that breaks, or leads nowhere, is a failure of the network.
func TestConnectionsThatBreak(t *testing.T) {
	check(t, anthropic.Options{}, []failing{
		{"closes at once", wiretest.Cut(sayHello, 0), model.Network, 0, ""},
		{"no HTTP", wiretest.Raw("SSH-2.0-OpenSSH_9.6\r\n"), model.Network, 0, "malformed HTTP"},
		{"nothing", wiretest.Raw(""), model.Network, 0, "the connection was closed"},
		{"half a header", wiretest.Raw("HTTP/1.1 200 OK\r\nContent-Ty"), model.Network, 0, ""},
	})
	s := wiretest.Serve(t, sayHello)
	s.Close()
	_, err := open(t, s.URL, anthropic.Options{}).Chat(t.Context(), hello())
	if e := modelError(t, err); e.Class != model.Network {
		t.Error(e.Class)
	}
	has(t, err.Error(), "no server answers at "+s.URL+"/v1/messages", "is the server running?")
}

// TestRepliesThatAreCutOff: a reply whose end is missing is a failure of the network, and never a shorter reply.
func TestRepliesThatAreCutOff(t *testing.T) {
	text := anthropicwire.Whole(model.Reply{Text: "Hello to you.", Model: "m"})
	check(t, anthropic.Options{}, []failing{
		{"half a reply", wiretest.Cut(wiretest.JSON(200, text), len(text)/2), model.Network, 0, "cut off"},
		{"half JSON", wiretest.JSON(200, text[:len(text)/2]), model.Network, 0, "cut off"},
		{"less than it says", wiretest.Lying("application/json", text, len(text)+9), model.Network, 0, "cut off"},
		{"breaks", wiretest.Cut(sayHello, until(4)), model.Network, 0, "cut off"},
		{"breaks in an event", wiretest.Cut(sayHello, until(4)+60), model.Network, 0, "cut off"},
		{"ends early", anthropicwire.Events(hi[:5]...), model.Network, 0, "cut off"},
		{"ends before the reason", anthropicwire.Events(hi[:len(hi)-2]...), model.Network, 0, "cut off"},
		{
			"ends in an event", wiretest.Tail(anthropicwire.Events(hi[:3]...), "event: content_block_delta\ndata: {\"type\":\"cont"),
			model.Network, 0, "cut off",
		},
	})
}

// TestRepliesThatAreNone: what is no reply is said to be none.
func TestRepliesThatAreNone(t *testing.T) {
	check(t, anthropic.Options{}, []failing{
		{"empty", wiretest.JSON(200, ""), model.Server, 0, "the reply is empty"},
		{"a page", wiretest.Page(200, "Welcome\nto nginx"), model.Server, 0, `a page with the title "Welcome to nginx"`},
		{"plain text", wiretest.Body(200, "text/plain", "OK"), model.Server, 0, `"text/plain": OK`},
		{"a picture", wiretest.Body(200, "image/png", "\x89PNG\r\n\x1a\n\x00\x1b[2J"), model.Server, 0, "image/png"},
		{"an empty object", wiretest.JSON(200, `{}`), model.Server, 0, "no message"},
		{"no content", wiretest.JSON(200, `{"type":"message","content":null}`), model.Server, 0, "no message"},
		{"a list", wiretest.JSON(200, `[]`), model.Server, 0, "cannot be read"},
		{"another form", wiretest.JSON(200, `{"content":"none"}`), model.Server, 0, "cannot be read"},
		{"blocks of another form", wiretest.JSON(200, `{"content":["x"]}`), model.Server, 0, "cannot be read"},
		{"ends at once", anthropicwire.Events(`{"type":"message_stop"}`), model.Server, 0, "no message"},
		{"only pings", anthropicwire.Events(`{"type":"ping"}`, `{"type":"ping"}`), model.Network, 0, "cut off"},
		{"broken JSON in an event", anthropicwire.Events(hi[0], `{"type":}`), model.Server, 0, "cannot be read"},
		{"a block that is none", anthropicwire.Events(hi[0], `{"type":"content_block_start","content_block":7}`), model.Server, 0, "cannot be read"},
		{"a word in a stream that is OpenAI's", sse(anthropicwire.Stream(hi[:4]...) + "data: [DONE]\n\n"), model.Network, 0, "cut off"},
		{"OpenAI's", wiretest.JSON(200, `{"choices":[{"message":{"content":"hi"}}]}`), model.Server, 0, "no message"},
	})
}

// TestRepliesThatAreTooLarge: a reply that is larger than the limit is an error, and is not asked for again; so is one of 100 MB with the
// limits that everybody has.
func TestRepliesThatAreTooLarge(t *testing.T) {
	check(t, anthropic.Options{}, []failing{
		{"whole", wiretest.Flood(200, "application/json", `{"pad":"`, `"}`, 2<<20), model.Other, 0, "larger than 1048576 bytes"},
		{"says so", wiretest.Lying("application/json", "{", 100<<20), model.Other, 0, "larger than 1048576 bytes"},
		{"an event without end", wiretest.Flood(200, "text/event-stream", `data: {"pad":"`, "", 2<<20), model.Other, 0, "larger than"},
		{"pings without end", wiretest.Body(200, "text/event-stream", strings.Repeat("event: ping\ndata: {\"type\":\"ping\"}\n\n", 1<<15)), model.Other, 0, "larger than"},
		{"blocks without end", wiretest.JSON(200, `{"content":[`+strings.Repeat(`{"type":"text"},`, 1001)+`{}]}`), model.Other, 0, "more than 1000 blocks"},
		{"an error without end", wiretest.Flood(500, "text/plain", "long ", "", 50<<20), model.Server, 500, "long"},
	})
	flood := wiretest.Flood(200, "text/event-stream", "data: {}\n\n:", "\n\n", 100<<20)
	_, err := open(t, wiretest.Serve(t, flood).URL, anthropic.Options{}).Chat(t.Context(), hello())
	if e := modelError(t, err); e.Class != model.Other || e.Retryable() {
		t.Error(err)
	}
}

// TestRepliesThatTakeTooLong: a call ends after its time, and a reply after a silence.
func TestRepliesThatTakeTooLong(t *testing.T) {
	check(t, anthropic.Options{Timeout: time.Minute, Idle: 100 * time.Millisecond}, []failing{
		{"silence", wiretest.Stall(sayHello, until(2)), model.Timeout, 0, "sent nothing for 100ms"},
		{"silence in an event", wiretest.Stall(sayHello, until(2)+9), model.Timeout, 0, "sent nothing for 100ms"},
	})
	check(t, anthropic.Options{Timeout: 300 * time.Millisecond, Idle: time.Minute}, []failing{
		{"mute", wiretest.Mute(), model.Timeout, 0, "the call took longer than 300ms"},
		{"a slow drip", wiretest.Drip(sayHello, 3, 20*time.Millisecond), model.Timeout, 0, "took longer than 300ms"},
		{"a slow error", wiretest.Drip(wiretest.JSON(500, strings.Repeat(" ", 9000)), 1, 20*time.Millisecond), model.Server, 500, ""},
	})
}

// TestCertificates: a server is asked only if its certificate is for it and from somebody who is trusted; one that does not fit is
// not tried again, and the server never sees a request.
func TestCertificates(t *testing.T) {
	s := wiretest.ServeTLS(t, sayHello)
	trusting := transport(func(x *http.Transport) { x.TLSClientConfig = &tls.Config{RootCAs: s.Roots} })
	for name, c := range map[string]struct {
		address   string
		transport http.RoundTripper
		says      string
	}{
		"from nobody":      {s.URL, nil, "unknown authority"},
		"for another name": {"https://localhost" + s.Port(), trusting, "not localhost"},
		"no TLS":           {"https://127.0.0.1" + wiretest.Serve(t, sayHello).Port(), nil, "HTTP response to HTTPS client"},
	} {
		_, err := open(t, c.address, anthropic.Options{Transport: c.transport}).Chat(t.Context(), hello())
		e := modelError(t, err)
		if e.Class != model.Other || !strings.Contains(e.Error(), "the server cannot be trusted") || !strings.Contains(e.Error(), c.says) {
			t.Errorf("%s: %s: %v", name, e.Class, e)
		}
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests came through", n)
	}
	reply, err := open(t, s.URL, anthropic.Options{Transport: trusting}).Chat(t.Context(), hello())
	if err != nil || reply.Text != plain.Text {
		t.Errorf("one that is trusted: %+v, %v", reply, err)
	}
}
