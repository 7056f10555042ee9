package rt

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// meantCalls returns the calls of a reply as they are meant: with the names of tools that are
// offered, and arguments that are one JSON object. Models and servers wrap both. What can be read
// in several ways, or in none, stays as it is.
func (t *toolbox) meantCalls(calls []model.ToolCall) []model.ToolCall {
	own := false
	for i := range calls {
		name, args := t.meantName(calls[i].Name), meantArgs(calls[i].Args)
		if name == calls[i].Name && args == calls[i].Args {
			continue
		}
		if !own { // the reply is the engine's
			calls, own = slices.Clone(calls), true
		}
		calls[i].Name, calls[i].Args = name, args
	}

	return calls
}

// meantName is the tool that name means: as it is written; else without what is invisible around
// it, a mark of the harmony format behind it and the namespace functions; else the only tool that
// is offered with this name in other letters.
func (t *toolbox) meantName(name string) string {
	if t.isKnown(name) {
		return name
	}
	plain, _, _ := strings.Cut(name, "<|")
	plain = strings.TrimPrefix(trimInvisible(plain), "functions.")
	if t.isKnown(plain) {
		return plain
	}

	found := ""
	for _, tool := range t.offered {
		switch {
		case !strings.EqualFold(tool.Name, plain):
		case found != "":
			return name
		default:
			found = tool.Name
		}
	}
	if found == "" {
		return name
	}

	return found
}

// isKnown reports whether a tool, locked or not, has the name.
func (t *toolbox) isKnown(name string) bool {
	if t.isOffered(name) {
		return true
	}
	spec, locked := t.lookUpTool(name)

	return spec != nil || locked != ""
}

// meantArgs is the JSON object that args mean; args themselves if there is not exactly one.
func meantArgs(args string) string {
	if plainObject(args) {
		return repairedObject(args)
	}
	text := args
	for range 4 { // a fence, a string and an object, and one more
		text = trimFence(trimInvisible(text))
		switch {
		case text == "" || text == "null":
			return "{}"
		case text[0] == '{':
			object := oneObject(text)
			if object != "" {
				return object
			}
			repaired, ok := jsontext.Repair(text)
			if !ok {
				return args
			}

			return repaired
		case text[0] != '"' || json.Unmarshal([]byte(text), &text) != nil:
			return args
		}
	}

	return args
}

// repairedObject is an object with small mistakes of a model repaired; the text itself if it is
// something else, or what it means is not certain.
func repairedObject(text string) string {
	if strings.TrimSpace(text) == "" {
		return text
	}
	repaired, ok := jsontext.Repair(text)
	if !ok {
		return text
	}

	return repaired
}

// plainObject reports whether text begins and ends as one object does, which nearly all arguments
// do: then nothing is looked for. One bracket that closes an object and one that opens another side
// by side may be two objects.
func plainObject(text string) bool {
	text = strings.Trim(text, " \t\r\n")
	if text == "" {
		return true
	}
	if text[0] != '{' || text[len(text)-1] != '}' {
		return false
	}
	closed := false
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case ' ', '\t', '\r', '\n':
		case '{':
			if closed {
				return false
			}
		default:
			closed = text[i] == '}'
		}
	}

	return true
}

// oneObject returns the object that a text of one or several is: the only one that is not empty;
// several that are the same are one. It is "" for any other text.
func oneObject(text string) string {
	found := "{}"
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var raw json.RawMessage
		err := d.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil || raw[0] != '{' {
			return ""
		}
		empty := len(bytes.TrimSpace(raw[1:len(raw)-1])) == 0
		switch {
		case empty:
		case found == "{}":
			found = string(raw)
		case found != string(raw):
			return ""
		}
	}
}

// trimInvisible returns text without white space, byte order marks and spaces of no width around
// it.
func trimInvisible(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b' || r == '\u2060' })
}
