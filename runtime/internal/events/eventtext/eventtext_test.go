package eventtext_test

import (
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventtext"
)

func TestLine(t *testing.T) {
	retry := event.Event{Kind: event.Retry, Agent: "look", Count: 2, Problem: "busy", Wait: 411_003_391}
	for _, c := range []struct {
		words string
		e     event.Event
		want  string
	}{
		{"{agent}: attempt {attempt}, {wait}: {error}[, {model}]", retry, "look: attempt 2, 0.4s: busy"},
		{"{wait}", event.Event{Kind: event.Retry, Wait: 5 * time.Minute}, "5m"},
		{"tool {name}[: {error}]", event.Event{Kind: event.Tool, Name: "read", Problem: "no file"}, "tool read: no file"},
		{"{agent} {unheard}", event.Event{Kind: "of a later version", Agent: "look"}, "look "},
	} {
		if got := eventtext.Line(c.words, &c.e); got != c.want {
			t.Errorf("%s: %q, not %q", c.words, got, c.want)
		}
	}
}
