package openai_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// failureIn200 is what a server sends with status 200 instead of a reply, how it has failed, and
// how often it is asked of three times.
type failureIn200 struct {
	body  string
	class model.Class
	says  string
	times int
}

var failuresIn200 = []failureIn200{
	{`{"code":"rate_limit_daily","message":"Daily limit reached."}`, model.RateLimit, ": Daily limit reached.", 3},
	{`{"detail":"Not authenticated"}`, model.Auth, ": Not authenticated", 1},
	{`{"detail":"Not Found"}`, model.BadRequest, ": Not Found", 1},
	{`{"success":false,"errors":[{"code":10000,"message":"Authentication error"}]}`, model.Auth, ": Authentication error", 1},
	{`{"success":false,"result":null}`, model.Server, `{"success":false,"result":null}`, 3},
	{`{"errors":["the worker has died"]}`, model.Server, ": the worker has died", 3},
	{`{"errors":{"message":"the worker has died"}}`, model.Server, ": the worker has died", 3},
	{`{"error":"Unauthorized","statusCode":401}`, model.Auth, ": Unauthorized", 1},
	{`{"error":{"message":"model x does not exist"}}`, model.BadRequest, ": model x does not exist", 1},
	{`{"object":"error","message":"it is too hot","code":500}`, model.Server, ": it is too hot", 3},
	{`{"type":"error","msg":"it is too hot"}`, model.Server, ": it is too hot", 3},
	{`{"code":1302,"msg":"Too many requests. Please try again in 1.2s"}`, model.RateLimit, ": Too many requests.", 3},
	{`{"status":404,"title":"No such path"}`, model.BadRequest, ": No such path", 1},
	{`{"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`, model.Quota, "insufficient balance", 1},
	{`{"message":"come back later"}`, model.Server, ": come back later", 3},
	{`{"outcome":"none"}`, model.Server, `the reply has no choices: {"outcome":"none"}`, 3},
}

// TestFailuresIn200: what a server sends instead of a reply is an error in the server's own words,
// whole and in parts, in every agent.
func TestFailuresIn200(t *testing.T) {
	for _, c := range failuresIn200 {
		for way, answer := range map[string]wiretest.Answer{
			"whole": wiretest.JSON(200, c.body), "part": wiretest.Events(c.body, "[DONE]"), "in a list": wiretest.JSON(200, "["+c.body+"]"),
		} {
			runAlone(t, func(pattern string, s *wiretest.Server, _ runtime.Finish, err error) {
				expectFailure(t, c.body+", "+way+", "+pattern, c, s, err)
			}, answer)
		}
	}
}

func expectFailure(t *testing.T, name string, want failureIn200, s *wiretest.Server, err error) {
	t.Helper()
	var failed *model.Error
	switch {
	case !errors.As(err, &failed):
		t.Errorf("%s: %v", name, err)
	case failed.Class != want.class || !strings.Contains(err.Error(), want.says) || strings.Contains(err.Error(), "\n"):
		t.Errorf("%s: %s: %v", name, failed.Class, err)
	case len(s.Requests()) != want.times:
		t.Errorf("%s: asked %d times, not %d", name, len(s.Requests()), want.times)
	}
}

// TestFailuresInTheMiddle: an error that comes within a reply, in whatever place, is an error of
// the whole reply.
func TestFailuresInTheMiddle(t *testing.T) {
	choice := func(rest string) string { return `{"choices":[{"index":0,"delta":{"content":"Pay 12"},` + rest + `}]}` }
	ended := `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	begun := "data: " + choice(`"finish_reason":null`) + "\n\n"
	for name, c := range map[string]struct {
		answer wiretest.Answer
		want   failureIn200
	}{
		"a choice": {
			wiretest.Events(choice(`"finish_reason":"error","error":{"code":502,"message":"Provider disconnected"}`), "[DONE]"),
			failureIn200{"", model.Server, ": Provider disconnected", 3},
		},
		"a choice that ends well": {
			wiretest.Events(choice(`"finish_reason":"stop","error":"Provider disconnected"`), "[DONE]"),
			failureIn200{"", model.Server, ": Provider disconnected", 3},
		},
		"a whole choice": {
			wiretest.JSON(200, `{"choices":[{"message":{"content":"x"},"finish_reason":"stop","error":{"code":401,"message":"No key"}}]}`),
			failureIn200{"", model.Auth, ": No key", 1},
		},
		"an event named error": {
			sse(begun + "event: error\ndata: {\"message\":\"upstream overloaded\"}\n\n"),
			failureIn200{"", model.Overloaded, ": upstream overloaded", 3},
		},
		"an event named error with text": {
			sse(begun + "event: error\ndata: upstream overloaded\n\ndata: " + ended + "\n\ndata: [DONE]\n\n"),
			failureIn200{"", model.Overloaded, ": upstream overloaded", 3},
		},
		"an event named error with nothing": {
			sse(begun + "event: error\n\ndata: " + ended + "\n\n"), failureIn200{"", model.Server, "an error without a word", 3},
		},
		"a line error": {
			sse(begun + "error: {\"code\":500,\"message\":\"slot lost\"}\n\ndata: [DONE]\n\n"), failureIn200{"", model.Server, ": slot lost", 3},
		},
		"a line of JSON": {
			sse(begun + "{\"error\":{\"message\":\"slot lost\"}}\n"), failureIn200{"", model.Server, ": slot lost", 3},
		},
		"a detail": {
			wiretest.Events(choice(`"finish_reason":null`), `{"detail":"Not authenticated"}`, ended, "[DONE]"),
			failureIn200{"", model.Auth, ": Not authenticated", 1},
		},
		"text":                         {wiretest.Body(200, "text/plain", "Unauthorized"), failureIn200{"", model.Auth, "Unauthorized", 1}},
		"text as JSON":                 {wiretest.JSON(200, `"model not found"`), failureIn200{"", model.BadRequest, "model not found", 1}},
		"null":                         {wiretest.JSON(200, "null"), failureIn200{"", model.Server, "null", 2}},
		"a page":                       {wiretest.Page(200, "Maintenance"), failureIn200{"", model.Server, `"Maintenance"`, 2}},
		"text that begins as an event": {wiretest.Body(200, "text/plain", "internal trouble"), failureIn200{"", model.Server, ": internal trouble", 2}},
	} {
		runAlone(t, func(pattern string, s *wiretest.Server, _ runtime.Finish, err error) {
			expectFailure(t, name+", "+pattern, c.want, s, err)
		}, c.answer)
	}
}

// TestFailuresBesideChoices: a reply that also reports an error is that error, and harmless members
// of good replies are none.
func TestFailuresBesideChoices(t *testing.T) {
	const choices = `"choices":[{"index":0,"message":{"content":"Pay 12"},"finish_reason":"stop"}]`
	for members, want := range map[string]failureIn200{
		`"message":"rate limited","code":429`:               {"", model.RateLimit, ": rate limited", 3},
		`"message":"it is too hot","code":"500"`:            {"", model.Server, ": it is too hot", 3},
		`"code":"rate_limit_daily","message":"come back"`:   {"", model.RateLimit, ": come back", 3},
		`"detail":"upstream died"`:                          {"", model.Server, ": upstream died", 3},
		`"detail":"Not authenticated","code":0`:             {"", model.Auth, ": Not authenticated", 1},
		`"code":429,"message":"slow down","detail":null`:    {"", model.RateLimit, ": slow down", 3},
		`"object":"error","message":"no slot","code":503.0`: {"", model.Server, ": no slot", 3},
	} {
		body := "{" + choices + "," + members + "}"
		for way, answer := range map[string]wiretest.Answer{"whole": wiretest.JSON(200, body), "part": wiretest.Events(body, "[DONE]")} {
			runAlone(t, func(pattern string, s *wiretest.Server, _ runtime.Finish, err error) {
				expectFailure(t, members+", "+way+", "+pattern, want, s, err)
			}, answer)
		}
	}
	for _, members := range []string{
		`"message":"ok"`, `"message":"success","code":0`, `"message":"success","code":"0"`, `"message":"done","code":null`,
		`"message":"done","code":200`, `"message":"done","code":"OK"`, `"message":"done","code":20000`, `"code":"x"`, `"code":500`,
		`"detail":null`, `"detail":""`, `"detail":{"slot":1}`, `"message":"","code":500`, `"message":{"content":"x"},"code":500`,
	} {
		for way, got := range ask(t, wiretest.JSON(200, "{"+choices+","+members+"}")) {
			if got.err != nil || got.reply.Text != "Pay 12" {
				t.Errorf("%s, %s: %+v, %v", members, way, got.reply, got.err)
			}
		}
	}
}

// TestPagesAreAskedOnceMore: a page of a gateway, and a status that passes, does not end a run.
func TestPagesAreAskedOnceMore(t *testing.T) {
	for name, answer := range map[string]wiretest.Answer{
		"a page": wiretest.Page(200, "Maintenance"), "null": wiretest.JSON(200, "null"), "a page with 403": wiretest.Page(403, "Just a moment..."),
		"409": chatwire.Refuse(409, "", "", "conflict"), "423": chatwire.Refuse(423, "", "", "locked"), "425": chatwire.Refuse(425, "", "", "early"),
	} {
		runAlone(t, func(pattern string, s *wiretest.Server, fin runtime.Finish, err error) {
			if err != nil || fin.Value != "Hello to you." || len(s.Requests()) != 2 {
				t.Errorf("%s, %s: %+v, %v", name, pattern, fin, err)
			}
		}, answer, sayHello)
	}
	for _, status := range []int{400, 401, 402, 404, 421, 422} {
		runAlone(t, func(pattern string, s *wiretest.Server, fin runtime.Finish, err error) {
			if err == nil || len(s.Requests()) != 1 {
				t.Errorf("%d, %s: %+v, %v", status, pattern, fin, err)
			}
		}, chatwire.Refuse(status, "", "", "no"), sayHello)
	}
	runAlone(t, func(pattern string, s *wiretest.Server, _ runtime.Finish, err error) {
		expectFailure(t, pattern, failureIn200{"", model.Network, `a proxy or a firewall before the server refuses with a page with the title "Just a moment..."`, 2}, s, err)
	}, wiretest.Page(403, "Just a moment..."))
}

// TestWaitsInMessages: how long to wait is read from the message where no header says it.
func TestWaitsInMessages(t *testing.T) {
	for message, want := range map[string]time.Duration{
		"Rate limit reached. Please try again in 1.2s. Visit": 1200 * time.Millisecond, "Please try again in 6m0s.": 6 * time.Minute,
		"try again in 850ms": 850 * time.Millisecond, "Retry after 20 seconds.": 20 * time.Second, "Please retry in 2 minutes": 2 * time.Minute,
		"try again in a while": 0, "try again in": 0, "try again in -5s": 0, "slow down": 0, "try again in 999999h": 24 * time.Hour,
	} {
		for name, answer := range map[string]wiretest.Answer{
			"status": chatwire.Refuse(429, "", "", message), "200": wiretest.JSON(200, `{"error":{"code":429,"message":`+wiretest.Quoted(message)+`}}`),
		} {
			_, err := open(t, wiretest.Serve(t, answer), openai.Options{}).Chat(t.Context(), hello())
			if got := modelError(t, err); got.RetryAfter != want || got.Class != model.RateLimit {
				t.Errorf("%q, %s: %v, %s", message, name, got.RetryAfter, got.Class)
			}
		}
	}
	answer := chatwire.Refuse(429, "", "", "try again in 20s", "Retry-After", "3")
	_, err := open(t, wiretest.Serve(t, answer), openai.Options{}).Chat(t.Context(), hello())
	if got := modelError(t, err); got.RetryAfter != 3*time.Second {
		t.Errorf("the header counts: %v", got.RetryAfter)
	}
}
