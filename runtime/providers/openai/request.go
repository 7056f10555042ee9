package openai

import (
	"strconv"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Encode implements remote.Format.
func (f *format) Encode(r *model.Request, without remote.Lacking, stream bool) []byte {
	dst := make([]byte, 0, remote.SizeOf(r))
	dst = jsontext.Append(append(dst, `{"model":`...), f.endpoint.ID)
	texts := f.texts.Begin()
	dst = f.appendMessages(append(dst, `,"messages":[`...), texts, r, without)
	dst = append(dst, ']')
	dst = appendTools(dst, texts, r.Tools)
	dst = f.appendSettings(dst, r, without)
	if r.Schema != "" && !without.Has(remote.Form) {
		dst = append(dst, `,"response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":`...)
		dst = strconv.AppendBool(dst, strict(r.Schema))
		dst = append(append(append(dst, `,"schema":`...), r.Schema...), "}}"...)
	}
	if stream {
		dst = append(dst, `,"stream":true`...)
		if !without.Has(remote.StreamUsage) {
			dst = append(dst, `,"stream_options":{"include_usage":true}`...)
		}
	}

	dst = append(dst, '}')
	f.texts.End(texts, dst)

	return dst
}

// appendSettings writes the settings under their names in chat completions, and then the further settings. Servers refuse
// a setting of calls in a request without tools.
func (f *format) appendSettings(dst []byte, r *model.Request, without remote.Lacking) []byte {
	settings := remote.SettingsOf(r, without)
	extra := settings.Extra
	settings.Extra = nil
	if len(r.Tools) == 0 {
		settings.ParallelToolCalls = nil
	}
	for _, setting := range model.SettingTable() {
		value := setting.Text(settings)
		if value == "" {
			continue
		}
		name := settingName(setting)
		if name == "max_tokens" {
			name = f.boundName(without)
		}
		dst = append(append(append(dst, `,"`...), name...), `":`...)
		dst = append(dst, value...)
	}
	if extra != nil {
		dst = extra.AppendMembers(dst)
	}

	return dst
}

// settingName returns the name of a setting in chat completions.
func settingName(setting *model.Setting) string {
	if setting.Name == "reasoning" {
		return "reasoning_effort"
	}

	return setting.Name
}

// boundName is what the server calls the bound of a reply.
func (f *format) boundName(without remote.Lacking) string {
	if f.kind.completionTokens != without.Has(remote.BoundName) {
		return "max_completion_tokens"
	}

	return "max_tokens"
}

func (f *format) appendMessages(dst []byte, texts *remote.Writing, r *model.Request, without remote.Lacking) []byte {
	system := remote.System(r, !without.Has(remote.Form))
	if system != "" {
		dst = append(texts.Append(append(dst, `{"role":"system","content":`...), system), '}')
	}
	for i := range r.Messages {
		if i > 0 || system != "" {
			dst = append(dst, ',')
		}
		dst = f.appendMessage(dst, texts, &r.Messages[i])
	}

	return dst
}

func (f *format) appendMessage(dst []byte, texts *remote.Writing, message *model.Message) []byte {
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
		dst = f.appendCalls(dst, texts, message)
	}

	return append(dst, '}')
}

func (f *format) appendCalls(dst []byte, texts *remote.Writing, message *model.Message) []byte {
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
		if extra := f.extra(back, c.ID, i); extra != "" {
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
