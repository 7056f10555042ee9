package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// Object is an object of further settings, as JSON without white space whose members are sorted.
type Object string

// ParseObject returns the object that a text of JSON spells. It returns an error for other text, and for an object with a
// member that IsSentMember.
func ParseObject(text string) (Object, error) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var members map[string]any
	if err := d.Decode(&members); err != nil {
		return "", err
	}
	if members == nil || d.More() {
		return "", jsontext.ErrNotObject
	}
	for name := range members {
		if IsSentMember(name) {
			return "", fmt.Errorf("the clients send %s themselves", name)
		}
	}
	sorted, err := jsontext.Marshal(members)

	return Object(sorted), err
}

// MarshalJSON implements json.Marshaler.
func (o Object) MarshalJSON() ([]byte, error) { return []byte(o), nil }

// UnmarshalJSON implements json.Unmarshaler.
func (o *Object) UnmarshalJSON(text []byte) error {
	read, err := ParseObject(string(text))
	if err != nil {
		return errors.New("further settings: " + err.Error())
	}
	*o = read

	return nil
}

// AppendMembers appends the members of the object to those of another one, which is not empty and not closed.
func (o Object) AppendMembers(dst []byte) []byte {
	if len(o) <= len("{}") {
		return dst
	}

	return append(append(dst, ','), o[1:len(o)-1]...)
}

// sentMembers are the members of requests that clients of models write, besides the settings by their names.
var sentMembers = []string{
	"max_completion_tokens", "messages", "model", "output_config", "reasoning_effort", "response_format", "stop_sequences", "stream",
	"stream_options", "system", "thinking", "tool_choice", "tools",
}

// IsSentMember reports whether clients of models write a member of a request themselves, so that further settings cannot
// have it.
func IsSentMember(name string) bool {
	isSetting := slices.ContainsFunc(settingTable, func(r *Setting) bool { return r.Name == name })

	return isSetting || slices.Contains(sentMembers, name)
}
