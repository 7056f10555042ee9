package openai_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// secret is the key of the tests.
const secret = "sk-test-0123456789abcdef"

// env is an environment.
func env(pairs ...string) func(string) (string, bool) {
	vars := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		vars[pairs[i]] = pairs[i+1]
	}

	return func(name string) (string, bool) {
		value, ok := vars[name]

		return value, ok
	}
}

// streamer is what a model that is opened is: a provider that can tell what it writes.
type streamer interface {
	model.Provider
	Stream(ctx context.Context, r model.Request, delta func(string)) (model.Reply, error)
}

// open opens model m of the provider openai at a server, with the key of the tests.
func open(t testing.TB, s *wiretest.Server, o openai.Options) streamer {
	t.Helper()

	return openAs(t, "openai", "m", s.URL+"/v1", o)
}

func openAs(t testing.TB, provider, id, url string, o openai.Options) streamer {
	t.Helper()
	if o.Env == nil {
		o.Env = env("OPENAI_API_KEY", secret, "GEMINI_API_KEY", secret)
	}
	p, err := o.Open(model.Model{Name: provider + ":" + id, Provider: provider, ID: id, BaseURL: url}, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}

	return p.(streamer)
}

// hello is a request of one message.
func hello() model.Request {
	return model.Request{
		Agent: "greeter", System: "Be kind.", Messages: []model.Message{{Role: model.RoleUser, Text: "Hello."}},
	}
}

// asked is what came of one way to ask: whole or in parts.
type asked struct {
	reply  model.Reply
	deltas string
	err    error
}

// both asks whole and in parts, each with a server and a model of its own.
func both(t *testing.T, r model.Request, o openai.Options, answers ...wiretest.Answer) map[string]asked {
	t.Helper()
	came := map[string]asked{}
	for _, way := range []string{"whole", "parts"} {
		s := wiretest.Serve(t, answers...)
		m := open(t, s, o)
		var a asked
		if way == "whole" {
			a.reply, a.err = m.Chat(t.Context(), r)
		} else {
			a.reply, a.err = m.Stream(t.Context(), r, func(text string) { a.deltas += text })
		}
		came[way] = a
	}

	return came
}

// modelError is the *model.Error that an error must be.
func modelError(t *testing.T, err error) *model.Error {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T: %v", err, err)
	}

	return e
}

// lastRequest is the request that a server got last, as a server reads it.
func lastRequest(t *testing.T, s *wiretest.Server) *chatwire.Request {
	t.Helper()
	all := s.Requests()
	r, err := chatwire.Parse(all[len(all)-1].Body)
	if err != nil {
		t.Fatal(err)
	}

	return r
}

// sayHello is a server's plain reply.
var sayHello = chatwire.Reply(model.Reply{Text: "Hello to you.", Usage: model.Usage{Input: 7, Output: 3}})

// httpWriter is what answers write to.
type httpWriter = http.ResponseWriter

// transport is a transport of its own, with what a test changes.
func transport(change func(*http.Transport)) http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	change(t)

	return t
}

func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not have %q", text, part)
		}
	}
}

// to sends every request to a server, wherever it was to go.
func to(s *wiretest.Server) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.URL.Scheme, r.URL.Host, _ = strings.Cut(s.URL, "://")

		return http.DefaultTransport.RoundTrip(r)
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
