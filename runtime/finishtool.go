package runtime

import (
	"encoding/json"
	"strings"
)

// Names of the tools that every react agent has.
const (
	toolStart     = "start"
	toolFinish    = "finish"
	toolReadSkill = "read_skill"
)

var startTool = ModelTool{
	Name:        toolStart,
	Description: "Returns your task. Call it first.",
	Schema:      `{"type":"object","properties":{},"additionalProperties":false}`,
}

// finishTool is finish as the model is offered it at a place. It is a function of the legal keys and the output schema alone,
// byte for byte: providers cache what stands before a conversation.
func finishTool(l legality, output *OutputSpec) ModelTool {
	required := `["key","value"]`
	if l.kind == placeFree {
		required = `["value"]`
	}

	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{"key":`)
	b.WriteString(keySchema(l))
	b.WriteString(`,"value":`)
	b.WriteString(valueSchema(output))
	b.WriteString(`},"required":`)
	b.WriteString(required)
	b.WriteString(`,"additionalProperties":false}`)

	return ModelTool{
		Name:        toolFinish,
		Description: "Ends your work: key says how it ended, value is the result.",
		Schema:      b.String(),
	}
}

func keySchema(l legality) string {
	dst := []byte(`{"type":"string",`)
	switch {
	case l.kind == placeClosed && len(l.keys) > 0:
		dst = append(dst, `"enum":[`...)
		for i, key := range l.keys {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(dst, key)
		}
		dst = append(dst, `],"description":"Decides what happens next."}`...)
	case l.kind == placeFree:
		dst = append(dst, `"description":"Optional here: done, if nothing else is asked for."}`...)
	case len(l.keys) > 0:
		dst = append(dst, `"description":`...)
		dst = appendString(dst, "Decides what happens next. Known keys: "+list(l.keys)+". Any other text is possible.")
		dst = append(dst, '}')
	default:
		dst = append(dst, `"description":"Decides what happens next: any text."}`...)
	}

	return string(dst)
}

func valueSchema(output *OutputSpec) string {
	if output != nil && output.Schema != "" {
		return output.Schema
	}

	return `{"type":"string","description":"The result, whole."}`
}

// finishArgs are the arguments of a finish. A nil field was not there.
type finishArgs struct {
	key, value json.RawMessage
}

// parseFinish reads what the model wrote; problem says what keeps it from being a finish at all.
func parseFinish(args string) (parsed finishArgs, problem string) {
	if strings.TrimSpace(args) == "" {
		return finishArgs{}, ""
	}

	if _, err := parseValue(args); err != nil {
		return finishArgs{}, "its arguments cannot be read: " + err.Error()
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(args), &members); err != nil || members == nil {
		return finishArgs{}, "its arguments are not a JSON object"
	}
	parsed = finishArgs{key: members["key"], value: members["value"]}
	known := 0
	for _, member := range []json.RawMessage{parsed.key, parsed.value} {
		if member != nil {
			known++
		}
	}
	if known < len(members) {
		return finishArgs{}, "it takes key and value, and nothing else"
	}

	return parsed, ""
}
