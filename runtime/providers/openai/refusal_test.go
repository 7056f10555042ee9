package openai_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// TestRefusals: a status says what kind of failure it is, and its body says why.
func TestRefusals(t *testing.T) {
	check(t, []failing{
		{"429", chatwire.Refuse(429, "requests", "rate_limit_exceeded", "Slow down."), model.RateLimit, 429, "Slow down."},
		{
			"429 for money",
			chatwire.Refuse(429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota."),
			model.Quota, 429, "",
		},
		{"402", chatwire.Refuse(402, "", "", "Insufficient credits"), model.Quota, 402, ""},
		{
			"401", chatwire.Refuse(401, "invalid_request_error", "invalid_api_key", "Incorrect API key."), model.Auth,
			401, "with the key of OPENAI_API_KEY",
		},
		{"403", chatwire.Refuse(403, "", "", "Your country is not supported."), model.Auth, 403, ""},
		{
			"404", chatwire.Refuse(404, "invalid_request_error", "model_not_found", "The model `m` does not exist."),
			model.BadRequest, 404, "does not exist",
		},
		{"408", wiretest.Body(408, "text/plain", ""), model.Timeout, 408, "Request Timeout"},
		{"413", wiretest.Page(413, "413 Request Entity Too Large"), model.TooLong, 413, "413 Request Entity"},
		{"500", chatwire.Refuse(500, "server_error", "", "The server had an error."), model.Server, 500, "had an error"},
		{"500 without a word", wiretest.Body(500, "", ""), model.Server, 500, "Internal Server Error"},
		{"501", wiretest.JSON(501, `{"error":"not implemented"}`), model.BadRequest, 501, "not implemented"},
		{
			"502 as a page", wiretest.Page(502, "502 Bad Gateway"), model.Server, 502,
			`a page with the title "502 Bad Gateway"`,
		},
		{
			"502 as a page without title", wiretest.Body(502, "text/html", "<html>oops"), model.Server, 502,
			"a page, not JSON",
		},
		{"503", wiretest.Page(503, "Service Unavailable"), model.Overloaded, 503, ""},
		{"529", chatwire.Refuse(529, "overloaded_error", "", "Overloaded"), model.Overloaded, 529, "Overloaded"},
		{
			"an error of half JSON", wiretest.JSON(400, `{"error":{"message":"bad`), model.BadRequest, 400,
			`{"error":{"message":"bad`,
		},
		{"an error without end", wiretest.Flood(500, "text/plain", "long ", "", 50<<20), model.Server, 500, "long"},
		{"an odd status", wiretest.JSON(600, `{}`), model.Server, 600, ""},
	})
}

// TestTooLong: a context that is full is understood in the words of each kind of server.
func TestTooLong(t *testing.T) {
	check(t, []failing{
		{
			"too long: OpenAI", chatwire.Refuse(400, "invalid_request_error", "context_length_exceeded", "Too many."),
			model.TooLong, 400, "",
		},
		{
			"too long: vLLM",
			wiretest.JSON(400, `{"object":"error","message":"This model's maximum context length is 4096 tokens.",`+
				`"type":"BadRequestError","param":null,"code":400}`),
			model.TooLong, 400, "maximum context length",
		},
		{
			"too long: llama.cpp",
			wiretest.JSON(400, `{"error":{"code":400,"message":"the request exceeds the available context size",`+
				`"type":"exceed_context_size_error","n_ctx":512}}`),
			model.TooLong, 400, "context size",
		},
		{
			"too long: Gemini",
			wiretest.JSON(400, `[{"error":{"code":400,"message":"The input token count (2000000) exceeds the maximum number of `+
				`tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`),
			model.TooLong, 400, "2000000",
		},
	})
}

// TestErrorsOfOtherForms: errors are read in the forms that servers give them, and cleaned.
func TestErrorsOfOtherForms(t *testing.T) {
	check(t, []failing{
		{
			"Gemini's key",
			wiretest.JSON(400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.",`+
				`"status":"INVALID_ARGUMENT"}}]`),
			model.Auth, 400, "",
		},
		{
			"FastAPI", wiretest.JSON(422, `{"detail":[{"loc":["body","messages"],"msg":"field required"}]}`),
			model.BadRequest, 422, "field required",
		},
		{"detail as text", wiretest.JSON(404, `{"detail":"Not Found"}`), model.BadRequest, 404, ": Not Found"},
		{
			"error as text", wiretest.JSON(404, `{"error":"model \"m\" not found, try pulling it first"}`),
			model.BadRequest, 404, `model "m" not found`,
		},
		{"error as a number", wiretest.JSON(500, `{"error":7}`), model.Server, 500, "7"},
		{"error that is null", wiretest.JSON(500, `{"error":null}`), model.Server, 500, `{"error":null}`},
		{
			"error in odd types", wiretest.JSON(500, `{"error":{"message":{"en":"no"},"code":[1],"type":9}}`),
			model.Server, 500, `{"en":"no"}`,
		},
		{
			"not UTF-8", wiretest.JSON(500, "{\"error\":{\"message\":\"caf\xe9 \xff\"}}"), model.Server, 500,
			"caf\ufffd \ufffd",
		},
		{
			"escapes for terminals",
			wiretest.JSON(500, `{"error":{"message":"\u001b[2J\u001b]0;owned\u0007 \u202egnorw\nline"}}`), model.Server,
			500, ": [2J ]0;owned gnorw line",
		},
	})
}

// TestErrorsInReplies: an error may stand where a reply should.
func TestErrorsInReplies(t *testing.T) {
	check(t, []failing{
		{
			"an error with 200", wiretest.JSON(200, `{"error":{"message":"Overloaded","code":529}}`), model.Overloaded,
			529, "",
		},
		{
			"an error in a stream",
			wiretest.Events(hi[0], `{"error":{"message":"The server had an error","type":"server_error"}}`), model.Server,
			0, "had an error",
		},
		{
			"a rate limit in a stream", wiretest.Events(hi[0], `{"error":{"message":"Rate limited","code":429}}`),
			model.RateLimit, 429, "",
		},
		{
			"one without a status", wiretest.Events(`{"error":{"message":"x","code":"rate_limit_exceeded"}}`),
			model.RateLimit, 0, "",
		},
		{"overloaded in a stream", wiretest.Events(`{"error":{"type":"overloaded_error"}}`), model.Overloaded, 0, ""},
		{
			"too long in a stream", wiretest.Events(`{"error":{"message":"maximum context length is 5"}}`), model.TooLong,
			0, "",
		},
		{"a key in a stream", wiretest.Events(`{"error":{"type":"authentication_error"}}`), model.Auth, 0, ""},
		{"quota in a stream", wiretest.Events(`{"error":{"code":"insufficient_quota"}}`), model.Quota, 0, ""},
		{"bad in a stream", wiretest.Events(`{"error":{"type":"invalid_request_error"}}`), model.BadRequest, 0, ""},
		{"refused in a stream", wiretest.Events(`{"error":{"code":"content_filter"}}`), model.Refused, 0, ""},
		{"an error that says nothing", wiretest.JSON(200, `{"error":{}}`), model.Server, 0, `the reply has no choices: {"error":{}}`},
	})
}

// TestModelsThatRefuse: a model or a filter that refuses is no reply.
func TestModelsThatRefuse(t *testing.T) {
	check(t, []failing{
		{
			"a model that refuses",
			message(`{"content":null,"refusal":"I cannot help with that."}`),
			model.Refused, 0, "I cannot help with that.",
		},
		{
			"one that refuses in parts",
			wiretest.Events(`{"choices":[{"delta":{"refusal":"I can"}}]}`,
				`{"choices":[{"delta":{"refusal":"not."},"finish_reason":"stop"}]}`, "[DONE]"),
			model.Refused, 0, "I cannot.",
		},
		{
			"a filter", wiretest.JSON(200, `{"choices":[{"message":{"content":"Well,"},"finish_reason":"content_filter"}]}`),
			model.Refused, 0, "filter",
		},
		{"a filter before", chatwire.Refuse(400, "", "content_policy_violation", "no"), model.Refused, 400, ""},
	})
}

// TestRedirects: redirects are not followed, and nothing secret of their address is shown.
func TestRedirects(t *testing.T) {
	check(t, []failing{
		{
			"a redirect", wiretest.Redirect(307, "https://user:pw@elsewhere.example/v1?key=1#f"), model.BadRequest, 307,
			"redirects to https://elsewhere.example/v1, which",
		},
		{"a redirect to nowhere", wiretest.Redirect(302, ""), model.BadRequest, 302, "redirects without an address"},
	})
}

// TestErrorsNameTheAddress: an error says where the request went, without a query that may hold a secret, and which key was sent.
func TestErrorsNameTheAddress(t *testing.T) {
	s := wiretest.Serve(t, chatwire.Refuse(500, "server_error", "", "broken"))
	for want, vars := range map[string][]string{
		"with the key of OPENAI_API_KEY":           {"OPENAI_API_KEY", secret},
		"without a key: OPENAI_API_KEY is not set": nil,
		"without a key: OPENAI_API_KEY is none":    {"OPENAI_API_KEY", "none"},
	} {
		m := openAs(t, "openai", "m", s.URL+"/v1?token=abc", openai.Options{Env: env(vars...)})
		_, err := m.Chat(t.Context(), hello())
		if got := modelError(t, err).Message; got != "broken ("+s.URL+"/v1/chat/completions, "+want+")" {
			t.Errorf("got %s", got)
		}
	}

	// A silence and a reply that is none say it too, a refusal of the model does not: it is about neither.
	for answer, has := range map[string]bool{`{"choices":[]}`: true, `{"choices":[{"message":{"refusal":"no"}}]}`: false} {
		_, err := open(t, wiretest.Serve(t, wiretest.JSON(200, answer)), openai.Options{}).Chat(t.Context(), hello())
		if got := modelError(t, err).Message; strings.Contains(got, "/v1/chat/completions, with the key of OPENAI_API_KEY)") != has {
			t.Errorf("%s: %s", answer, got)
		}
	}
}
