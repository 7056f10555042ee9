package openai_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/core"
	"github.com/agentc-dev/agentc/runtime/internal/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/openai"
)

// served runs the clerk with a server that answers so, streamed and whole.
func served(t *testing.T, check func(way string, o *office, fin runtime.Finish, err error), answers ...wiretest.Answer) {
	t.Helper()
	for way, stream := range map[string]string{"streamed": "true", "whole": "false"} {
		o := &office{folder: t.TempDir(), first: wiretest.Serve(t, answers...), second: wiretest.Serve(t, sayHello)}
		engine := o.engine(t, func(c *core.Config) {
			look := c.Env
			c.Env = func(name string) (string, bool) {
				if name == "AGENTC_MODEL_DEFAULT_STREAM" {
					return stream, true
				}

				return look(name)
			}
		})
		fin, err := engine.Run(t.Context(), clerk(), "", "File this.")
		check(way, o, fin, err)
		for i, r := range o.first.Requests() {
			if sent, err := chatwire.Parse(r.Body); err != nil || sent.Stream != (way == "streamed") {
				t.Errorf("%s: request %d: %s, %v", way, i, r.Body, err)
			}
		}
	}
}

// TestCallsWrittenAsText: a server without a parser for the calls of its model sends them as text. The model is asked again, and the event
// and the error say what the server lacks.
func TestCallsWrittenAsText(t *testing.T) {
	for _, text := range []string{
		`<tool_call>{"name":"start","arguments":{}}</tool_call>`,
		`<think>I begin.</think><tool_call>{"name":"start","arguments":{}}</tool_call>`,
		`[TOOL_CALLS][{"name":"start","arguments":{}}]`,
		`<|python_tag|>{"name":"start","parameters":{}}`,
		`<function=start></function>`,
		"```json\n{\"name\":\"finish\",\"arguments\":{\"key\":\"done\",\"value\":\"x\"}}\n```",
		`{"name":"start","arguments":{}}`,
		`<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.start<|message|>{}<|call|>`,
	} {
		served(t, func(way string, o *office, fin runtime.Finish, err error) {
			var missing *runtime.MissingFinishError
			if !errors.As(err, &missing) || !strings.Contains(err.Error(), "--tool-call-parser") || len(o.first.Requests()) != 2 {
				t.Errorf("%s, %s: %+v, %v", text, way, fin, err)
			}
			if !strings.Contains(o.seen.lines.String(), `"problem":"a call of a tool was written as text, and calls nothing: the server has no parser`) {
				t.Errorf("%s, %s: the event does not say what the server lacks", text, way)
			}
		}, chatwire.Reply(model.Reply{Text: text}))
	}
}

// TestFormsOfCalls: names and arguments that servers wrap are read.
func TestFormsOfCalls(t *testing.T) {
	const start, finish = `{}`, `{"key":"done","value":"Filed."}`
	for name, wrap := range map[string]func(c model.ToolCall) model.ToolCall{
		"as it should be": func(c model.ToolCall) model.ToolCall { return c },
		"double-encoded": func(c model.ToolCall) model.ToolCall {
			c.Args = `"` + strings.ReplaceAll(c.Args, `"`, `\"`) + `"`
			return c
		},
		"fenced":                 func(c model.ToolCall) model.ToolCall { c.Args = "```json\n" + c.Args + "\n```"; return c },
		"behind an empty object": func(c model.ToolCall) model.ToolCall { c.Args = "{}" + c.Args; return c },
		"a byte order mark":      func(c model.ToolCall) model.ToolCall { c.Args = "\ufeff" + c.Args; return c },
		"spaces":                 func(c model.ToolCall) model.ToolCall { c.Args = "\u00a0" + c.Args + "\u00a0"; return c },
		"a prefix":               func(c model.ToolCall) model.ToolCall { c.Name = "functions." + c.Name; return c },
		"capitals":               func(c model.ToolCall) model.ToolCall { c.Name = strings.ToUpper(c.Name); return c },
		"space around the name":  func(c model.ToolCall) model.ToolCall { c.Name = " " + c.Name + "\n"; return c },
	} {
		served(t, func(way string, o *office, fin runtime.Finish, err error) {
			if err != nil || fin.Value != "Filed." || fin.Synthetic || len(o.first.Requests()) != 2 {
				t.Errorf("%s, %s: %+v, %v", name, way, fin, err)
			}
			last := string(o.first.Requests()[1].Body)
			if !strings.Contains(last, `"name":"start","arguments":"{}"`) {
				t.Errorf("%s, %s: the conversation has another call: %s", name, way, last)
			}
		},
			chatwire.Reply(model.Reply{Calls: []model.ToolCall{wrap(model.ToolCall{ID: "1", Name: "start", Args: start})}}),
			chatwire.Reply(model.Reply{Calls: []model.ToolCall{wrap(model.ToolCall{ID: "2", Name: "finish", Args: finish})}}))
	}
}

// TestThoughtsInTheText: thoughts are neither in the value nor in what is shown.
func TestThoughtsInTheText(t *testing.T) {
	for text, want := range map[string]string{
		"<think>abc def</think>the answer":        "the answer",
		"\n<think>\nabc </think>\n\nthe answer":   "the answer",
		"<thinking>abc </thinking> the answer":    "the answer",
		"the answer has <think>no</think> mark":   "the answer has <think>no</think> mark",
		"<think>a </think><think>b </think>there": "there",
	} {
		for way, got := range ask(t, chatwire.Reply(model.Reply{Text: text})) {
			if got.err != nil || got.reply.Text != want || way == "parts" && got.deltas != want {
				t.Errorf("%q, %s: %q, told %q, %v", text, way, got.reply.Text, got.deltas, got.err)
			}
		}
	}
	served(t, func(way string, _ *office, fin runtime.Finish, err error) {
		if err != nil || fin.Value != "the answer" {
			t.Errorf("%s: %+v, %v", way, fin, err)
		}
	}, chatwire.Reply(model.Reply{Text: "<think>abc</think>the answer"}))
}

// TestTextsThatBeginWithinThoughts: where a template puts the first mark into the prompt, the value has no thoughts; from the second reply
// on they are not shown either.
func TestTextsThatBeginWithinThoughts(t *testing.T) {
	s := wiretest.Serve(t, chatwire.Reply(model.Reply{Text: "hm, so\n</think>\n\nthe answer"}),
		chatwire.Reply(model.Reply{Text: "hm, so\n</think>\n\nthe answer"}), chatwire.Reply(model.Reply{Text: "no thoughts"}))
	m := open(t, s, openai.Options{})
	for i, want := range []string{"the answer", "the answer", "no thoughts"} {
		shown := ""
		reply, err := m.Stream(t.Context(), hello(), func(text string) { shown += text })
		if err != nil || reply.Text != want || i > 0 && shown != want {
			t.Errorf("%d: %q, told %q, %v", i, reply.Text, shown, err)
		}
	}
}

// TestOnlyTheFirstChoice: choices that were not asked for are not read, whatever their order.
func TestOnlyTheFirstChoice(t *testing.T) {
	const call = `[{"index":0,"id":"c","function":{"name":"start","arguments":"{}"}}]`
	for name, answer := range map[string]wiretest.Answer{
		"whole": wiretest.JSON(200, `{"choices":[{"index":1,"message":{"content":"other"},"finish_reason":"stop"},`+
			`{"index":0,"message":{"content":null,"tool_calls":`+call+`},"finish_reason":"tool_calls"}]}`),
		"parts": wiretest.Events(`{"choices":[{"index":1,"delta":{"content":"other"},"finish_reason":"stop"}]}`,
			`{"choices":[{"index":1,"delta":{"content":"more"}},{"index":0,"delta":{"tool_calls":`+call+`}}]}`,
			`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
			`{"choices":[{"index":1,"delta":{"content":"late"}}]}`, "[DONE]"),
	} {
		for way, got := range ask(t, answer) {
			r := got.reply
			if got.err != nil || r.Text != "" || got.deltas != "" || len(r.Calls) != 1 || r.Calls[0].Name != "start" || r.StopReason != model.ReasonCalls {
				t.Errorf("%s, %s: %+v, told %q, %v", name, way, r, got.deltas, got.err)
			}
		}
	}
}

// losing is a server that loses calls in streams.
func losing(lost, whole model.Reply) wiretest.Answer {
	return chatwire.Play(func(r *chatwire.Request) model.Reply {
		if r.Stream {
			return lost
		}

		return whole
	})
}

// TestSilentStreams: after a stream that brought nothing the server is asked once in one piece, and from then on if that brought
// something. What both have used counts.
func TestSilentStreams(t *testing.T) {
	lost := model.Reply{Usage: model.Usage{Input: 5, Output: 1}}
	calls := model.Reply{Calls: []model.ToolCall{{ID: "1", Name: "t", Args: "{}"}}, Usage: model.Usage{Input: 5, Output: 2}}
	for name, c := range map[string]struct {
		lost, whole model.Reply
		ways        string
		used        model.Usage
	}{
		"calls":         {lost, calls, "stream plain|plain", model.Usage{Input: 10, Output: 3}},
		"text":          {lost, model.Reply{Text: "hi"}, "stream plain|plain", model.Usage{Input: 5, Output: 1}},
		"nothing":       {lost, lost, "stream plain|stream plain", model.Usage{Input: 10, Output: 2}},
		"cut":           {model.Reply{StopReason: "length"}, calls, "stream|stream", model.Usage{}},
		"only thoughts": {model.Reply{Text: "<think>hm</think>"}, calls, "stream|stream", model.Usage{}},
	} {
		s := wiretest.Serve(t, losing(c.lost, c.whole))
		m := open(t, s, openai.Options{})
		var ways []string
		for range 2 {
			before, shown := len(s.Requests()), ""
			reply, err := m.Stream(t.Context(), hello(), func(text string) { shown += text })
			if err != nil || shown != reply.Text {
				t.Fatalf("%s: %+v, told %q, %v", name, reply, shown, err)
			}
			if before == 0 && reply.Usage != c.used {
				t.Errorf("%s: used %+v, not %+v", name, reply.Usage, c.used)
			}
			var asked []string
			for _, r := range s.Requests()[before:] {
				sent, err := chatwire.Parse(r.Body)
				if err != nil {
					t.Fatal(err)
				}
				asked = append(asked, map[bool]string{true: "stream", false: "plain"}[sent.Stream])
			}
			ways = append(ways, strings.Join(asked, " "))
		}
		if got := strings.Join(ways, "|"); got != c.ways {
			t.Errorf("%s: asked %s, not %s", name, got, c.ways)
		}
	}

	// Thoughts that come by themselves are no silence, and without a watcher nothing was streamed.
	s := wiretest.Serve(t, wiretest.Events(`{"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]}`,
		`{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}]}`, "[DONE]"))
	if _, err := open(t, s, openai.Options{}).Stream(t.Context(), hello(), func(string) {}); err != nil || len(s.Requests()) != 1 {
		t.Errorf("thoughts: %d requests, %v", len(s.Requests()), err)
	}
	s = wiretest.Serve(t, losing(lost, lost))
	if _, err := open(t, s, openai.Options{}).Chat(t.Context(), hello()); err != nil || len(s.Requests()) != 1 {
		t.Errorf("unwatched: %d requests, %v", len(s.Requests()), err)
	}
}

// TestSilentStreamInARun: both requests are one effect, which a resume does not repeat.
func TestSilentStreamInARun(t *testing.T) {
	o := &office{folder: t.TempDir(), second: wiretest.Serve(t, sayHello)}
	o.first = wiretest.Serve(t, losing(model.Reply{}, model.Reply{
		Calls: []model.ToolCall{{ID: "1", Name: "finish", Args: `{"key":"done","value":"Filed."}`}},
	}))
	fin, err := o.engine(t, nil).Run(t.Context(), clerk(), "", "File this.")
	if err != nil || fin.Value != "Filed." || len(o.first.Requests()) != 2 {
		t.Fatalf("%+v, %v, %d requests", fin, err, len(o.first.Requests()))
	}
	fin, err = o.engine(t, nil).Resume(t.Context(), clerk(), "r1", core.ResumeOptions{})
	if err != nil || fin.Value != "Filed." || len(o.first.Requests()) != 2 {
		t.Errorf("%+v, %v, %d requests", fin, err, len(o.first.Requests()))
	}
}

// TestBareAddresses: an address without a path is that of the provider's interface.
func TestBareAddresses(t *testing.T) {
	s := wiretest.Serve(t, sayHello)
	for provider, want := range map[string]string{
		"google": "/v1beta/openai/chat/completions", "gemini": "/v1beta/openai/chat/completions", "openrouter": "/api/v1/chat/completions",
		"openai": "/v1/chat/completions", "ollama": "/v1/chat/completions", "any": "/v1/chat/completions",
	} {
		if _, err := openAs(t, provider, "m", s.URL, openai.Options{}).Chat(t.Context(), hello()); err != nil {
			t.Fatal(err)
		}
		all := s.Requests()
		if got := all[len(all)-1].Path; got != want {
			t.Errorf("%s: %s", provider, got)
		}
	}
}
