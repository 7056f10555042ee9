package core

import (
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/model"
)

// recordedCall is a call of a tool in a model's reply, as it is recorded.
type recordedCall struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name"`
	Args string `json:"args,omitempty"`
	// Bytes are all three where JSON cannot hold what the model wrote as texts.
	Bytes [][]byte `json:"bytes,omitempty"`
}

func recordCallOf(c model.ToolCall) recordedCall {
	as := recordedCall{ID: c.ID, Name: c.Name, Args: c.Args}
	if !utf8.ValidString(c.ID) || !utf8.ValidString(c.Name) || !utf8.ValidString(c.Args) {
		as.Bytes = [][]byte{[]byte(c.ID), []byte(c.Name), []byte(c.Args)}
	}

	return as
}

func (c recordedCall) call() model.ToolCall {
	if len(c.Bytes) == 3 {
		return model.ToolCall{ID: string(c.Bytes[0]), Name: string(c.Bytes[1]), Args: string(c.Bytes[2])}
	}

	return model.ToolCall{ID: c.ID, Name: c.Name, Args: c.Args}
}
