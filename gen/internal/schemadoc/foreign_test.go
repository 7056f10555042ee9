package schemadoc

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// What of a schema of others becomes Go: all that fits it fits the result.
func TestForeign(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"object"}`: `{"type":"object","additionalProperties":true}`,
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}}}`:                                                                                              `{"type":"object","additionalProperties":true,"properties":{"a":{"type":["string","null"]}}}`,
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"}]}},"required":["a","b"]}`:                                                                                     `{"type":"object","additionalProperties":true,"properties":{"a":{},"b":{}},"required":["a","b"]}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"array","items":{"$ref":"#/$defs/A"}}}}`:                                                                          `{"type":"object","additionalProperties":true,"properties":{"a":{"type":"array","items":{}}}}`,
		`{"type":"string","pattern":"(?=x)","minLength":2,"format":"email"}`:                                                                                                                             `{"type":"string","minLength":2}`,
		`{"type":"object","properties":{"a b":{},"a-b":{}},"additionalProperties":false}`:                                                                                                                `{"type":"object","additionalProperties":true}`,
		`{"allOf":[{"$ref":"#/$defs/A"},{"type":"object","properties":{"b":{"type":"string","readOnly":true}}}],"$defs":{"A":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}}`: `{"type":"object","additionalProperties":true,"properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a"]}`,
		`{"enum":["a",1,null]}`: `{}`,
		`{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}}`:                                                                 `{"type":"object","additionalProperties":true,"properties":{"next":{"$ref":"object"}}}`,
		`{"type":"object","properties":{"next":{"$ref":"#"}},"required":["next"]}`:                                                                         `{}`,
		`{"oneOf":[{"type":"object","properties":{"is":{"const":"a"}},"required":["is"]},{"properties":{"is":{"const":"b"}},"required":["is"],"not":{}}]}`: `{"is":{"a":{"type":"object","additionalProperties":true,"properties":{"is":{"type":"string"}},"required":["is"]},"b":{"type":"object","additionalProperties":true,"properties":{"is":{"type":"string"}},"required":["is"]}}}`,
		`{"type":"object","properties":{"a\"b":{},"c":{}},"additionalProperties":false}`:                                                                   `{"type":"object","additionalProperties":true,"properties":{"c":{}}}`,
		`{"type":"object","patternProperties":{"^a":{}},"additionalProperties":false}`:                                                                     `{"type":"object","additionalProperties":true}`,
		`{"minLength":3}`: `{}`,
		`true`:            `{}`,
	} {
		if got := sketch(Foreign(json.RawMessage(text), source.Span{})); got != want {
			t.Errorf("%s\nbecomes %s\nwant    %s", text, got, want)
		}
		if s := ForeignInput(json.RawMessage(text), source.Span{}); s.JSON != text {
			t.Errorf("a model is shown %s, not %s", s.JSON, text)
		}
	}
}

// sketch writes a schema as JSON Schema.
func sketch(s *ir.Schema) string {
	var parts []string
	add := func(name, text string) { parts = append(parts, words.Quote(name)+":"+text) }
	properties := func(all []*ir.Property) string {
		var members []string
		for _, p := range all {
			members = append(members, words.Quote(p.Name.Value)+":"+sketch(p.Schema))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	switch {
	case s.Kind == ir.SchemaRef:
		add("$ref", words.Quote(kindName(s.Target.Kind)))
	case s.Kind == ir.SchemaUnion:
		add(s.Tag, properties(s.Variants))
	case s.Kind == ir.SchemaAny:
	case s.Nullable:
		add("type", `["`+kindName(s.Kind)+`","null"]`)
	default:
		add("type", words.Quote(kindName(s.Kind)))
	}
	if s.Kind == ir.SchemaObject {
		if s.Additional != nil {
			add("additionalProperties", strings.Replace(sketch(s.Additional), "{}", "true", 1))
		}
		var required []string
		for _, p := range s.Properties {
			if p.Required {
				required = append(required, words.Quote(p.Name.Value))
			}
		}
		if s.Properties != nil {
			add("properties", properties(s.Properties))
		}
		if required != nil {
			add("required", "["+strings.Join(required, ",")+"]")
		}
	}
	if s.Kind == ir.SchemaArray && s.Items == nil {
		add("items", "{}")
	} else if s.Items != nil {
		add("items", sketch(s.Items))
	}
	if s.MinLength != nil {
		add("minLength", fmt.Sprint(*s.MinLength))
	}

	return "{" + strings.Join(parts, ",") + "}"
}
