package runtime

import (
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// Example returns an answer that has the form the question's schema asks for, as JSON; "" without a schema. It
// satisfies the schema's types, constants and enumerations, but perhaps not its other rules.
func (q Question) Example() string {
	if q.Schema == "" {
		return ""
	}

	return exampleOf([]byte(q.Schema), 0)
}

// Form describes the form of an answer in words; "" if any text is an answer.
func (q Question) Form() string {
	example := q.Example()
	switch {
	case example == "":
		return ""
	case q.yesNo("yes") != "":
		return "JSON such as " + example + ", or yes or no"
	}

	return "JSON such as " + example
}

// yesNo is the JSON that a yes or no means for a schema of a boolean, or of an object with a boolean alone; "" if it means none.
func (q Question) yesNo(answer string) string {
	if q.Schema == "" {
		return ""
	}
	value := ""
	switch wording.Fold(answer) {
	case "yes", "y", "true":
		value = "true"
	case "no", "n", "false":
		value = "false"
	default:
		return ""
	}
	form := formOf([]byte(q.Schema))
	switch {
	case form.kind() == "boolean":
		return value
	case form.hasOneMember() && formOf(form.Properties[0].Value).kind() == "boolean":
		return "{" + string(jsontext.Append(nil, form.Required[0])) + ":" + value + "}"
	}

	return ""
}

// hasOneMember reports whether a value is an object with one member, which is required.
func (f form) hasOneMember() bool {
	hasOne := len(f.Properties) == 1 && len(f.Required) == 1

	return f.kind() == "object" && hasOne && f.Properties[0].Name == f.Required[0]
}

// form is what a schema says of the form of a value.
type form struct {
	Type       json.RawMessage   `json:"type"`
	Const      json.RawMessage   `json:"const"`
	Enum       []json.RawMessage `json:"enum"`
	AnyOf      []json.RawMessage `json:"anyOf"`
	OneOf      []json.RawMessage `json:"oneOf"`
	Items      json.RawMessage   `json:"items"`
	Minimum    json.Number       `json:"minimum"`
	Properties properties        `json:"properties"`
	Required   []string          `json:"required"`
}

// formOf reads a schema. What cannot be read says nothing.
func formOf(schema []byte) (f form) {
	_ = json.Unmarshal(schema, &f)

	return f
}

// kind is the first type of a value that is not null; "" if any will do.
func (f form) kind() string {
	var one string
	var several []string
	if json.Unmarshal(f.Type, &one) != nil && json.Unmarshal(f.Type, &several) != nil {
		return ""
	}
	for _, kind := range append(several, one) {
		if kind != "null" && kind != "" {
			return kind
		}
	}

	return one
}

// properties are the properties of a schema in its order.
type properties []jsontext.Member

// UnmarshalJSON implements json.Unmarshaler.
func (p *properties) UnmarshalJSON(data []byte) error {
	*p, _ = jsontext.Members(data) // none, if that is not an object

	return nil
}

// deepest bounds how far a schema is followed.
const deepest = 8

func exampleOf(schema []byte, depth int) string {
	f := formOf(schema)
	switch {
	case len(f.Const) > 0:
		return string(jsontext.Compact(nil, string(f.Const)))
	case len(f.Enum) > 0:
		return string(jsontext.Compact(nil, string(f.Enum[0])))
	case depth > deepest:
		return "null"
	case len(f.AnyOf) > 0:
		return exampleOf(f.AnyOf[0], depth+1)
	case len(f.OneOf) > 0:
		return exampleOf(f.OneOf[0], depth+1)
	}
	switch f.kind() {
	case "boolean":
		return "true"
	case "integer", "number":
		if f.Minimum != "" {
			return f.Minimum.String()
		}
		return "1"
	case "array":
		return "[" + exampleOf(f.Items, depth+1) + "]"
	case "object":
		return f.object(depth)
	case "null":
		return "null"
	}

	return `"text"`
}

// object has the properties that are required; all of them if none is.
func (f form) object(depth int) string {
	required := map[string]bool{}
	for _, name := range f.Required {
		required[name] = true
	}
	dst := []byte{'{'}
	for _, p := range f.Properties {
		if len(required) > 0 && !required[p.Name] {
			continue
		}
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = append(append(jsontext.Append(dst, p.Name), ':'), exampleOf(p.Value, depth+1)...)
	}

	return string(append(dst, '}'))
}
