package jsontext_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

func TestMembers(t *testing.T) {
	for text, want := range map[string]string{
		`{"b": 1, "a": [ 2 ], "b": {}}`: "b=1 a=[ 2 ] b={} ",
		` {} `:                          "",
		``:                              "it is not a JSON object",
		`[]`:                            "it is not a JSON object",
		`null`:                          "it is not a JSON object",
		`{"a": [1`:                      "it is not JSON: unexpected EOF",
		`{"a": }`:                       "it is not JSON: invalid character '}' looking for beginning of value",
		`{1: 2}`:                        "it is not JSON: invalid character '1'",
		`{} {}`:                         "there is more behind its JSON object",
		`{"a": 1} }`:                    "there is more behind its JSON object",
	} {
		all, err := jsontext.Members([]byte(text))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			for _, m := range all {
				got += m.Name + "=" + string(m.Value) + " "
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// FuzzMembers: an object is what encoding/json takes for one, and has the members that it has.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":[{}],"a":"x"}`, `{}`, `[]`, `{"a"}`, `{"a":1}}`, `null`, `{"":{"":null}} `, `{1:2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := jsontext.Members(text)
		var want map[string]json.RawMessage
		failed := json.Unmarshal(text, &want)
		if failed == nil && want == nil {
			failed = jsontext.ErrNotObject // null
		}
		if (err == nil) != (failed == nil) {
			t.Fatalf("%q: %v, and encoding/json says %v", text, err, failed)
		}
		got := map[string]json.RawMessage{}
		for _, m := range all {
			got[m.Name] = m.Value
		}
		if err == nil && fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%q: %q, and encoding/json reads %q", text, got, want)
		}
	})
}

func TestStrictly(t *testing.T) {
	for text, want := range map[string]string{
		`{"A": 1} `:        "<nil>",
		`{"A": 1, "B": 2}`: `json: unknown field "B"`,
		`{"A": 1} 2`:       "there is more behind its JSON object",
		`{"A": 1} }`:       "there is more behind its JSON object",
		``:                 "EOF",
	} {
		var into struct{ A int }
		if err := jsontext.Strictly([]byte(text), &into); fmt.Sprint(err) != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if err := jsontext.Strictly([]byte(`{"A": "x"}`), new(struct{ A int })); !errors.As(err, new(*json.UnmarshalTypeError)) {
		t.Errorf("another type: %v", err)
	}
}

func TestDoubled(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":2}`: "", `{"run":"d1","run":"d2"}`: "run", `{"run":"d1","RUN":"d2"}`: "RUN",
		`{"value":{"a":1,"A":2}}`: "", `{"value":{"a":1,"a":2}}`: "a", `{"a":[{"b":1},{"b":2}],"b":"b"}`: "",
		`{"a":[[],{"c":{}}, "d"],"e":[{"f":"f","g":["f","f"]}],"a":null}`: "a", `{"a":"a","b":"a"}`: "", `{"a":[{"x":1,"y":[],"x":2}]}`: "x",
		`"a"`: "", `[]`: "", ``: "", `{"a":1,`: "", `{"\u0061":1,"a":2}`: "a",
	} {
		if name, found := jsontext.Doubled([]byte(text)); name != want || found != (want != "") {
			t.Errorf("%s: %q, want %q", text, name, want)
		}
	}
}
