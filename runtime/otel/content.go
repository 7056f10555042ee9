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

// messageAttributes returns the messages that a model received and its reply, without the secrets
// of the run.
func (t *tracer) messageAttributes(turn *core.Turn) []attribute.KeyValue {
	request, reply := &turn.Request, &turn.Reply
	var in []message
	for i := range request.Messages {
		in = append(in, t.newMessage(&request.Messages[i]))
	}
	all := []attribute.KeyValue{attribute.String("gen_ai.input.messages", encodeJSON(in))}
	if request.System != "" {
		all = append(all, attribute.String("gen_ai.system_instructions", encodeJSON([]part{{Type: "text", Content: t.run.Redact(request.System)}})))
	}
	if turn.Err == nil {
		out := t.newMessage(&model.Message{Role: model.RoleAssistant, Text: reply.Text, Calls: reply.Calls})
		out.Finish = reply.StopReason
		all = append(all, attribute.String("gen_ai.output.messages", encodeJSON([]message{out})))
	}

	return all
}

func (t *tracer) newMessage(m *model.Message) message {
	out := message{Role: m.Role}
	switch {
	case m.Role == model.RoleTool:
		out.Parts = append(out.Parts, part{Type: "tool_call_response", ID: m.CallID, Response: t.run.Redact(m.Text)})
	case m.Text != "":
		out.Parts = append(out.Parts, part{Type: "text", Content: t.run.Redact(m.Text)})
	}
	for _, call := range m.Calls {
		out.Parts = append(out.Parts, part{
			Type: "tool_call", ID: call.ID, Name: t.run.Redact(call.Name), Arguments: argumentsJSON(t.run.Redact(call.Args)),
		})
	}

	return out
}

// argumentsJSON returns the arguments that a model wrote as JSON: the object, or else a string.
func argumentsJSON(text string) json.RawMessage {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}

	return json.RawMessage(encodeJSON(text))
}

// encodeJSON returns a value as JSON.
func encodeJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "" // nothing here has no JSON
	}

	return string(text)
}
