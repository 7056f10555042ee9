package openai_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// words are the reasons that servers give for the end of a reply, by the class of the failure; ""
// for a reply.
var words = map[model.Class][]string{
	"": {
		"stop", "STOP", "eos", "eos_token", "end_turn", "stop_sequence", "COMPLETE", "length", "MAX_TOKENS", "model_length",
		"max_completion_tokens", "model_context_window_exceeded", "tool_calls", "tool_use", "function_call",
	},
	model.Refused: {
		"content_filter", "content_filter: PROHIBITED_CONTENT", "content_filtered", "safety", "RECITATION", "spii", "prohibited_content",
		"blocklist", "ERROR_TOXIC", "sensitive", "refusal",
	},
	model.Server: {
		"error", "abort", "cancelled", "timeout", "network_error", "engine_overloaded", "insufficient_system_resource", "OTHER", "unknown",
		"repetition", "load", "incomplete", "length_of_stay", "stopped", "None", "overloaded", "1", "null", "",
	},
}

// TestWordsForTheEnd: a word that is not known to be a good end is a failure that names it, whole
// and in parts.
func TestWordsForTheEnd(t *testing.T) {
	for class, list := range words {
		for _, word := range list {
			reply := model.Reply{Text: "half an answer", StopReason: word, Usage: model.Usage{Input: 7, Output: 3}}
			for way, got := range ask(t, ends(reply)) {
				if class == "" {
					if got.err != nil || got.reply.Text != reply.Text {
						t.Errorf("%s, %s: %+v, %v", word, way, got.reply, got.err)
					}
					continue
				}
				failed := modelError(t, got.err)
				names := class == model.Refused || strings.Contains(failed.Message, `"`+word+`"`) == (word != "" && word != "null")
				if failed.Class != class || !names || got.reply.Usage != reply.Usage && way == "parts" {
					t.Errorf("%s, %s: %s, %v, %+v", word, way, failed.Class, failed, got.reply)
				}
			}
		}
	}
}

// ends answers with a reply whose StopReason is the word of the server; "" is null.
func ends(reply model.Reply) wiretest.Answer {
	const none = `"finish_reason":"-"`
	if reply.StopReason != "" {
		return chatwire.Reply(reply)
	}
	reply.StopReason = "-"
	null := func(text string) string { return strings.Replace(text, none, `"finish_reason":null`, 1) }

	return func(w httpWriter, r *wiretest.Request) {
		sent, err := chatwire.Parse(r.Body)
		if err != nil || !sent.Stream {
			wiretest.JSON(200, null(chatwire.Whole(reply)))(w, r)
			return
		}
		for _, data := range chatwire.Parts(reply) {
			wiretest.Events(null(data))(w, r)
		}
	}
}

// TestSeveralReasonsForTheEnd: of the reasons in the parts of one reply the worst counts, in either
// order.
func TestSeveralReasonsForTheEnd(t *testing.T) {
	for _, c := range []struct {
		first, second, reason string
		class                 model.Class
	}{
		{"stop", "length", model.ReasonLength, ""},
		{"tool_calls", "MAX_TOKENS", model.ReasonLength, ""},
		{"stop", "content_filter", "", model.Refused},
		{"stop", "error", "", model.Server},
		{"length", "error", "", model.Server},
		{"stop", "null", model.ReasonStop, ""},
		{"stop", "", model.ReasonStop, ""},
	} {
		for _, reasons := range [][2]string{{c.first, c.second}, {c.second, c.first}} {
			part := func(text, reason string) string {
				return `{"choices":[{"index":0,"delta":{"content":"` + text + `"},"finish_reason":"` + reason + `"}]}`
			}
			got := ask(t, wiretest.Events(part("Pay", reasons[0]), part(" 12", reasons[1]), "[DONE]"))["parts"]
			switch {
			case c.class == "":
				if got.err != nil || got.reply.StopReason != c.reason || got.reply.Text != "Pay 12" {
					t.Errorf("%q: %+v, %v", reasons, got.reply, got.err)
				}
			case modelError(t, got.err).Class != c.class:
				t.Errorf("%q: %v", reasons, got.err)
			}
		}
	}
}

// TestCallsThatAreCutOff: a finish in a reply that was cut off is no result, and another tool is not
// executed, whatever reason comes after it.
func TestCallsThatAreCutOff(t *testing.T) {
	finish := model.ToolCall{ID: "1", Name: "finish", Args: `{"key":"done","value":"half"}`}
	cut := model.Reply{Calls: []model.ToolCall{finish}, StopReason: "length"}
	parts := chatwire.Parts(cut)
	late := `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	twice := wiretest.Events(append(parts[:len(parts)-1:len(parts)-1], late, "[DONE]")...)
	for name, answer := range map[string]wiretest.Answer{"once": chatwire.Reply(cut), "and a good reason": twice} {
		o := &office{folder: t.TempDir(), first: wiretest.Serve(t, answer, sayHello), second: wiretest.Serve(t, sayHello)}
		fin, err := o.engine(t, nil).Run(t.Context(), clerk(), "", "File this.")
		if err != nil || fin.Value != "Hello to you." || len(o.first.Requests()) != 2 {
			t.Errorf("%s: %+v, %v after %d requests", name, fin, err, len(o.first.Requests()))
			continue
		}
		has(t, string(o.first.Requests()[1].Body), "not complete", "none of its calls was executed")
	}
}

// TestEndsWithoutReason: a provider for which that is set may end complete replies without a
// reason, and no others.
func TestEndsWithoutReason(t *testing.T) {
	call := model.ToolCall{ID: "1", Name: "t", Args: "{}"}
	for name, c := range map[string]struct {
		answer wiretest.Answer
		reason string
	}{
		"text":   {ends(model.Reply{Text: "hi"}), model.ReasonStop},
		"a call": {ends(model.Reply{Calls: []model.ToolCall{call}}), model.ReasonCalls},
		"cut":    {wiretest.Events(`{"choices":[{"index":0,"delta":{"content":"hi"}}]}`), ""},
		"error":  {ends(model.Reply{Text: "hi", StopReason: "error"}), ""},
	} {
		for _, stream := range []bool{false, true} {
			s := wiretest.Serve(t, c.answer)
			p, err := openai.Options{Env: env()}.Open(model.Model{
				Name: "tiny:m", Provider: "tiny", ID: "m", BaseURL: s.URL, EndsWithoutReason: true,
			}, os.LookupEnv)
			if err != nil {
				t.Fatal(err)
			}
			var reply model.Reply
			if stream {
				reply, err = p.(model.Streamer).Stream(t.Context(), hello(), func(string) {})
			} else {
				reply, err = p.Chat(t.Context(), hello())
			}
			if (err == nil) != (c.reason != "") || err == nil && reply.StopReason != c.reason {
				t.Errorf("%s, streamed %v: %+v, %v", name, stream, reply, err)
			}
		}
	}
}

// TestBadEndsInRuns: a reply that has failed is neither a result nor executed. It is asked for
// again, and the error names the reason.
func TestBadEndsInRuns(t *testing.T) {
	finish := model.Reply{StopReason: "error", Calls: []model.ToolCall{{ID: "1", Name: "finish", Args: `{"key":"done","value":"half"}`}}}
	for name, reply := range map[string]model.Reply{
		"text": {Text: "half an answer", StopReason: "error"}, "finish": finish, "no reason": {Text: "half an answer"},
	} {
		runAlone(t, func(way string, s *wiretest.Server, fin runtime.Finish, err error) {
			var failed *model.Error
			if !errors.As(err, &failed) || failed.Class != model.Server || failed.StopReason != reply.StopReason || len(s.Requests()) != 3 {
				t.Errorf("%s, %s: %+v, %v after %d requests", name, way, fin, err, len(s.Requests()))
			}
		}, ends(reply))
	}
}

// TestCallsThatAreLost: a reply that ends with a call of a tool and has none is a faulty ending:
// the model is asked again.
func TestCallsThatAreLost(t *testing.T) {
	lost := chatwire.Reply(model.Reply{Text: "I will now look at it.", StopReason: "tool_calls"})
	runAlone(t, func(way string, s *wiretest.Server, fin runtime.Finish, err error) {
		if err != nil || fin.Value != "Hello to you." || len(s.Requests()) != 2 {
			t.Fatalf("%s: %+v, %v", way, fin, err)
		}
		has(t, string(s.Requests()[1].Body), "has no call", "call it now")
	}, lost, sayHello)
	runAlone(t, func(way string, s *wiretest.Server, fin runtime.Finish, err error) {
		var unfit *runtime.OutputError
		if !errors.As(err, &unfit) || len(s.Requests()) != 2 {
			t.Errorf("%s: %+v, %v", way, fin, err)
		}
	}, lost)
}

// runAlone runs a react and a oneshot agent whose model has no fallback, each with a server that
// answers so, streamed and whole. A call is tried three times.
func runAlone(t *testing.T, check func(way string, s *wiretest.Server, fin runtime.Finish, err error), answers ...wiretest.Answer) {
	t.Helper()
	spec := &rt.OneshotSpec{Agent: "clerk", Prompt: "You are a clerk.", Repair: 1, Model: &model.Choice{Role: "default"}}
	for _, pattern := range []string{"react", "oneshot"} {
		program := clerk()
		program.Models[0].Fallback = nil
		if pattern == "oneshot" {
			program.Agents[0].Pattern = pattern
			program.Agents[0].Run = func(fx runtime.Effects, input string) (runtime.Finish, error) { return spec.Run(fx, input) }
		}
		for way, stream := range map[string]string{"streamed": "true", "whole": "false"} {
			o := &office{folder: t.TempDir(), first: wiretest.Serve(t, answers...), second: wiretest.Serve(t, sayHello)}
			engine := o.engine(t, func(c *core.Config) {
				c.Env = env("AGENTC_PROVIDER_OPENAI_BASE_URL", o.first.URL, "AGENTC_MODEL_DEFAULT_API_KEY", secret,
					"AGENTC_MODEL_DEFAULT_STREAM", stream)
				c.Retry.Attempts = 3
			})
			fin, err := engine.Run(t.Context(), program, "", "File this.")
			check(pattern+", "+way, o.first, fin, err)
		}
	}
}
