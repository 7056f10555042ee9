package workflow_test

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

func TestSelectFields(t *testing.T) {
	selectFields := func(args ...workflow.Value) (workflow.Value, error) {
		return args[0].SelectFields(args[1], args[2])
	}
	checkCalls(t, selectFields,
		builtinCase{`{"a": 1, "b": null, "c": 3}, ["c", "b", "x"]`, `{"c":3,"b":null}`},
		builtinCase{`[{"a": 1}, {"b": 2}], ["a"]`, `[{"a":1},{}]`},
		builtinCase{`{"a": 1, "b": 2}, null, {"a": "b", "b": "a", "x": "y"}`, `{"b":1,"a":2}`},
		builtinCase{`{"a": 1, "b": 2}, ["b"], {"b": "c", "a": "d"}`, `{"c":2}`},
		builtinCase{`{"a": 1}`, `{"a":1}`}, builtinCase{`[]`, `[]`}, builtinCase{`{"a": 1}, []`, `{"a":1}`},
		builtinCase{`{"a": 1, "b": 2}, null, {"a": "b"}`, `select_fields: data: found "b twice", expected each field once`},
		builtinCase{`5`, "select_fields: data: found 5, expected an object or a list of objects"},
		builtinCase{`null`, "select_fields: data: found none, expected an object or a list of objects"},
		builtinCase{`[{}, "x"]`, `select_fields: data[1]: found "x", expected an object`},
		builtinCase{`{}, "a"`, `select_fields: include: found "a", expected a list`},
		builtinCase{`{}, [1]`, `select_fields: include[0]: found 1, expected text`},
		builtinCase{`{}, null, ["a"]`, "select_fields: rename: found a list of 1 item, expected an object"},
		builtinCase{`{}, null, {"a": 1}`, "select_fields: rename.a: found 1, expected text"},
	)
}
