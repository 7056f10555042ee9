package rt_test

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime"
)

func TestFormsOfAnswers(t *testing.T) {
	for _, c := range []struct{ schema, example, yes string }{
		{"", "", "yes"},
		{`{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}`, `{"approved":true}`, `{"approved":true}`},
		{`{"type":"object","properties":{"approved":{"type":["boolean","null"]},"why":{"type":"string"}},"required":["approved"]}`, `{"approved":true}`, "yes"},
		{`{"type":"object","properties":{"approved":{"type":"boolean"}}}`, `{"approved":true}`, "yes"},
		{`{"type":"boolean"}`, "true", "true"},
		{`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"array","items":{"type":"integer","minimum":3}},"m":{"enum":["x", "y"]}}}`,
			`{"z":"text","a":[3],"m":"x"}`, "yes"},
		{`{"anyOf":[{"const":{"a" : 1}},{"type":"string"}]}`, `{"a":1}`, "yes"},
		{`{"oneOf":[{"type":["null","number"]}]}`, "1", "yes"},
		{`{"type":"null"}`, "null", "yes"}, {`{"type":"object"}`, "{}", "yes"}, {`{`, `"text"`, "yes"}, {`{"type":3,"properties":[1]}`, `"text"`, "yes"},
	} {
		q := runtime.Question{Schema: c.schema}
		if got := q.Example(); got != c.example {
			t.Errorf("the example for %s is %s", c.schema, got)
		}
		if got, ok := q.Choose("yes"); !ok || got != c.yes {
			t.Errorf("yes to %s is %s", c.schema, got)
		}
	}
	q := runtime.Question{Schema: `{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}`}
	for said, want := range map[string]string{
		"Y": `{"approved":true}`, "No": `{"approved":false}`, "false": `{"approved":false}`, " n": `{"approved":false}`, "perhaps": "perhaps", `{"approved":false}`: `{"approved":false}`,
	} {
		if got, _ := q.Choose(said); got != want {
			t.Errorf("%q is %s", said, got)
		}
	}
	if form := q.Form(); form != `JSON such as {"approved":true}, or yes or no` {
		t.Errorf("the form is %s", form)
	}
}

func FuzzExample(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"items":{"anyOf":[{}]}}},"required":["a"]}`, "yes")
	f.Fuzz(func(_ *testing.T, schema, answer string) {
		q := runtime.Question{Schema: schema}
		_, _ = q.Choose(answer)
		_ = q.Form()
	})
}
