package core

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// optionalFields returns fields, given as names and values, without those whose value is "".
func optionalFields(pairs ...string) []journal.Field {
	fields := make([]journal.Field, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			fields = append(fields, journal.Field{Name: pairs[i], Value: pairs[i+1]})
		}
	}

	return fields
}

// countText and boolText write a number and a boolean; "" for 0 and false, which are left out.
func countText(n int64) string {
	if n == 0 {
		return ""
	}

	return strconv.FormatInt(n, 10)
}

func boolText(b bool) string {
	if !b {
		return ""
	}

	return "true"
}

// numberOf reads what count has written.
func numberOf(text string) (n int64, err error) {
	if text == "" {
		return 0, nil
	}

	return strconv.ParseInt(text, 10, 64)
}

// textOf is JSON of what consists of texts.
func textOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // nothing but texts
	}

	return string(text)
}

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
