package remote

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/model"
)

// BadRequest reports whether the server said that the request is wrong, and not merely too long or refused.
func (f *Refusal) BadRequest() bool {
	switch f.Class {
	case model.BadRequest, model.Server, model.Other:
		return f.Status >= 400
	}

	return false
}

// Rejects reports whether a server says that it does not know or support a field at all. That a value is too large, say, is no
// reason to leave the field out.
func (f *Refusal) Rejects(field string) bool {
	if f.Status >= 500 || f.Param != "" && f.Param != field || f.Param == "" && !strings.Contains(f.Message, field) {
		return false
	}
	if strings.HasPrefix(f.Code, "unsupported_") || strings.HasPrefix(f.Code, "unknown_") {
		return true
	}
	text := strings.ToLower(f.Message)
	for _, says := range []string{
		"unsupported", "not support", "n't support", "unrecognized", "unknown", "unexpected", "not permitted", "not allowed",
		"extra", "deprecated",
	} {
		if strings.Contains(text, says) {
			return true
		}
	}

	return false
}
