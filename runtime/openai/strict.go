package openai

import "encoding/json"

// strict reports whether a schema is one that servers can enforce word for word: OpenAI refuses a request that asks for that with
// any other. It is careful: a schema that it does not know enough of is asked for without.
func strict(schema string) bool {
	var root map[string]any
	if json.Unmarshal([]byte(schema), &root) != nil || root["type"] != "object" || root["anyOf"] != nil {
		return false
	}

	return strictSchema(root)
}

// enforced are the keywords that can be enforced, but for those that have schemas below them.
var enforced = map[string]bool{
	"type": true, "required": true, "additionalProperties": true, "enum": true, "const": true, "description": true,
	"title": true, "$ref": true, "pattern": true, "minimum": true, "maximum": true, "exclusiveMinimum": true,
	"exclusiveMaximum": true, "multipleOf": true, "minItems": true, "maxItems": true,
}

func strictSchema(schema map[string]any) bool {
	for keyword, value := range schema {
		switch keyword {
		case "properties", "$defs", "definitions":
			members, ok := value.(map[string]any)
			if !ok || !allStrict(members) {
				return false
			}
		case "anyOf":
			list, ok := value.([]any)
			for _, s := range list {
				one, isSchema := s.(map[string]any)
				ok = ok && isSchema && strictSchema(one)
			}
			if !ok {
				return false
			}
		case "items":
			if one, ok := value.(map[string]any); !ok || !strictSchema(one) {
				return false
			}
		default:
			if !enforced[keyword] {
				return false
			}
		}
	}

	return strictObject(schema)
}

func allStrict(members map[string]any) bool {
	for _, s := range members {
		if one, ok := s.(map[string]any); !ok || !strictSchema(one) {
			return false
		}
	}

	return true
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
