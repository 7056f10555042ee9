package openai_test

import (
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// TestRetryAfter: how long a server asks to wait is understood in all its forms, and is never less than nothing nor more than a day.
func TestRetryAfter(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		headers []string
		want    time.Duration
	}{
		{nil, 0},
		{[]string{"Retry-After", "7"}, 7 * time.Second},
		{[]string{"Retry-After", "0.5"}, 500 * time.Millisecond},
		{[]string{"Retry-After", "0"}, 0},
		{[]string{"Retry-After", "-3"}, 0},
		{[]string{"Retry-After", "soon"}, 0},
		{[]string{"Retry-After", "NaN"}, 0},
		{[]string{"Retry-After", "1e300"}, day},
		{[]string{"Retry-After", "99999999999999999999"}, day},
		{[]string{"Retry-After-Ms", "250", "Retry-After", "7"}, 250 * time.Millisecond},
		{[]string{"Retry-After-Ms", "x", "Retry-After", "7"}, 7 * time.Second},
		{[]string{"Date", "Sun, 06 Nov 1994 08:49:30 GMT", "Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT"}, 7 * time.Second},
		{[]string{"Date", "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After", "Sun, 06 Nov 1994 08:49:30 GMT"}, 0},
		{[]string{"Date", "yesterday", "Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"}, day},
		{[]string{"Date", "yesterday", "Retry-After", "Sun, 06 Nov 1994 08:49:30 GMT"}, 0},
	} {
		s := wiretest.Serve(t, chatwire.Refuse(429, "", "", "slow down", c.headers...))
		_, err := open(t, s, openai.Options{}).Chat(t.Context(), hello())
		if e := modelError(t, err); e.RetryAfter != c.want {
			t.Errorf("%q: %v", c.headers, e.RetryAfter)
		}
	}

	s := wiretest.Serve(t, wiretest.JSON(429, `[{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[`+
		`{"@type":"type.googleapis.com/google.rpc.Help"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"32.5s"}]}}]`))
	_, err := open(t, s, openai.Options{}).Chat(t.Context(), hello())
	if e := modelError(t, err); e.RetryAfter != 32500*time.Millisecond || e.Class != model.RateLimit {
		t.Errorf("Gemini: %s, %v", e.Class, e.RetryAfter)
	}
}

// TestRequestIDs: an error says what the server calls the request, whatever went wrong; what cannot be one is not repeated.
func TestRequestIDs(t *testing.T) {
	for _, c := range []struct {
		answer wiretest.Answer
		want   string
	}{
		{wiretest.JSON(500, `{}`, "X-Request-Id", "req_1"), "req_1"},
		{wiretest.JSON(500, `{}`, "Request-Id", "req_2", "Cf-Ray", "ray"), "req_2"},
		{wiretest.JSON(200, `{`, "X-Request-Id", "req_3"), "req_3"},
		{wiretest.JSON(200, `{}`, "X-Request-Id", "req_4"), "req_4"},
		{wiretest.JSON(200, `{"error":{"message":"x"}}`, "X-Request-Id", "req_5"), "req_5"},
		{wiretest.JSON(200, "x", "X-Request-Id", "req_6"), "req_6"},
		{message(`{"refusal":"no"}`), ""},
		{wiretest.JSON(500, `{}`, "X-Request-Id", "req 7"), ""},
		{wiretest.JSON(500, `{}`, "X-Request-Id", strings.Repeat("r", 5000)), strings.Repeat("r", 120) + "…"},
	} {
		_, err := open(t, wiretest.Serve(t, c.answer), openai.Options{}).Chat(t.Context(), hello())
		e := modelError(t, err)
		if e.RequestID != c.want || c.want != "" && !strings.HasSuffix(e.Error(), " (request "+c.want+")") {
			t.Errorf("%q in %v", e.RequestID, e)
		}
	}
}

// TestUsage: tokens are counted as the server counts them, thoughts that stand in the total alone included; and also those of a
// reply that ends as an error.
func TestUsage(t *testing.T) {
	for _, c := range []struct {
		usage string
		want  model.Usage
	}{
		{`{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}`, model.Usage{Input: 10, Output: 5}},
		{`{"prompt_tokens":10,"completion_tokens":5,"total_tokens":115}`, model.Usage{Input: 10, Output: 105}},
		{`{"prompt_tokens":10,"completion_tokens":5}`, model.Usage{Input: 10, Output: 5}},
		{`{"prompt_tokens":10.0,"completion_tokens":5e0,"total_tokens":3}`, model.Usage{Input: 10, Output: 5}},
		{`{"prompt_tokens":-1,"completion_tokens":-9,"total_tokens":-5}`, model.Usage{}},
		{`{"prompt_tokens":"10","completion_tokens":[5],"total_tokens":{}}`, model.Usage{Input: 10}},
		{`{"prompt_tokens":"10","completion_tokens":" 2 "}`, model.Usage{Input: 10, Output: 2}},
		{`{"prompt_tokens":"n/a","completion_tokens":"NaN","total_tokens":true}`, model.Usage{}},
		{`"n/a"`, model.Usage{}},
		{`[]`, model.Usage{}},
		{`7`, model.Usage{}},
		{`[{"prompt_tokens":10}]`, model.Usage{}},
		{`{"prompt_tokens":1e300,"completion_tokens":99999999999999999999}`, model.Usage{Input: 1 << 40, Output: 1 << 40}},
		{`{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":7,"audio_tokens":0}}`, model.Usage{Input: 10, Output: 5, Cached: 7}},
		{`{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":7,"cache_write_tokens":9}}`,
			model.Usage{Input: 10, Output: 5, Cached: 7, Stored: 3}},
		{`{"prompt_tokens":10,"completion_tokens":5,"prompt_cache_hit_tokens":6,"prompt_cache_miss_tokens":4}`, model.Usage{Input: 10, Output: 5, Cached: 6}},
		{`{"prompt_tokens":10,"prompt_tokens_details":{"cached_tokens":99}}`, model.Usage{Input: 10, Cached: 10}},
		{`{"prompt_tokens":10,"prompt_tokens_details":"none"}`, model.Usage{Input: 10}},
		{`{"prompt_tokens":10,"prompt_tokens_details":null}`, model.Usage{Input: 10}},
		{`{"prompt_tokens":10,"prompt_tokens_details":{"cached_tokens":-4}}`, model.Usage{Input: 10}},
		{`null`, model.Usage{}},
	} {
		for finish, fails := range map[string]bool{"stop": false, "content_filter": true} {
			for way, answer := range map[string]wiretest.Answer{
				"whole": wiretest.JSON(200, `{"choices":[{"message":{"content":"x"},"finish_reason":"`+finish+`"}],"usage":`+c.usage+`}`),
				"parts": wiretest.Events(`{"choices":[{"delta":{"content":"x"},"finish_reason":"`+finish+`"}]}`,
					`{"choices":[],"usage":`+c.usage+`}`, "[DONE]"),
			} {
				reply, err := open(t, wiretest.Serve(t, answer), openai.Options{}).Chat(t.Context(), hello())
				if reply.Usage != c.want || (err != nil) != fails || reply.Cost != 0 {
					t.Errorf("%s, %s, %s: %+v, %v", c.usage, finish, way, reply, err)
				}
			}
		}
	}
}

// TestCost: OpenRouter says what a turn has cost, and nobody else is believed to say it in dollars.
func TestCost(t *testing.T) {
	for _, c := range []struct {
		provider, cost string
		want           int64
	}{
		{"openrouter", "0.00123", 1230},
		{"openrouter", "0.0000001", 1},
		{"openrouter", "0", 0},
		{"openrouter", "-1", 0},
		{"openrouter", `"much"`, 0},
		{"openrouter", "1e99", 1e12},
		{"any", "0.00123", 0},
	} {
		s := wiretest.Serve(t, wiretest.JSON(200, `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"cost":`+c.cost+`}}`))
		reply, err := openAs(t, c.provider, "m", s.URL, openai.Options{}).Chat(t.Context(), hello())
		if err != nil || reply.Cost != c.want {
			t.Errorf("%s, %s: %d, %v", c.provider, c.cost, reply.Cost, err)
		}
	}
}
