package openai

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/jsontext"
	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// encode writes a request. without says what the server is asked without, stream that the reply is to come in parts.
func (m *chatModel) encode(r model.Request, without lacking, stream bool) []byte {
	dst := make([]byte, 0, sizeOf(r))
	dst = jsontext.Append(append(dst, `{"model":`...), m.endpoint.ID)
	texts := m.texts.Begin()
	dst = m.appendMessages(append(dst, `,"messages":[`...), texts, r, without)
	dst = append(dst, ']')
	dst = appendTools(dst, texts, r.Tools)
	if c := r.Model; c != nil {
		if c.Temperature != nil && !without.temperature {
			dst = strconv.AppendFloat(append(dst, `,"temperature":`...), *c.Temperature, 'g', -1, 64)
		}
		if c.MaxTokens != nil {
			dst = append(append(append(dst, `,"`...), m.boundName(without)...), `":`...)
			dst = strconv.AppendInt(dst, int64(*c.MaxTokens), 10)
		}
	}
	if r.Schema != "" && !without.format {
		dst = append(dst, `,"response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":`...)
		dst = strconv.AppendBool(dst, strict(r.Schema))
		dst = append(append(append(dst, `,"schema":`...), r.Schema...), "}}"...)
	}
	if stream {
		dst = append(dst, `,"stream":true`...)
		if !without.usage {
			dst = append(dst, `,"stream_options":{"include_usage":true}`...)
		}
	}

	dst = append(dst, '}')
	m.texts.End(texts, dst)

	return dst
}

// boundName is what the server calls the bound of a reply.
func (m *chatModel) boundName(without lacking) string {
	if m.kind.completionTokens != without.bound {
		return "max_completion_tokens"
	}

	return "max_tokens"
}

// sizeOf is about what a request needs.
func sizeOf(r model.Request) int {
	size := 512 + len(r.System) + len(r.Schema)
	for i := range r.Messages {
		size += len(r.Messages[i].Text) + 96
		for _, c := range r.Messages[i].Calls {
			size += len(c.Args) + len(c.Name) + 96
		}
	}
	for i := range r.Tools {
		size += len(r.Tools[i].Schema) + len(r.Tools[i].Description) + 96
	}

	return size + size/16
}

func (m *chatModel) appendMessages(dst []byte, texts *remote.Writing, r model.Request, without lacking) []byte {
	system := r.System
	if r.Schema != "" && without.format {
		system = strings.TrimSpace(system + "\n\nAnswer with JSON alone that fits this schema: " + r.Schema)
	}
	if system != "" {
		dst = append(texts.Append(append(dst, `{"role":"system","content":`...), system), '}')
	}
	for i := range r.Messages {
		if i > 0 || system != "" {
			dst = append(dst, ',')
		}
		dst = m.appendMessage(dst, texts, &r.Messages[i])
	}

	return dst
}

func (m *chatModel) appendMessage(dst []byte, texts *remote.Writing, message *model.Message) []byte {
	switch message.Role {
	case model.RoleTool:
		dst = jsontext.Append(append(dst, `{"role":"tool","tool_call_id":`...), message.CallID)
		dst = append(dst, `,"content":`...)
	case model.RoleAssistant:
		dst = append(dst, `{"role":"assistant","content":`...)
	default:
		dst = append(dst, `{"role":"user","content":`...)
	}
	if message.Text == "" && len(message.Calls) > 0 {
		dst = append(dst, "null"...) // some servers take "" for an answer
	} else {
		dst = texts.Append(dst, message.Text)
	}
	if len(message.Calls) > 0 {
		dst = m.appendCalls(dst, texts, message)
	}

	return append(dst, '}')
}

func (m *chatModel) appendCalls(dst []byte, texts *remote.Writing, message *model.Message) []byte {
	back := extrasOf(message)
	dst = append(dst, `,"tool_calls":[`...)
	for i, c := range message.Calls {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.Append(append(dst, `{"id":`...), c.ID)
		dst = jsontext.Append(append(dst, `,"type":"function","function":{"name":`...), remote.CallName(c.Name))
		dst = texts.ArgumentsText(append(dst, `,"arguments":`...), c.Args)
		dst = append(dst, '}')
		if extra := m.extra(back, c.ID, i); extra != "" {
			dst = append(append(dst, `,"extra_content":`...), extra...)
		}
		dst = append(dst, '}')
	}

	return append(dst, ']')
}

func appendTools(dst []byte, texts *remote.Writing, tools []model.Tool) []byte {
	if len(tools) == 0 {
		return dst
	}
	dst = append(dst, `,"tools":[`...)
	for i := range tools {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.Append(append(dst, `{"type":"function","function":{"name":`...), tools[i].Name)
		dst = texts.Append(append(dst, `,"description":`...), tools[i].Description)
		dst = append(dst, `,"parameters":`...)
		if tools[i].Schema == "" {
			dst = append(dst, `{"type":"object","properties":{}}`...)
		} else {
			dst = append(dst, tools[i].Schema...)
		}
		dst = append(dst, "}}"...)
	}

	return append(dst, ']')
}
