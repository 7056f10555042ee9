package mcp

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// checkArguments finds arguments that are missing, and those that encoding/json would take in another sense than they were meant, or change: a
// name in other letters, an argument that is there twice, a text that no Go string can hold as it is. Two ids that differ must not become
// one.
func checkArguments(arguments json.RawMessage, schema *jsonschema.Schema) error {
	members, _ := jsontext.Members(arguments) // decode has read it, and null and nothing have none
	given := map[string]string{}
	for _, m := range members {
		name, value := m.Name, m.Value
		property := schema.Properties[name]
		switch {
		case property == nil:
			return newArgumentError("", "there is no argument "+string(encodeJSON(name)))
		case given[name] != "":
			return newArgumentError(name, "is there twice")
		case property.Type == "string" && !isText(value):
			return newArgumentError(name, "is not text: it has half of a surrogate pair, or bytes that are not UTF-8")
		}
		given[name] = string(value)
	}
	for _, name := range schema.Required {
		typed := schema.Properties[name].Type != "" || schema.Properties[name].Types != nil
		value := given[name]
		isEmpty := value == `""` || value == "[]" || value == "null"
		if value == "" || typed && isEmpty {
			return newArgumentError(name, "is required")
		}
	}

	return nil
}

// isText reports whether a JSON string comes out as it was written: what is not a character would become U+FFFD.
func isText(quoted []byte) bool {
	var text string
	_ = json.Unmarshal(quoted, &text) // decode reports what is not a string
	written := strings.ToLower(strings.ReplaceAll(string(quoted), `\\`, ""))
	meant := strings.Count(written, "\ufffd") + strings.Count(written, `\ufffd`)

	return utf8.Valid(quoted) && strings.Count(text, "\ufffd") <= meant
}
