package anthropic_test

import (
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestRefusals: status and type say what kind of failure it is, and the body says why.
func TestRefusals(t *testing.T) {
	refuse := anthropicwire.Refuse
	check(t, anthropic.Options{}, []failing{
		{"429", refuse(429, "rate_limit_error", "Slow down."), model.RateLimit, 429, "Slow down."},
		{"529", refuse(529, "overloaded_error", "Overloaded"), model.Overloaded, 529, "Overloaded"},
		{"500", refuse(500, "api_error", "Internal server error"), model.Server, 500, "Internal"},
		{"504", refuse(504, "timeout_error", "Took too long."), model.Server, 504, "too long"},
		{"401", refuse(401, "authentication_error", "invalid x-api-key"), model.Auth, 401, "with the key of ANTHROPIC_API_KEY"},
		{"403", refuse(403, "permission_error", "No."), model.Auth, 403, ""},
		{"404", refuse(404, "not_found_error", "model: m"), model.BadRequest, 404, "model: m"},
		{"402", refuse(402, "billing_error", "Pay."), model.Quota, 402, ""},
		{"no money", refuse(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."), model.Quota, 400, ""},
		{"no more this month", refuse(400, "invalid_request_error", "You have reached your specified API usage limits."), model.Quota, 400, ""},
		{"too long", refuse(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"), model.TooLong, 400, "210000"},
		{"too large", refuse(413, "request_too_large", "Request exceeds the maximum size"), model.TooLong, 413, ""},
		{
			"no room", refuse(400, "invalid_request_error", "input length and `max_tokens` exceed context limit: 199500 + 32000 > 200000"),
			model.TooLong, 400, "exceed context limit",
		},
		{"a page", wiretest.Page(502, "502 Bad Gateway"), model.Server, 502, `a page with the title "502 Bad Gateway"`},
		{"half JSON", wiretest.JSON(400, `{"type":"error","error":{"mess`), model.BadRequest, 400, `"error":{"mess`},
		{"a redirect", wiretest.Redirect(307, "https://user:pw@elsewhere.example/v1?key=1#f"), model.BadRequest, 307, "redirects to https://elsewhere.example/v1, which"},
	})
}

// TestErrorsInReplies: an error may stand where a reply should, or in the midst of one.
func TestErrorsInReplies(t *testing.T) {
	inStream := func(kind, message string) wiretest.Answer {
		return anthropicwire.Events(append(hi[:5:5], anthropicwire.Failure(kind, message))...)
	}
	check(t, anthropic.Options{}, []failing{
		{"overloaded", inStream("overloaded_error", "Overloaded"), model.Overloaded, 0, "Overloaded"},
		{"a rate limit", inStream("rate_limit_error", "Slow."), model.RateLimit, 0, ""},
		{"a fault", inStream("api_error", "Internal server error"), model.Server, 0, ""},
		{"money", inStream("billing_error", "Pay."), model.Quota, 0, ""},
		{"time", inStream("timeout_error", "Late."), model.Timeout, 0, ""},
		{"a key", inStream("authentication_error", "Gone."), model.Auth, 0, ""},
		{"too long", inStream("invalid_request_error", "prompt is too long"), model.TooLong, 0, ""},
		{"nothing", anthropicwire.Events(`{"type":"error"}`), model.Server, 0, "an error without a word"},
		{"in one piece", wiretest.JSON(200, anthropicwire.Failure("overloaded_error", "Overloaded")), model.Overloaded, 0, ""},
	})
}

// TestModelsThatRefuse: a model that refuses is no reply, and what it has used is told all the same.
func TestModelsThatRefuse(t *testing.T) {
	refusal := func(details string) wiretest.Answer {
		return anthropicwire.Events(hi[0], `{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":`+details+
			`},"usage":{"output_tokens":9}}`, `{"type":"message_stop"}`)
	}
	cases := []failing{
		{"it says why", refusal(`{"type":"refusal","category":"bio","explanation":"That is dangerous."}`), model.Refused, 0, "the model refuses: That is dangerous."},
		{"a category", refusal(`{"type":"refusal","category":"cyber","explanation":null}`), model.Refused, 0, "the model refuses: cyber"},
		{"no word", refusal(`null`), model.Refused, 0, "the model refuses"},
	}
	check(t, anthropic.Options{}, cases)
	if got := ask(t, hello(), anthropic.Options{}, cases[0].answer); got.reply.Usage != (model.Usage{Input: 7, Output: 9}) {
		t.Errorf("%+v", got.reply)
	}
}

// TestRetryAfter: how long a server asks to wait is heeded; without a word the engine decides.
func TestRetryAfter(t *testing.T) {
	for header, want := range map[string]time.Duration{"7": 7 * time.Second, "": 0, "soon": 0, "1e300": 24 * time.Hour} {
		for _, status := range []int{429, 529} {
			got := ask(t, hello(), anthropic.Options{}, anthropicwire.Refuse(status, "", "slow down", "Retry-After", header, "Request-Id", "req_1"))
			if e := modelError(t, got.err); e.RetryAfter != want || !e.Retryable() || e.RequestID != "req_1" {
				t.Errorf("%d with %q: %v", status, header, e)
			}
		}
	}
}

// TestOneRequestEach: the SDK repeats nothing, neither what a server refuses nor what breaks.
func TestOneRequestEach(t *testing.T) {
	for name, answer := range map[string]wiretest.Answer{
		"429": anthropicwire.Refuse(429, "", ""), "500": anthropicwire.Refuse(500, "", "", "X-Should-Retry", "true"),
		"breaks": wiretest.Cut(sayHello, until(2)), "none": wiretest.JSON(200, "{}"),
	} {
		s := wiretest.Serve(t, answer, sayHello)
		if _, err := open(t, s.URL, anthropic.Options{}).Chat(t.Context(), hello()); err == nil || len(s.Requests()) != 1 {
			t.Errorf("%s: %d requests, %v", name, len(s.Requests()), err)
		}
	}
}
