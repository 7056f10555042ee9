package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// member is a member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// membersOf returns the members of an object, of which is known that it is JSON, in source order. A name that occurs twice is an
// error: encoding/json would drop the first.
func membersOf(source []byte) ([]member, error) {
	decoder := json.NewDecoder(bytes.NewReader(source))
	open, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	if open != json.Delim('{') {
		return nil, errors.New("expected an object, found " + describe(source))
	}

	var members []member
	seen := map[string]bool{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: name.(string)}
		if err := decoder.Decode(&m.value); err != nil {
			return nil, err
		}
		if seen[m.name] {
			return nil, fmt.Errorf("%q is there twice", m.name)
		}
		seen[m.name] = true
		members = append(members, m)
	}

	return members, nil
}

// fields returns the members of an object that may have only the known ones.
func fields(raw json.RawMessage, known ...string) ([]member, error) {
	members, err := membersOf(raw)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		if !contains(known, m.name) {
			return nil, fmt.Errorf("unknown field %q: there are %s", m.name, strings.Join(known, ", "))
		}
	}

	return members, nil
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}

	return false
}

// kindOf is the first byte of a JSON value: { [ " t f n, or one of a number.
func kindOf(raw json.RawMessage) byte {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return 0
	}

	return raw[0]
}

func describe(raw []byte) string {
	switch kindOf(raw) {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "text"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}

	return "a number"
}

func unquote(raw json.RawMessage) string {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return ""
	}

	return text
}

func compact(raw json.RawMessage) string {
	var out bytes.Buffer
	if err := json.Compact(&out, raw); err != nil {
		return string(raw)
	}

	return out.String()
}

// textOf is what a model writes: text as it is, anything else as compact JSON.
func textOf(raw json.RawMessage) text {
	if kindOf(raw) == '"' {
		return text{content: unquote(raw)}
	}

	return text{content: compact(raw), json: true}
}

// inputMark is the only substitution.
const inputMark = "{{input}}"

// with is the text for an agent with this input.
func (t text) with(input string) string {
	if !strings.Contains(t.content, inputMark) {
		return t.content
	}
	if t.json {
		// In JSON it can only be inside of a string.
		input = inside(input)
	}

	return strings.ReplaceAll(t.content, inputMark, input)
}

// inside is text as it is between the quotes of a JSON string. What is special in HTML stays as it is.
func inside(text string) string {
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return text // a string always is JSON
	}

	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(quoted.String()), `"`), `"`)
}
