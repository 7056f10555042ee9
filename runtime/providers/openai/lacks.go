package openai

import (
	"net/http"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Less implements remote.Format.
func (f *format) Less(refused *remote.Refusal, r *model.Request, now remote.Lacking, stream bool) remote.Lacking {
	if !refused.BadRequest() {
		return now
	}
	fields := append(remote.SettingFields(r, settingName),
		remote.Field{Lack: remote.BoundName, Name: f.boundName(now), Sent: r.Model != nil && r.Model.MaxTokens != nil},
		remote.Field{Lack: remote.StreamUsage, Name: "stream_options", Sent: stream},
	)
	without := now.Rejected(refused, fields...)
	if without == now && r.Schema != "" && mayMindFormat(refused) {
		without.Left |= remote.Form
	}

	return without
}

// mayMindFormat reports whether the form of the answer may be why. Servers have too many words for
// that to wait for one of them: a refusal that has another reason comes again.
func mayMindFormat(f *remote.Refusal) bool {
	switch f.Status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return f.Param == "" || strings.Contains(f.Param, "format") || strings.Contains(f.Param, "schema")
	}
	text := strings.ToLower(f.Message)

	return f.Status >= 500 &&
		(strings.Contains(text, "grammar") || strings.Contains(text, "schema") || strings.Contains(text, "response_format"))
}
