package anthropic

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// usualTokens bounds a reply without a bound of its own: the interface demands one. A model that
// allows fewer says so.
const usualTokens = 32_000

// builtinName is the name of the provider in the table of settings.
const builtinName = "anthropic"

// Encode implements remote.Format. Replies come in parts, whether anyone watches or not, unless the model is to be asked without: a connection
// on which nothing comes for minutes is closed by proxies, and pauses between parts can be bounded.
func (f *format) Encode(r *model.Request, without remote.Lacking, stream bool) []byte {
	dst := make([]byte, 0, remote.SizeOf(r))
	dst = jsontext.Append(append(dst, `{"model":`...), f.endpoint.ID)
	most := mostTokens(r.Model, without)
	dst = strconv.AppendInt(append(dst, `,"max_tokens":`...), int64(most), 10)
	schema, formed := "", false
	if r.Schema != "" && !without.Has(remote.Form) {
		schema, formed = formOf(r.Schema)
	}
	texts := f.texts.Begin()
	dst = appendTools(dst, texts, r.Tools, without)
	dst = appendSystem(dst, texts, r, formed, without)
	dst = appendMessages(dst, texts, r, without)
	settings := remote.SettingsOf(r, without)
	thinking := f.thinking.orDisabled(settings)
	if thinking.on(most) {
		settings.Temperature, settings.TopP, settings.TopK = nil, nil, nil
	}
	dst = appendSettings(dst, settings, len(r.Tools) > 0)
	dst = appendThinking(dst, thinking, most)
	dst = appendOutputConfig(dst, effortOf(settings), schema)
	if settings.Extra != nil {
		dst = settings.Extra.AppendMembers(dst)
	}

	if stream {
		dst = append(dst, `,"stream":true`...)
	}
	dst = append(dst, '}')
	f.texts.End(texts, dst)

	return dst
}

// appendSettings writes the settings that are members of a request. The bound of the reply is not among
// them, because every request has one. hasTools reports whether the request has tools: only then it
// can limit the calls of a reply.
func appendSettings(dst []byte, settings model.Settings, hasTools bool) []byte {
	parallel := settings.ParallelToolCalls
	if parallel != nil && hasTools {
		dst = append(dst, `,"tool_choice":{"type":"auto","disable_parallel_tool_use":`...)
		dst = append(strconv.AppendBool(dst, !*parallel), '}')
	}
	settings.MaxTokens, settings.ParallelToolCalls, settings.Reasoning, settings.Extra = nil, nil, nil, nil
	if settings.Temperature != nil {
		highest := min(*settings.Temperature, 1)
		settings.Temperature = &highest
	}
	for _, setting := range model.SettingTable() {
		value := setting.Text(settings)
		if value != "" && !setting.IsLackedBy(builtinName) {
			dst = append(append(append(dst, `,"`...), memberName(setting)...), `":`...)
			dst = append(dst, value...)
		}
	}

	return dst
}

// memberName returns the name of a setting that is a member of requests.
func memberName(setting *model.Setting) string {
	if setting.Name == "stop" {
		return "stop_sequences"
	}

	return setting.Name
}

// settingName returns the name under which a request has a setting, or "" if the interface lacks it.
func settingName(setting *model.Setting, r *model.Request) string {
	if setting.IsLackedBy(builtinName) {
		return ""
	}
	switch setting.Name {
	case "parallel_tool_calls":
		return "disable_parallel_tool_use"
	case "reasoning":
		if effortOf(r.Model.Settings) == "" {
			return "thinking"
		}

		return "effort"
	}

	return memberName(setting)
}

// effortOf returns the effort that is asked for: the interface has no lower one than low. It returns ""
// if reasoning is not set or is none.
func effortOf(settings model.Settings) string {
	switch {
	case settings.Reasoning == nil, *settings.Reasoning == "none":
		return ""
	case *settings.Reasoning == "minimal":
		return "low"
	}

	return *settings.Reasoning
}

// appendOutputConfig writes the effort and the schema of the answer, if there is one of them.
func appendOutputConfig(dst []byte, effort, schema string) []byte {
	if effort == "" && schema == "" {
		return dst
	}
	dst = append(dst, `,"output_config":{`...)
	if effort != "" {
		dst = append(jsontext.Append(append(dst, `"effort":`...), effort), ',')
	}
	if schema != "" {
		dst = append(dst, `"format":{"type":"json_schema","schema":`...)
		dst = append(append(dst, schema...), "},"...)
	}
	dst[len(dst)-1] = '}' // instead of the comma after the last member

	return dst
}

// mostTokens bounds a reply.
func mostTokens(c *model.Choice, without remote.Lacking) int {
	most := usualTokens
	if c != nil && c.MaxTokens != nil {
		most = *c.MaxTokens
	}
	for _, bound := range []int{without.Most, without.Room} {
		if bound > 0 {
			most = min(most, bound)
		}
	}

	return most
}

func appendTools(dst []byte, texts *remote.Writing, tools []model.Tool, without remote.Lacking) []byte {
	if len(tools) == 0 {
		return dst
	}
	dst = append(dst, `,"tools":[`...)
	for i := range tools {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.Append(append(dst, `{"name":`...), remote.CallName(tools[i].Name))
		if tools[i].Description != "" {
			dst = texts.Append(append(dst, `,"description":`...), tools[i].Description)
		}
		dst = append(dst, `,"input_schema":`...)
		if tools[i].Schema == "" {
			dst = append(dst, `{"type":"object","properties":{}}`...)
		} else {
			dst = append(dst, tools[i].Schema...)
		}
		dst = append(appendMark(dst, i == len(tools)-1, without), '}')
	}

	return append(dst, ']')
}

// appendSystem writes the instructions, with the schema of the answer if the server is not to enforce it.
func appendSystem(dst []byte, texts *remote.Writing, r *model.Request, formed bool, without remote.Lacking) []byte {
	system := remote.System(r, formed)
	if strings.TrimSpace(system) == "" {
		return dst
	}
	dst = texts.Append(append(dst, `,"system":[{"type":"text","text":`...), system)

	return append(appendMark(dst, true, without), "}]"...)
}
