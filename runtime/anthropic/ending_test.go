package anthropic_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

// badEnds are the reasons that are no good end, by the class of the failure; "" is null.
var badEnds = map[string]model.Class{
	"error": model.Server, "malformed_model_output": model.Server, "overloaded": model.Server, "OTHER": model.Server, "": model.Server,
	"content_filtered": model.Refused, "SAFETY": model.Refused, "guardrail_intervened": model.Refused, "refusal": model.Refused,
}

// ends are the answers in parts and whole with a reason; null for none.
func ends(reply model.Reply) map[string]wiretest.Answer {
	null := reply.StopReason == ""
	if null {
		reply.StopReason = "-"
	}
	data := anthropicwire.Parts(reply)
	text := anthropicwire.Whole(reply)
	if null {
		data = slices.DeleteFunc(data, func(d string) bool { return strings.Contains(d, "message_delta") })
		text = strings.Replace(text, `"stop_reason":"-"`, `"stop_reason":null`, 1)
	}

	return map[string]wiretest.Answer{"parts": anthropicwire.Events(data...), "whole": wiretest.JSON(200, text)}
}

// TestBadEnds: a reason that is not known to be a good end, or none, is a failure that names it, in
// parts and whole.
func TestBadEnds(t *testing.T) {
	for word, class := range badEnds {
		for way, answer := range ends(model.Reply{Text: "half of the", StopReason: word}) {
			got := ask(t, hello(), anthropic.Options{}, answer)
			failed := modelError(t, got.err)
			if failed.Class != class || class == model.Server && !strings.Contains(failed.Message, word) {
				t.Errorf("%s, %s: %v", word, way, failed)
			}
		}
	}
}

// TestEndsWithoutReason: where that is set a complete reply without a reason is accepted, and no
// other.
func TestEndsWithoutReason(t *testing.T) {
	for way, answer := range ends(model.Reply{Text: "hi"}) {
		p, err := anthropic.Options{Env: env("ANTHROPIC_API_KEY", secret)}.Open(model.Model{
			Name: "anthropic:m", Provider: "anthropic", ID: "m", BaseURL: wiretest.Serve(t, answer).URL, EndsWithoutReason: true,
		}, os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		if reply, err := p.Chat(t.Context(), hello()); err != nil || reply.Text != "hi" || reply.StopReason != model.ReasonStop {
			t.Errorf("%s: %+v, %v", way, reply, err)
		}
	}
}

// TestBadEndsInRuns: in a run a reply that has failed is neither a result nor executed, and is
// asked for again.
func TestBadEndsInRuns(t *testing.T) {
	finish := model.ToolCall{ID: "1", Name: "finish", Args: `{"key":"done","value":"half"}`}
	for name, reply := range map[string]model.Reply{
		"text": {Text: "half", StopReason: "error"}, "finish": {Calls: []model.ToolCall{finish}, StopReason: "error"}, "none": {Text: "half"},
	} {
		for way, answer := range ends(reply) {
			runAlone(t, func(pattern string, s *wiretest.Server, fin runtime.Finish, err error) {
				var failed *model.Error
				if !errors.As(err, &failed) || failed.Class != model.Server || failed.StopReason != reply.StopReason || len(s.Requests()) != 3 {
					t.Errorf("%s, %s, %s: %+v, %v", name, way, pattern, fin, err)
				}
			}, answer)
		}
	}
}

// TestCallsThatAreLost: a reply that ends with a call of a tool and has none is a faulty ending:
// the model is asked again.
func TestCallsThatAreLost(t *testing.T) {
	for way, lost := range ends(model.Reply{Text: "I will look.", StopReason: "tool_use"}) {
		runAlone(t, func(pattern string, s *wiretest.Server, fin runtime.Finish, err error) {
			if err != nil || fin.Value != "Hello to you." || len(s.Requests()) != 2 {
				t.Fatalf("%s, %s: %+v, %v", way, pattern, fin, err)
			}
			has(t, string(s.Requests()[1].Body), "has no call", "call it now")
		}, lost, sayHello)
	}
}

// TestFailuresIn200: what a server sends with status 200 instead of a reply, or within one, is an
// error in the server's own words.
func TestFailuresIn200(t *testing.T) {
	begun := anthropicwire.Stream(hi[:4]...)
	for body, c := range map[string]struct {
		class model.Class
		says  string
		times int
	}{
		`{"detail":"Not authenticated"}`:                                    {model.Auth, ": Not authenticated", 1},
		`{"code":"rate_limit_daily","message":"Daily limit reached."}`:      {model.RateLimit, ": Daily limit reached.", 3},
		`{"success":false,"errors":[{"message":"Authentication error"}]}`:   {model.Auth, ": Authentication error", 1},
		`{"error":"bad luck"}`:                                              {model.Server, ": bad luck", 3},
		`{"type":"error","error":{"type":"not_found_error","message":"x"}}`: {model.BadRequest, ": x", 1},
		`{"outcome":"none"}`:                                                {model.Server, `the reply has no message: {"outcome":"none"}`, 3},
	} {
		answers := map[string]wiretest.Answer{
			"whole": wiretest.JSON(200, body), "first": sse("data: " + body + "\n\n" + anthropicwire.Stream(hi[len(hi)-1])),
			"a named event": sse(begun + "event: error\ndata: " + body + "\n\n"), "a line": sse(begun + "error: " + body + "\n\n"),
			"in the middle": sse(begun + "data: " + body + "\n\n" + anthropicwire.Stream(hi[4:]...)),
		}
		for way, answer := range answers {
			isNoError := strings.Contains(body, "outcome")
			if isNoError && (way != "whole" && way != "first") {
				continue // an event that says nothing of a failure is passed over
			}
			runAlone(t, func(pattern string, s *wiretest.Server, _ runtime.Finish, err error) {
				var failed *model.Error
				if !errors.As(err, &failed) || failed.Class != c.class || !strings.Contains(err.Error(), c.says) || len(s.Requests()) != c.times {
					t.Errorf("%s, %s, %s: %v after %d requests", body, way, pattern, err, len(s.Requests()))
				}
			}, answer)
		}
	}
}

// TestMistakesThatServersRefuse: what the model wrote and its server cannot read is a faulty
// ending, which is asked again.
func TestMistakesThatServersRefuse(t *testing.T) {
	const message = "Failed to parse tool call arguments."
	for way, answer := range map[string]wiretest.Answer{
		"status": anthropicwire.Refuse(400, "invalid_request_error", message), "500": anthropicwire.Refuse(500, "api_error", message),
		"event": anthropicwire.Events(append(hi[:2:2], anthropicwire.Failure("api_error", message))...),
	} {
		runAlone(t, func(pattern string, s *wiretest.Server, fin runtime.Finish, err error) {
			if err != nil || fin.Value != "Hello to you." || len(s.Requests()) != 2 {
				t.Fatalf("%s, %s: %+v, %v", way, pattern, fin, err)
			}
			has(t, string(s.Requests()[1].Body), message, "Write valid JSON")
		}, answer, sayHello)
	}
}

// runAlone runs a react and a oneshot agent, each with a server that answers so. A call is tried
// three times.
func runAlone(t *testing.T, check func(pattern string, s *wiretest.Server, fin runtime.Finish, err error), answers ...wiretest.Answer) {
	t.Helper()
	choice := &model.Choice{Role: "default"}
	react := &rt.ReactSpec{Agent: "clerk", Prompt: "You are a clerk.", MaxIter: 5, Repair: 1, Model: choice}
	oneshot := &rt.OneshotSpec{Agent: "clerk", Prompt: "You are a clerk.", Repair: 1, Model: choice}
	for pattern, run := range map[string]func(fx runtime.Effects, input string) (runtime.Finish, error){
		"react": func(fx runtime.Effects, input string) (runtime.Finish, error) {
			return react.Run(fx, nil, input, rt.Place{})
		},
		"oneshot": oneshot.Run,
	} {
		s := wiretest.Serve(t, answers...)
		engine := core.New(core.Config{
			Env: env("ANTHROPIC_API_KEY", secret, "AGENTC_MODEL_DEFAULT_BASE_URL", s.URL), Retry: model.Retry{Attempts: 3, First: 1, Most: 1},
			Observer: discard{},
		})
		fin, err := engine.Run(t.Context(), &compiled.Program{
			Name: "clerk", Entry: "clerk", Shape: "s", Text: "t", HasModels: true,
			Models:  []compiled.Role{{Role: "default", Name: "anthropic:m"}},
			Openers: map[string]model.Opener{"anthropic": anthropic.Open},
			Agents:  []compiled.Agent{{Name: "clerk", Pattern: pattern, Model: choice, Run: run}},
		}, "", "File this.")
		check(pattern, s, fin, err)
	}
}

// discard is an observer, for which replies are streamed.
type discard struct{}

func (discard) Observe(event.Event) {}
