package workflow_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// FuzzParse compares with encoding/json: what is accepted is JSON and means the same, what is
// written can be read back, and what is refused has an error with a type.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"null", "true", " [false] ", "0", "-1.50E1", "9223372036854775807", "9223372036854775808", "1e400", "0.1", "-0",
		`""`, `"\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00"`, `"\ud800"`, "\"\xff\"", `{}`,
		`{"a":{"b":[1,{"c":null}]},"":0}`, `{"a":1,"\u0061":2}`,
		"[[[[]]]]", "{", "[1,]", `{"a" 1}`, "nul", "\ufeff1",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := workflow.Parse(raw)
		if err != nil {
			if bad := (*runtime.ValueError)(nil); !errors.As(err, &bad) {
				t.Fatalf("%q: an error without a type: %v", raw, err)
			}
			return
		}

		var want any
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatalf("%q is not JSON: %v", raw, err)
		}
		if got := plain(v); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %#v, expected %#v", raw, got, want)
		}
		again, err := workflow.Parse([]byte(v.JSON()))
		if err != nil || !again.Equal(v) || again.JSON() != v.JSON() {
			t.Errorf("%q: written as %s, which reads as %s, %v", raw, v.JSON(), again.JSON(), err)
		}
	})
}

// plain returns v as encoding/json reads it into an interface.
func plain(v workflow.Value) any {
	switch x := treeOf(v).(type) {
	case int64:
		return float64(x)
	case []any:
		items := make([]any, 0, len(x))
		for _, item := range v.Items() {
			items = append(items, plain(item))
		}
		return items
	case object:
		members := map[string]any{}
		for name, member := range v.Members() {
			members[name] = plain(member)
		}
		return members
	default:
		return x
	}
}
