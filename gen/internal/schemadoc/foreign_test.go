package schemadoc

import (
	"encoding/json"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/source"
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
		`true`:                  `{}`,
	} {
		n, err := foreignNode(json.RawMessage(text), source.Span{})
		if err != nil {
			t.Fatal(err)
		}
		f := &foreign{root: n}
		if got := f.lowered(f.schema(n, 0)).JSON; got != want {
			t.Errorf("%s\nbecomes %s\nwant    %s", text, got, want)
		}
		if s := ForeignInput(json.RawMessage(text), source.Span{}); s.JSON != text {
			t.Errorf("a model is shown %s, not %s", s.JSON, text)
		}
	}
}
