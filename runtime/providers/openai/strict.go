package openai

import (
	"encoding/json"
	"maps"
	"slices"
)

// strict reports whether a schema is one that servers can enforce word for word: OpenAI refuses a request that asks for that with
// any other. It is careful: a schema that it does not know enough of is asked for without.
func strict(schema string) bool {
	var root map[string]any
	if json.Unmarshal([]byte(schema), &root) != nil || root["type"] != "object" || root["anyOf"] != nil {
		return false
	}

	return isStrict(root)
}

// enforced are the keywords that can be enforced, but for those that have schemas below them.
var enforced = map[string]bool{
	"type": true, "required": true, "additionalProperties": true, "enum": true, "const": true, "description": true,
	"title": true, "$ref": true, "pattern": true, "minimum": true, "maximum": true, "exclusiveMinimum": true,
	"exclusiveMaximum": true, "multipleOf": true, "minItems": true, "maxItems": true,
}

func isStrict(value any) bool {
	schema, ok := value.(map[string]any)
	for keyword, value := range schema {
		var inner []any
		switch keyword {
		case "properties", "$defs", "definitions":
			var members map[string]any
			members, ok = value.(map[string]any)
			inner = slices.Collect(maps.Values(members))
		case "anyOf":
			inner, ok = value.([]any)
		case "items":
			inner = []any{value}
		default:
			ok = enforced[keyword]
		}
		if !ok || slices.ContainsFunc(inner, func(s any) bool { return !isStrict(s) }) {
			return false
		}
	}

	return ok && strictObject(schema)
}

// strictObject reports whether an object names all that it can have, and demands it.
func strictObject(schema map[string]any) bool {
	properties, has := schema["properties"].(map[string]any)
	if schema["type"] != "object" {
		return !has
	}
	if schema["additionalProperties"] != false {
		return false
	}
	required, _ := schema["required"].([]any)
	demanded := map[string]bool{}
	for _, name := range required {
		text, _ := name.(string)
		demanded[text] = true
	}
	for name := range properties {
		if !demanded[name] {
			return false
		}
	}

	return true
}
