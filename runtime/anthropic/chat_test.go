package anthropic_test

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestReplies: text, several calls, tokens with those of the cache, the reason of the end in the runtime's words and the model come as
// the server wrote them, in parts or in one piece, and parts add up to the text.
func TestReplies(t *testing.T) {
	for name, want := range map[string]model.Reply{
		"text": {
			Text: "Grüße, \"you\" \\ 日本 </x>", Usage: model.Usage{Input: 12, Output: 5}, StopReason: "stop", Model: "anthropic:m-2026",
		},
		"cut": {Text: "As far as", StopReason: "length", Model: "anthropic:m"},
		"cached": {
			Text: "x", StopReason: "pause", Model: "anthropic:m", Usage: model.Usage{Input: 100, Output: 5, Cached: 60, Stored: 30},
		},
		"calls": {
			Text: "Let me look. ", StopReason: "tool_calls", Model: "anthropic:m", Usage: model.Usage{Input: 1, Output: 2},
			Calls: []model.ToolCall{
				{ID: "toolu_a", Name: "search", Args: `{"query": "go \"switch\"", "n": 3}`}, {ID: "toolu_b", Name: "read", Args: `{}`},
			},
		},
	} {
		sent := want
		sent.Model = strings.TrimPrefix(want.Model, "anthropic:")
		sent.StopReason = map[string]string{
			"stop": "end_turn", "length": "max_tokens", "pause": "pause_turn", "tool_calls": "tool_use",
		}[want.StopReason]
		for way, answer := range map[string]wiretest.Answer{"parts": anthropicwire.Reply(sent), "whole": whole(sent)} {
			got := ask(t, hello(), anthropic.Options{}, answer)
			if got.err != nil || !reflect.DeepEqual(got.reply, want) || got.deltas != want.Text {
				t.Errorf("%s, %s: %v, told %q\ngot  %+v\nwant %+v", name, way, got.err, got.deltas, got.reply, want)
			}
		}
	}
}

// TestReasons: every reason of the interface that is not a failure has a word of the runtime's.
func TestReasons(t *testing.T) {
	for reason, want := range map[string]string{
		"end_turn": model.ReasonStop, "stop_sequence": model.ReasonStop, "max_tokens": model.ReasonLength,
		"model_context_window_exceeded": model.ReasonLength, "tool_use": model.ReasonCalls, "pause_turn": model.ReasonPause,
		"stop": model.ReasonStop, "length": model.ReasonLength, "tool_calls": model.ReasonCalls,
	} {
		got := ask(t, hello(), anthropic.Options{}, anthropicwire.Reply(model.Reply{Text: "x", StopReason: reason}))
		if got.err != nil || got.reply.StopReason != want {
			t.Errorf("%s is %q, %v", reason, got.reply.StopReason, got.err)
		}
	}
}

// TestDeltasComeWhileItWrites: what is told is told before the server has ended.
func TestDeltasComeWhileItWrites(t *testing.T) {
	told := make(chan string, 10)
	s := wiretest.Serve(t, func(w http.ResponseWriter, r *wiretest.Request) {
		anthropicwire.Events(hi[:4]...)(w, r)
		if got := <-told; got != "Hello " {
			t.Errorf("told %q", got)
		}
		anthropicwire.Events(hi[4:]...)(w, r)
	})
	reply, err := open(t, s.URL, anthropic.Options{}).Stream(t.Context(), hello(), func(text string) { told <- text })
	if err != nil || reply.Text != plain.Text || <-told != "to " {
		t.Errorf("%+v, %v", reply, err)
	}
}

// thought is a block of thoughts with more in it than anybody knows.
const thought = `{"type":"thinking","thinking":"Hm, <b> \u2028","signature":"c2lnbmVk+/==","later":{"b":1,"a":[ 2 ]}}`

// TestConversation: an agent of the runtime works with tools through the engine, and a strict server finds nothing to say against
// any of its requests, although the model writes arguments that are none, calls a tool by what is no name, and numbers its calls
// alike. Its thoughts come back as it has written them.
func TestConversation(t *testing.T) {
	turn := 0
	s := wiretest.Serve(t, anthropicwire.Play(func(r *anthropicwire.Request) model.Reply {
		turn++
		call := func(name, args string) model.ToolCall { return model.ToolCall{ID: "c", Name: name, Args: args} }
		switch turn {
		case 1:
			return model.Reply{
				Carry: thought, Text: "Well.", Calls: []model.ToolCall{call("start", ""), call("functions.start:0", "{half")},
			}
		case 2:
			if results := r.Messages[2].Content; len(results) != 2 || results[0].Content == results[1].Content || !results[1].Failed {
				t.Errorf("the results are %+v", results)
			}
			has(t, string(r.Raw), `"content":[`+thought+`,{"type":"text","text":"Well."},{"type":"tool_use"`)

			return model.Reply{Calls: []model.ToolCall{call("start", "[1]")}}
		}

		return model.Reply{Calls: []model.ToolCall{call("finish", `{"key": "good", "value": "done so"}`)}}
	}))
	fin, err := work(t, s)
	if err != nil || fin.Key != "good" || fin.Value != "done so" || turn != 3 {
		t.Errorf("after %d turns: %+v, %v", turn, fin, err)
	}
	for i, r := range s.Requests() {
		if r.Path != "/v1/messages" || r.Header.Get("X-Api-Key") != secret || r.Header.Get("Anthropic-Version") == "" ||
			r.Header.Get("Authorization") != "" {
			t.Errorf("request %d: %s with %s", i, r.Path, r.Header)
		}
	}
}

// work lets an agent work through the engine.
func work(t *testing.T, s *wiretest.Server) (runtime.Finish, error) {
	t.Helper()
	choice := &model.Choice{Role: "default"}
	program := &compiled.Program{
		Name: "p", Entry: "worker", Openers: map[string]model.Opener{"anthropic": anthropic.Open},
		Models: []compiled.Role{{Role: "default", Name: "anthropic:m", BaseURL: s.URL}}, HasModels: true,
		Agents: []compiled.Agent{{
			Name: "worker", Model: choice,
			Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
				return (&rt.ReactSpec{
					Agent: "worker", Model: choice, Prompt: "Work.", MaxIter: 9, Repair: 2, Keys: []string{"good", "bad"},
				}).Run(fx, nil, input, rt.Place{})
			},
		}},
	}

	return core.New(core.Config{Env: env("ANTHROPIC_API_KEY", secret)}).Run(t.Context(), program, "worker", "the task")
}

// TestCancellation: whoever cancels gets the cause, and no model is blamed; also in the midst of a reply.
func TestCancellation(t *testing.T) {
	why := errors.New("enough")
	for name, answer := range map[string]wiretest.Answer{
		"mute": wiretest.Mute(), "stalled": wiretest.Stall(sayHello, 20), "stalled later": wiretest.Stall(sayHello, until(4)),
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		s := wiretest.Serve(t, func(w http.ResponseWriter, r *wiretest.Request) {
			cancel(why)
			answer(w, r)
		})
		_, err := open(t, s.URL, anthropic.Options{}).Stream(ctx, hello(), func(string) {})
		if err != why { // as it is, not inside of an error of a model
			t.Errorf("%s: %T: %v", name, err, err)
		}
	}
}

// TestOneModelManyGoroutines: a model is shared by branches.
func TestOneModelManyGoroutines(t *testing.T) {
	s := wiretest.Serve(t, anthropicwire.Play(func(r *anthropicwire.Request) model.Reply {
		return model.Reply{Text: r.Messages[0].Content[0].Text}
	}))
	m := open(t, s.URL, anthropic.Options{})
	wrong := make(chan error, 16)
	for i := range cap(wrong) {
		go func() {
			r := hello()
			r.Messages[0].Text = strings.Repeat("x", i+1)
			reply, err := m.Stream(t.Context(), r, func(string) {})
			if err == nil && reply.Text != r.Messages[0].Text {
				err = errors.New(reply.Text)
			}
			wrong <- err
		}()
	}
	for range cap(wrong) {
		if err := <-wrong; err != nil {
			t.Error(err)
		}
	}
}
