package rt

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Names of the tools that every react agent has.
const (
	toolStart     = "start"
	toolFinish    = "finish"
	toolReadSkill = "read_skill"
	// toolReadSkillFile is offered once a skill was read that has files.
	toolReadSkillFile = "read_skill_file"
	// toolReadResult is offered once a result was cut.
	toolReadResult = "read_result"
)

var startTool = model.Tool{
	Name:        toolStart,
	Description: "Returns your task. Call it first.",
	Schema:      `{"type":"object","properties":{},"additionalProperties":false}`,
}

// finishTool is finish as the model is offered it at a place. It is a function of the legal keys,
// the output schema and the kind of list alone, byte for byte: providers cache what is before a
// conversation.
func finishTool(at *placeInfo, output *OutputSpec, list *ListSpec) model.Tool {
	var buffer [512]byte // mostly enough, and then one string is all that is allocated
	dst := append(buffer[:0], `{"type":"object","properties":{"key":`...)
	dst = appendKeySchema(dst, at)
	dst = append(dst, `,"value":`...)
	dst = appendValueSchema(dst, output, list)
	dst = append(dst, `},"required":`...)
	if at.kind == placeFree {
		dst = append(dst, `["value"]`...)
	} else {
		dst = append(dst, `["key","value"]`...)
	}
	dst = append(dst, `,"additionalProperties":false}`...)

	return model.Tool{
		Name:        toolFinish,
		Description: "Ends your work: key says how it ended, value is the result.",
		Schema:      string(dst),
	}
}

func appendKeySchema(dst []byte, at *placeInfo) []byte {
	dst = append(dst, `{"type":"string",`...)
	switch {
	case at.kind == placeClosed && len(at.keys) > 0:
		dst = append(dst, `"enum":[`...)
		for i, key := range at.keys {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = jsontext.Append(dst, key)
		}

		return append(dst, `],"description":"Decides what happens next."}`...)
	case at.kind == placeFree:
		return append(dst, `"description":"Optional here: done, if nothing else is asked for."}`...)
	case len(at.keys) > 0:
		dst = append(dst, `"description":`...)
		dst = jsontext.Append(dst, "Decides what happens next. Known keys: "+wording.List(at.keys)+". Any other text is possible.")

		return append(dst, '}')
	}

	return append(dst, `"description":"Decides what happens next: any text."}`...)
}

// appendValueSchema allows an array beside what the value else is, if it may be a list.
func appendValueSchema(dst []byte, output *OutputSpec, list *ListSpec) []byte {
	if list != nil {
		description := "The list."
		if list.Key != "" {
			description = "With key " + wording.Quote(list.Key) + ": the list."
		}
		dst = append(dst, `{"anyOf":[{"type":"array","items":{"type":"string"},"description":`...)
		dst = jsontext.Append(dst, description)
		dst = append(dst, "},"...)
	}
	if output != nil && output.Schema != "" {
		place := `"$ref":"#/properties/value`
		if list != nil {
			place += "/anyOf/1"
		}
		dst = append(dst, strings.ReplaceAll(output.Schema, `"$ref":"#`, place)...) // references are from the top of the whole text
	} else {
		dst = append(dst, `{"type":"string","description":"The result, whole."}`...)
	}
	if list != nil {
		dst = append(dst, "]}"...)
	}

	return dst
}

// finishArgs are the arguments of a finish as JSON. An empty field was not there.
type finishArgs struct {
	key, value string
}

// parseFinish reads what the model wrote; problem describes why it is not a finish; "" if it is
// one.
func parseFinish(args string) (parsed finishArgs, problem string) {
	if strings.TrimSpace(args) == "" {
		return finishArgs{}, ""
	}

	whole, err := parseValue(args)
	switch {
	case err != nil:
		return finishArgs{}, "its arguments cannot be read: " + err.Error()
	case whole.kind != valueObject:
		return finishArgs{}, "its arguments are not a JSON object"
	}
	for name, member := range whole.Members() {
		switch name {
		case "key":
			parsed.key = member.Literal()
		case "value":
			parsed.value = member.Literal()
		default:
			return finishArgs{}, "it takes key and value, and nothing else"
		}
	}

	return parsed, ""
}
