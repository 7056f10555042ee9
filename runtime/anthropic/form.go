package anthropic

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// formOf is a schema as servers can enforce it: objects allow no other members than they name, and what they cannot enforce is in
// the description, for the model to read. That makes it no narrower than the schema is for answers that a model would give, and the
// runtime checks the answer against the schema itself. ok is false for a schema of which that cannot be made. Members keep their order,
// since models write them in it.
func formOf(schema string) (form string, ok bool) {
	raw, ok := enforceable([]byte(schema), 0)
	if !ok || !bytes.Contains(raw, []byte(`"additionalProperties":false`)) {
		return "", false
	}

	return string(raw), true
}

// member is one of an object, in the order in which they are written.
type member = jsontext.Member

// membersOf returns the members of an object; ok is false for anything else.
func membersOf(raw []byte) (all []member, ok bool) {
	all, err := jsontext.Members(raw)

	return all, err == nil
}

func appendMembers(dst []byte, all []member) []byte {
	dst = append(dst, '{')
	for i, m := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(jsontext.Append(dst, m.Name), ':'), m.Value...)
	}

	return append(dst, '}')
}

// enforced are the keywords that stay as they are.
var enforced = map[string]bool{
	"$ref": true, "type": true, "title": true, "enum": true, "const": true, "required": true,
}

// formats are the formats of texts that stay.
var formats = []string{"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}

// deepest is how far schemas may be in one another.
const deepest = 32

// enforceable is a schema with what can be enforced; ok is false if it says nothing that could be, such as an object of any members.
func enforceable(schema []byte, depth int) (made []byte, ok bool) {
	all, ok := membersOf(schema)
	if !ok || depth > deepest {
		return nil, false
	}
	var kept []member
	var noted []string
	description, object, named := "", false, false
	for _, m := range all {
		switch m.Name {
		case "description":
			_ = json.Unmarshal(m.Value, &description)
			continue
		case "additionalProperties":
			continue
		case "properties", "$defs":
			named = named || m.Name == "properties"
			m.Value, ok = eachMember(m.Value, depth)
		case "items":
			m.Value, ok = enforceable(m.Value, depth+1)
		case "anyOf", "oneOf", "allOf":
			m.Name = strings.Replace(m.Name, "oneOf", "anyOf", 1)
			m.Value, ok = eachElement(m.Value, depth)
		default:
			if !keeps(m) {
				noted = append(noted, m.Name+": "+string(m.Value))
				continue
			}
			object = object || m.Name == "type" && string(m.Value) == `"object"`
		}
		if !ok {
			return nil, false
		}
		kept = append(kept, m)
	}
	if object && !named {
		return nil, false
	}
	if named {
		kept = append(kept, member{Name: "additionalProperties", Value: []byte("false")})
	}

	return appendMembers(nil, described(kept, description, noted)), true
}

// keeps reports whether a keyword without schemas below it can be enforced.
func keeps(m member) bool {
	switch m.Name {
	case "minItems":
		return string(m.Value) == "0" || string(m.Value) == "1"
	case "format":
		var name string

		return json.Unmarshal(m.Value, &name) == nil && slices.Contains(formats, name)
	}

	return enforced[m.Name]
}

// described adds the description, with the keywords that only the model can heed.
func described(all []member, description string, noted []string) []member {
	if len(noted) > 0 {
		description = strings.TrimSpace(description + " {" + strings.Join(noted, ", ") + "}")
	}
	if description == "" {
		return all
	}

	return append(all, member{Name: "description", Value: jsontext.Append(nil, description)})
}

// eachMember makes all members of an object enforceable.
func eachMember(raw []byte, depth int) (made []byte, ok bool) {
	all, ok := membersOf(raw)
	for i := range all {
		if ok {
			all[i].Value, ok = enforceable(all[i].Value, depth+1)
		}
	}

	return appendMembers(nil, all), ok
}

// eachElement makes all elements of a list enforceable.
func eachElement(raw []byte, depth int) (made []byte, ok bool) {
	var all []json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return nil, false
	}
	for i := range all {
		all[i], ok = enforceable(all[i], depth+1)
		if !ok {
			return nil, false
		}
	}
	made, err := json.Marshal(all)

	return made, err == nil && len(all) > 0
}
