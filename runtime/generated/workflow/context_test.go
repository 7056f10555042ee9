package workflow_test

import (
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

func TestParsePath(t *testing.T) {
	for text, want := range map[string][]string{
		"a": {"a"}, "a.b.c": {"a", "b", "c"}, "context.a": {"a"}, "scratchpad.a": {"a"}, "context.scratchpad.a": {"a"},
		"import_artifacts.a.b": {"a", "b"}, "context.import_artifacts.a": {"a"},
		"a.context": {"a", "context"}, "a.scratchpad": {"a", "scratchpad"},
		"context": {}, "scratchpad": {}, "context.scratchpad": {}, "scratchpad.context": {"context"}, "with space": {"with space"},
	} {
		if got, ok := workflow.ParsePath(text); !ok || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", ".", "a.", ".a", "a..b"} {
		if got, ok := workflow.ParsePath(text); ok {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

// pair puts the two values of a builtin that changes the context into a list.
func pair(
	call func(context, path, value workflow.Value) (changed, result workflow.Value, err error),
) func(...workflow.Value) (workflow.Value, error) {
	return func(args ...workflow.Value) (workflow.Value, error) {
		changed, result, err := call(args[0], args[1], args[2])

		return workflow.List(changed, result), err
	}
}

func TestContextSet(t *testing.T) {
	const place = "expected a place in the context, such as review.author"
	checkCalls(t, pair(workflow.Value.ContextSet),
		builtinCase{`{"a": 1}, "b", "x"`, `[{"a":1,"b":"x"},{"path":"b","value":"x","success":true}]`},
		builtinCase{`{}, "scratchpad.a.b", [1]`, `[{"a":{"b":[1]}},{"path":"scratchpad.a.b","value":[1],"success":true}]`},
		builtinCase{`{"a": {"b": 1}}, "a", null`, `[{"a":null},{"path":"a","value":null,"success":true}]`},
		builtinCase{`{"n": 1}, "n", " 2.5 "`, `[{"n":2.5},{"path":"n","value":2.5,"success":true}]`},
		builtinCase{`{"n": 1}, "n", "two"`, `[{"n":"two"},{"path":"n","value":"two","success":true}]`},
		builtinCase{`{"n": "1"}, "n", "2"`, `[{"n":"2"},{"path":"n","value":"2","success":true}]`},
		builtinCase{`{"a": 1}, "context", {"b": 2}`, `[{"b":2},{"path":"context","value":{"b":2},"success":true}]`},
		builtinCase{`{"a": 1}, "context", 5`, "context_set: value: found 5, expected an object, as it becomes the context"},
		builtinCase{`{"a": 1}, "a.b", 5`, "cannot set a.b: a is a number, expected an object"},
		builtinCase{`{}, null, 5`, "context_set: path: found none, " + place},
		builtinCase{`{}, "a..b", 5`, `context_set: path: found "a..b", ` + place},
		builtinCase{`{}, 7, 5`, "context_set: path: found 7, " + place},
	)
}

func TestContextMerge(t *testing.T) {
	checkCalls(t, pair(workflow.Value.ContextMerge),
		builtinCase{
			`{"a": {"x": 1, "o": {"p": 1}}}, "a", {"x": 2, "y": [], "o": {"q": 2}}`,
			`[{"a":{"x":2,"o":{"p":1,"q":2},"y":[]}},{"path":"a","merged_keys":["x","y","o"],"success":true}]`,
		},
		builtinCase{`{}, "a.b", {"x": 1}`, `[{"a":{"b":{"x":1}}},{"path":"a.b","merged_keys":["x"],"success":true}]`},
		builtinCase{`{"a": null}, "a", {}`, `[{"a":{}},{"path":"a","merged_keys":[],"success":true}]`},
		builtinCase{`{"a": 1}, "scratchpad", {"b": 2}`, `[{"a":1,"b":2},{"path":"scratchpad","merged_keys":["b"],"success":true}]`},
		builtinCase{`{"a": 1}, "a", {"b": 2}`, "cannot set a: a is a number, expected an object"},
		builtinCase{`{}, "a", [1]`, "context_merge: value: found a list of 1 item, expected an object"},
		builtinCase{`{}, "", {}`, `context_merge: path: found "", expected a place in the context, such as review.author`},
	)
}

func TestContextGet(t *testing.T) {
	contextGet := func(args ...workflow.Value) (workflow.Value, error) {
		return args[0].ContextGet(args[1], args[2])
	}
	checkCalls(t, contextGet,
		builtinCase{`{"a": {"b": false}}, "a.b", 1`, `false`},
		builtinCase{`{"a": {"b": null}}, "context.a.b", 1`, `1`},
		builtinCase{`{"a": ""}, "a", 1`, `""`},
		builtinCase{`{}, "a.b"`, `null`},
		builtinCase{`{"a": 1}, "context"`, `{"a":1}`},
		builtinCase{`{}, {}`, "context_get: path: found an object, expected a place in the context, such as review.author"},
	)
}
