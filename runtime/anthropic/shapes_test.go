package anthropic_test

import (
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestThoughtsInTheText: servers without a parser for thoughts send them in the text. They are neither in the reply nor shown.
func TestThoughtsInTheText(t *testing.T) {
	for text, want := range map[string]string{
		"<think>abc def</think>the answer":      "the answer",
		"\n<think>\nabc </think>\n\nthe answer": "the answer",
		"<thinking>abc </thinking> the answer":  "the answer",
		"the answer has <think>no</think> mark": "the answer has mark",
	} {
		reply := model.Reply{Text: text}
		for way, got := range map[string]asked{
			"parts": ask(t, hello(), anthropic.Options{}, anthropicwire.Reply(reply)), "whole": ask(t, hello(), anthropic.Options{}, whole(reply)),
		} {
			if got.err != nil || got.reply.Text != want || got.deltas != want {
				t.Errorf("%q, %s: %q, told %q, %v", text, way, got.reply.Text, got.deltas, got.err)
			}
		}
	}

	// Of a text that begins within its thoughts nothing is shown before their end, from the second reply on.
	s := wiretest.Serve(t, anthropicwire.Reply(model.Reply{Text: "hm, so\n</think>\n\nthe answer"}))
	m := open(t, s.URL, anthropic.Options{})
	for i := range 2 {
		shown := ""
		reply, err := m.Stream(t.Context(), hello(), func(text string) { shown += text })
		if err != nil || reply.Text != "the answer" || i > 0 && shown != "the answer" {
			t.Errorf("%d: %q, told %q, %v", i, reply.Text, shown, err)
		}
	}
}

// ways are how a server was asked.
func ways(t *testing.T, s *wiretest.Server) string {
	t.Helper()
	var asked []string
	for _, r := range s.Requests() {
		sent, err := anthropicwire.Parse(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		asked = append(asked, map[bool]string{true: "stream", false: "plain"}[sent.Stream])
	}

	return strings.Join(asked, " ")
}

// TestSilentStreams: a stream that brought nothing is a failed attempt of one request, and the next
// is asked in one piece, as are those that follow if that brought something.
func TestSilentStreams(t *testing.T) {
	call := model.Reply{Calls: []model.ToolCall{{ID: "1", Name: "t", Args: "{}"}}, Usage: model.Usage{Input: 5, Output: 2}}
	lost := model.Reply{Usage: model.Usage{Input: 5, Output: 1}}
	for name, c := range map[string]struct {
		lost, whole model.Reply
		want        string
		fails       int
	}{
		"calls":   {lost, call, "stream plain plain", 1},
		"nothing": {lost, lost, "stream plain stream", 2},
		"cut":     {model.Reply{StopReason: "max_tokens"}, call, "stream stream stream", 0},
		"thoughts": {
			model.Reply{Carry: `{"type":"thinking","thinking":"hm","signature":"s"}`}, call, "stream stream stream", 0,
		},
		"lost calls": {model.Reply{Text: "I look.", StopReason: "tool_use"}, call, "stream plain plain", 0},
	} {
		s := wiretest.Serve(t, anthropicwire.Play(func(r *anthropicwire.Request) model.Reply {
			if r.Stream {
				return c.lost
			}

			return c.whole
		}))
		m := open(t, s.URL, anthropic.Options{})
		fails := 0
		for range 3 {
			reply, err := m.Stream(t.Context(), hello(), func(string) {})
			if err == nil {
				continue
			}
			fails++
			if failed := modelError(t, err); failed.Class != model.Server || reply.Usage != c.lost.Usage {
				t.Errorf("%s: %+v, %v", name, reply, err)
			}
		}
		if got := ways(t, s); got != c.want || fails != c.fails {
			t.Errorf("%s: asked %s, not %s; %d failed", name, got, c.want, fails)
		}
	}
}

// TestPlain: a model that is to be asked in one piece is.
func TestPlain(t *testing.T) {
	s := wiretest.Serve(t, sayHello)
	p, err := anthropic.Options{Env: env("ANTHROPIC_API_KEY", secret)}.Open(model.Model{
		Name: "anthropic:m", Provider: "anthropic", ID: "m", BaseURL: s.URL, Plain: true,
	}, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	if reply, err := p.Chat(t.Context(), hello()); err != nil || reply.Text != "Hello to you." || ways(t, s) != "plain" {
		t.Errorf("%+v, %v, asked %s", reply, err, ways(t, s))
	}
}
