package openai_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
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
		"the answer has <think>no</think> mark":   "the answer has mark",
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

// TestSilentStreams: a stream that brought nothing is a failed attempt of one request, and the next
// is asked in one piece, as are those that follow if that brought something.
func TestSilentStreams(t *testing.T) {
	lost := model.Reply{Usage: model.Usage{Input: 5, Output: 1}}
	calls := model.Reply{Calls: []model.ToolCall{{ID: "1", Name: "t", Args: "{}"}}, Usage: model.Usage{Input: 5, Output: 2}}
	for name, c := range map[string]struct {
		lost, whole model.Reply
		ways        string
	}{
		"calls":         {lost, calls, "stream! plain plain"},
		"text":          {lost, model.Reply{Text: "hi"}, "stream! plain plain"},
		"white space":   {model.Reply{Text: " \n "}, model.Reply{Text: "hi"}, "stream! plain plain"},
		"nothing":       {lost, lost, "stream! plain stream!"},
		"cut":           {model.Reply{StopReason: "length"}, calls, "stream stream stream"},
		"only thoughts": {model.Reply{Text: "<think>hm</think>"}, calls, "stream stream stream"},
		"lost calls":    {model.Reply{Text: "I look.", StopReason: "tool_calls"}, calls, "stream plain plain"},
		"no calls":      {model.Reply{Text: "I look.", StopReason: "tool_calls"}, model.Reply{Text: "I look.", StopReason: "tool_calls"}, "stream plain stream"},
	} {
		s := wiretest.Serve(t, losing(c.lost, c.whole))
		m := open(t, s, openai.Options{})
		var ways []string
		for i := range 3 {
			shown := ""
			reply, err := m.Stream(t.Context(), hello(), func(text string) { shown += text })
			if len(s.Requests()) != i+1 {
				t.Fatalf("%s: %d requests for %d attempts", name, len(s.Requests()), i+1)
			}
			sent, bad := chatwire.Parse(s.Requests()[i].Body)
			if bad != nil {
				t.Fatal(bad)
			}
			way := map[bool]string{true: "stream", false: "plain"}[sent.Stream]
			if err != nil {
				if failed := modelError(t, err); failed.Class != model.Server || reply.Usage != c.lost.Usage {
					t.Errorf("%s: %v, used %+v", name, err, reply.Usage)
				}
				way += "!"
			} else if shown != reply.Text {
				t.Errorf("%s: %+v, told %q", name, reply, shown)
			}
			ways = append(ways, way)
		}
		if got := strings.Join(ways, " "); got != c.ways {
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

// TestSilentStreamInARun: the attempt that failed is reported and its tokens count; a resume
// repeats nothing.
func TestSilentStreamInARun(t *testing.T) {
	o := &office{folder: t.TempDir(), second: wiretest.Serve(t, sayHello)}
	o.first = wiretest.Serve(t, losing(model.Reply{Usage: model.Usage{Input: 5, Output: 1}}, model.Reply{
		Calls: []model.ToolCall{{ID: "1", Name: "finish", Args: `{"key":"done","value":"Filed."}`}}, Usage: model.Usage{Input: 5, Output: 2},
	}))
	fin, err := o.engine(t, nil).Run(t.Context(), clerk(), "", "File this.")
	if err != nil || fin.Value != "Filed." || len(o.first.Requests()) != 2 {
		t.Fatalf("%+v, %v, %d requests", fin, err, len(o.first.Requests()))
	}
	has(t, o.seen.lines.String(), `"event":"retry"`, "neither text nor calls", `"tokens":{"input":10,"output":3}`)
	fin, err = o.engine(t, nil).Resume(t.Context(), clerk(), "r1", core.ResumeOptions{})
	if err != nil || fin.Value != "Filed." || len(o.first.Requests()) != 2 {
		t.Errorf("%+v, %v, %d requests", fin, err, len(o.first.Requests()))
	}
}

// TestBlankRepliesAreBounded: a server that answers nothing, and one that then fails, is asked once
// for each attempt.
func TestBlankRepliesAreBounded(t *testing.T) {
	blank := chatwire.Reply(model.Reply{Text: " "})
	busy := chatwire.Refuse(503, "", "", "busy")
	runAlone(t, func(way string, s *wiretest.Server, fin runtime.Finish, err error) {
		most := 2 // a turn and its repair
		if strings.HasSuffix(way, "streamed") {
			most = 4 // each of which failed once
		}
		if err == nil || len(s.Requests()) != most {
			t.Errorf("%s: %+v, %v after %d requests", way, fin, err, len(s.Requests()))
		}
	}, blank)
	runAlone(t, func(way string, s *wiretest.Server, fin runtime.Finish, err error) {
		var failed *model.Error
		if !errors.As(err, &failed) || len(s.Requests()) > 2*3 {
			t.Errorf("%s: %+v, %v after %d requests", way, fin, err, len(s.Requests()))
		}
	}, blank, busy)
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
