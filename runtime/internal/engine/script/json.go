package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// member is a member of a JSON object.
type member = jsontext.Member

// membersOf returns the members of an object, of which is known that it is JSON, in source order. A
// name that occurs twice is an error: encoding/json would drop the first.
func membersOf(source []byte) ([]member, error) {
	members, err := jsontext.Members(source)
	if errors.Is(err, jsontext.ErrNotObject) {
		err = errors.New("expected an object, found " + describeValue(source))
	}
	seen := map[string]bool{}
	for _, m := range members {
		if seen[m.Name] {
			return nil, fmt.Errorf("%q is there twice", m.Name)
		}
		seen[m.Name] = true
	}

	return members, err
}

// readFields sets the members of an object, which may have only the known ones, and returns how
// many it has.
func readFields(raw json.RawMessage, set func(member) error, known ...string) (count int, err error) {
	members, err := membersOf(raw)
	if err != nil {
		return 0, err
	}
	for _, m := range members {
		if !slices.Contains(known, m.Name) {
			return 0, fmt.Errorf("unknown field %q: there are %s", m.Name, strings.Join(known, ", "))
		}
	}
	for _, m := range members {
		if err := set(m); err != nil {
			return 0, err
		}
	}

	return len(members), nil
}

// readEach reads the values of a name, one value or a list of them. It calls read with their
// numbers, from 1.
func readEach(name string, raw json.RawMessage, read func(number int, one json.RawMessage) error) error {
	raws := []json.RawMessage{raw}
	if raw[0] == '[' {
		if err := json.Unmarshal(raw, &raws); err != nil {
			return err
		}
	}
	if len(raws) == 0 {
		return fmt.Errorf("%s: expected at least one %[1]s, found none", name)
	}
	for i, one := range raws {
		if err := read(i+1, one); err != nil {
			return err
		}
	}

	return nil
}

// textIn is a value that has to be text.
func textIn(raw json.RawMessage) (text string, err error) {
	if raw[0] != '"' {
		return "", errors.New("expected text, found " + describeValue(raw))
	}

	return unquoteText(raw), nil
}

// describeValue describes what a value is, by its first byte.
func describeValue(raw []byte) string {
	switch raw[0] {
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

func unquoteText(raw json.RawMessage) string {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return ""
	}

	return text
}

func compactJSON(raw json.RawMessage) string {
	var out bytes.Buffer
	_ = json.Compact(&out, raw) // it was read as JSON

	return out.String()
}

// textOf is what a model writes: text as it is, anything else as compact JSON.
func textOf(raw json.RawMessage) text {
	if raw[0] == '"' {
		return text{content: unquoteText(raw)}
	}

	return text{content: compactJSON(raw), json: true}
}

// inputMark is the only substitution.
const inputMark = "{{input}}"

// fillInput returns the text for an agent with this input.
func (t text) fillInput(input string) string {
	if !strings.Contains(t.content, inputMark) {
		return t.content
	}
	if t.json {
		// In JSON it can only be inside of a string.
		quoted, _ := jsontext.Marshal(input) // a string always is JSON
		input = string(quoted[1 : len(quoted)-1])
	}

	return strings.ReplaceAll(t.content, inputMark, input)
}
