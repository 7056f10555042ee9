package openai_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// TestReplies: text, several calls, usage, the reason of the end and the model come as the server wrote them, whole and in parts,
// and parts add up to the text.
func TestReplies(t *testing.T) {
	for name, want := range map[string]model.Reply{
		"text": {
			Text: "Grüße, \"you\" \\ 日本", Usage: model.Usage{Input: 12, Output: 5}, StopReason: "stop", Model: "openai:m-2026",
		},
		"cut": {Text: "As far as", StopReason: "length", Model: "openai:m"},
		"calls": {
			Text: "Let me look. ", StopReason: "tool_calls", Model: "openai:m", Usage: model.Usage{Input: 1, Output: 2},
			Calls: []model.ToolCall{
				{ID: "call_a", Name: "search", Args: `{"query": "go \"switch\"", "n": 3}`},
				{ID: "call_b", Name: "read", Args: `{}`},
				{ID: "call_c", Name: "finish", Args: `{"key": half`},
			},
		},
	} {
		sent := want
		sent.Model = strings.TrimPrefix(want.Model, "openai:")
		for way, got := range both(t, hello(), openai.Options{}, chatwire.Reply(sent)) {
			if got.err != nil || !reflect.DeepEqual(got.reply, want) {
				t.Errorf("%s, %s: %v\ngot  %+v\nwant %+v", name, way, got.err, got.reply, want)
			}
			if way == "parts" && got.deltas != want.Text {
				t.Errorf("%s: told %q", name, got.deltas)
			}
		}
	}
}

// TestDeltasComeWhileItWrites: what is told is told before the server has ended, and so on until the end.
func TestDeltasComeWhileItWrites(t *testing.T) {
	parts := chatwire.Parts(model.Reply{Text: "one two"})
	told := make(chan string, 10)
	s := wiretest.Serve(t, func(w httpWriter, r *wiretest.Request) {
		wiretest.Events(parts[:2]...)(w, r)
		if got := <-told; got != "one " {
			t.Errorf("told %q", got)
		}
		wiretest.Events(parts[2:]...)(w, r)
	})
	reply, err := open(t, s, openai.Options{}).Stream(t.Context(), hello(), func(text string) { told <- text })
	if err != nil || reply.Text != "one two" || <-told != "two" {
		t.Errorf("%+v, %v", reply, err)
	}
}

// TestConversation: an agent of the runtime works with tools through the engine, and a strict server finds nothing to say against
// any of its requests, although the model writes arguments that are none, calls a tool by what is no name, and numbers its calls
// alike.
func TestConversation(t *testing.T) {
	turn := 0
	s := wiretest.Serve(t, chatwire.Play(func(r *chatwire.Request) model.Reply {
		turn++
		switch turn {
		case 1:
			return called("start", "", "functions.start:0", "{half")
		case 2:
			if n := len(r.Messages); n != 5 || r.Messages[4].Role != "tool" || *r.Messages[3].Content == *r.Messages[4].Content {
				t.Errorf("the results are %+v", r.Messages)
			}

			return called("start", "[1]")
		}

		return called("finish", `{"key": "good", "value": "done so"}`)
	}))
	program := &compiled.Program{
		Name: "p", Entry: "worker",
		Models: []compiled.Role{{Role: "default", Name: "openai:m", BaseURL: s.URL}}, HasModels: true,
		Agents: []compiled.Agent{{
			Name: "worker", Model: &model.Choice{Role: "default"},
			Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
				return (&rt.ReactSpec{
					Agent: "worker", Model: &model.Choice{Role: "default"}, Prompt: "Work.",
					MaxIter: 9, Repair: 2, Keys: []string{"good", "bad"},
				}).Run(fx, nil, input, rt.Place{})
			},
		}},
	}
	o := openai.Options{Env: env("OPENAI_API_KEY", secret)}
	engine := core.New(core.Config{Providers: map[string]model.Opener{"openai": o.Open}, Env: o.Env})
	fin, err := engine.Run(t.Context(), program, "worker", "the task")
	if err != nil || fin.Key != "good" || fin.Value != "done so" || turn != 3 {
		t.Errorf("after %d turns: %+v, %v", turn, fin, err)
	}
	for i, r := range s.Requests() {
		if r.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+secret {
			t.Errorf("request %d: %s with %s", i, r.Path, r.Header)
		}
	}
}

// TestMissingKeyIsFoundBeforeAnythingIsSpent: a run does not begin if one of its models lacks a key, though others have theirs.
func TestMissingKeyIsFoundBeforeAnythingIsSpent(t *testing.T) {
	s := wiretest.Serve(t, sayHello)
	vars := env("AGENTC_MODEL_CHEAP_NAME", "ollama:m", "AGENTC_MODEL_CHEAP_BASE_URL", s.URL, "AGENTC_MODEL_GOOD_NAME", "openai:m")
	o := openai.Options{Env: vars}
	engine := core.New(core.Config{Providers: map[string]model.Opener{"openai": o.Open, "ollama": o.Open}, Env: vars})
	oneshot := func(role string) compiled.Agent {
		choice := &model.Choice{Role: role}

		return compiled.Agent{
			Name: role, Model: choice, Contains: []string{"good"},
			Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
				return (&rt.OneshotSpec{Agent: role, Model: choice}).Run(fx, input)
			},
		}
	}
	program := &compiled.Program{Name: "p", Entry: "cheap", Agents: []compiled.Agent{oneshot("cheap"), oneshot("good")}}
	_, err := engine.Run(t.Context(), program, "cheap", "a task")
	var missing *model.CredentialError
	if !errors.As(err, &missing) || missing.Variables[0] != "OPENAI_API_KEY" || len(s.Requests()) != 0 {
		t.Errorf("%d requests, %v", len(s.Requests()), err)
	}
}

// called is a reply with calls, of names and arguments in turn, all with the same id.
func called(pairs ...string) model.Reply {
	var reply model.Reply
	for i := 0; i < len(pairs); i += 2 {
		reply.Calls = append(reply.Calls, model.ToolCall{ID: "c", Name: pairs[i], Args: pairs[i+1]})
	}

	return reply
}

// TestCancellation: whoever cancels gets the cause, and no model is blamed; also in the midst of a reply.
func TestCancellation(t *testing.T) {
	why := errors.New("enough")
	for name, answer := range map[string]wiretest.Answer{
		"mute": wiretest.Mute(), "stalled": wiretest.Stall(sayHello, 20),
		"stalled parts": wiretest.Stall(wiretest.Events(hi...), bytesOf(hi[:2])),
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		s := wiretest.Serve(t, func(w httpWriter, r *wiretest.Request) {
			cancel(why)
			answer(w, r)
		})
		_, err := open(t, s, openai.Options{}).Stream(ctx, hello(), func(string) {})
		if err != why { // as it is, not inside of an error of a model
			t.Errorf("%s: %T: %v", name, err, err)
		}
	}
}

// TestOneModelManyGoroutines: a model is shared by branches.
func TestOneModelManyGoroutines(t *testing.T) {
	s := wiretest.Serve(t, chatwire.Play(func(r *chatwire.Request) model.Reply {
		return model.Reply{Text: *r.Messages[1].Content, Calls: []model.ToolCall{{Name: "t", Args: "{}"}}}
	}))
	m := open(t, s, openai.Options{})
	wrong := make(chan string, 16)
	for i := range cap(wrong) {
		go func() {
			r := hello()
			r.Messages[0].Text = strings.Repeat("x", i+1)
			reply, err := m.Stream(t.Context(), r, func(string) {})
			if err != nil || reply.Text != r.Messages[0].Text {
				wrong <- reply.Text + " " + errText(err)
				return
			}
			wrong <- ""
		}()
	}
	for range cap(wrong) {
		if text := <-wrong; text != "" {
			t.Error(text)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}

	return err.Error()
}
