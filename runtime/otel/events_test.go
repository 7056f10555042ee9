package otel

import (
	"os"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind/kindtest"
)

func TestEachEventHasItsObserver(t *testing.T) {
	kindtest.CompareFunctions(t, observers, func(k *eventkind.Kind) eventkind.Treatment { return k.Telemetry })
}

// TestREADMEListsTheNotes: the page names the events of spans that rows have.
func TestREADMEListsTheNotes(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range eventkind.All {
		if k.Note != nil && !strings.Contains(string(page), "`"+k.Note.Name+"`") {
			t.Errorf("README.md does not name %s", k.Note.Name)
		}
	}
}

// TestAttributesOfNotes: numbers are numbers, and texts of people and models are sent, without secrets, only if texts are.
func TestAttributesOfNotes(t *testing.T) {
	note := &eventkind.Note{Attributes: []eventkind.Attribute{
		{Key: "agent", Field: "agent"}, {Key: "attempt", Field: "attempt"}, {Key: "problem", Field: "error", Private: true},
	}}
	s := core.Sight{Event: event.Event{Kind: event.Retry, Agent: "look", Count: 2, Problem: "a secret", Wait: time.Second}}
	redact := func(text string) string { return text + ", redacted" }
	public := []attribute.KeyValue{attribute.String("agent", "look"), attribute.Int("attempt", 2)}
	for content, want := range map[bool][]attribute.KeyValue{
		false: public,
		true:  append(public, attribute.String("problem", "a secret, redacted")),
	} {
		observer := &tracer{content: content, run: core.Observed{Redact: redact}}
		config := trace.NewEventConfig(observer.noteAttributes(note, s))
		got, expected := attribute.NewSet(config.Attributes()...), attribute.NewSet(want...)
		if !got.Equals(&expected) {
			t.Errorf("with content %v: %v", content, config.Attributes())
		}
	}
}
