package otel

import (
	"encoding/json"

	"go.opentelemetry.io/otel/attribute"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// message is one of a conversation as the conventions write it.
type message struct {
	Role   string `json:"role"`
	Parts  []part `json:"parts"`
	Finish string `json:"finish_reason,omitempty"`
}

type part struct {
	Type      string          `json:"type"`
	Content   string          `json:"content,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Response  string          `json:"response,omitempty"`
}

// messages are what a model was sent, and what it said, without the secrets of the run.
func (t *tracer) messages(turn *core.Turn) []attribute.KeyValue {
	request, reply := &turn.Request, &turn.Reply
	var in []message
	for i := range request.Messages {
		in = append(in, t.message(&request.Messages[i]))
	}
	all := []attribute.KeyValue{attribute.String("gen_ai.input.messages", written(in))}
	if request.System != "" {
		all = append(all, attribute.String("gen_ai.system_instructions", written([]part{{Type: "text", Content: t.run.Redact(request.System)}})))
	}
	if turn.Err == nil {
		out := t.message(&model.Message{Role: model.RoleAssistant, Text: reply.Text, Calls: reply.Calls})
		out.Finish = reply.StopReason
		all = append(all, attribute.String("gen_ai.output.messages", written([]message{out})))
	}

	return all
}

func (t *tracer) message(m *model.Message) message {
	out := message{Role: m.Role}
	switch {
	case m.Role == model.RoleTool:
		out.Parts = append(out.Parts, part{Type: "tool_call_response", ID: m.CallID, Response: t.run.Redact(m.Text)})
	case m.Text != "":
		out.Parts = append(out.Parts, part{Type: "text", Content: t.run.Redact(m.Text)})
	}
	for _, call := range m.Calls {
		out.Parts = append(out.Parts, part{
			Type: "tool_call", ID: call.ID, Name: t.run.Redact(call.Name), Arguments: arguments(t.run.Redact(call.Args)),
		})
	}

	return out
}

// arguments are what a model wrote: JSON, or a text.
func arguments(text string) json.RawMessage {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}

	return json.RawMessage(written(text))
}

// written is a value as JSON.
func written(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "" // nothing here has no JSON
	}

	return string(text)
}
