package workflow_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// builtins are the methods of the first argument that the compiler knows: their names in workflows,
// in Go, and the other parameters, in Go's order. The first argument of those of the context is the
// context.
var builtins = map[string][]string{
	"stringify":               {"Stringify"},
	"flatten":                 {"Flatten"},
	"check_user_confirmation": {"Confirmation"},
	"to_csv":                  {"ToCSV", "headers"},
	"aggregate":               {"Aggregate", "operation", "field"},
	"select_fields":           {"SelectFields", "include", "rename"},
	"context_set":             {"ContextSet", "path", "value"},
	"context_get":             {"ContextGet", "path", "fallback"},
	"context_merge":           {"ContextMerge", "path", "value"},
}

// TestBuiltinsThatTheCompilerKnows: it knows them by their names alone.
func TestBuiltinsThatTheCompilerKnows(t *testing.T) {
	got := map[string][]string{}
	for _, name := range []string{"builtin.go", "csv.go", "aggregate.go", "selectfields.go", "context.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !f.Name.IsExported() {
				continue
			}
			// The comment says "Go is name(".
			_, after, _ := strings.Cut(f.Doc.Text(), f.Name.Name+" is ")
			inWorkflows, _, found := strings.Cut(after, "(")
			if !found {
				t.Errorf("the comment of %s does not name it", f.Name.Name)
			}
			got[inWorkflows] = []string{f.Name.Name}
			for _, field := range f.Type.Params.List {
				for _, name := range field.Names {
					got[inWorkflows] = append(got[inWorkflows], name.Name)
				}
			}
		}
	}
	if len(got) != len(builtins) {
		t.Errorf("found %v", got)
	}
	for name, want := range builtins {
		if !slices.Equal(got[name], want) {
			t.Errorf("%s: found %v, expected %v", name, got[name], want)
		}
	}
}

// builtinCase is a call of a builtin: args and what comes of it are JSON.
type builtinCase struct {
	args, want string
}

// checkCalls calls a builtin with lists of arguments; missing ones are none. What is no JSON in
// want is an error.
func checkCalls(t *testing.T, call func(args ...workflow.Value) (workflow.Value, error), cases ...builtinCase) {
	t.Helper()
	for _, c := range cases {
		list := parsed(t, "["+c.args+"]")
		args := make([]workflow.Value, 4)
		for i := range args {
			args[i] = list.At(i)
		}
		v, err := call(args...)
		got := v.JSON()
		if err != nil {
			got = err.Error()
			if code := runtime.ErrorType(err); code != "ArgumentError" && code != "PathError" {
				t.Errorf("%s: an error without a type: %v", c.args, err)
			}
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.args, got, c.want)
		}
		if list.JSON() != parsed(t, "["+c.args+"]").JSON() {
			t.Errorf("%s: the arguments were changed to %s", c.args, list)
		}
	}
}

func one(call func(workflow.Value) (workflow.Value, error)) func(...workflow.Value) (workflow.Value, error) {
	return func(args ...workflow.Value) (workflow.Value, error) { return call(args[0]) }
}

func TestStringify(t *testing.T) {
	checkCalls(t, one(workflow.Value.Stringify),
		builtinCase{`null`, `"None"`}, builtinCase{`true`, `"True"`}, builtinCase{`false`, `"False"`}, builtinCase{`7.50`, `"7.5"`},
		builtinCase{`"as it is"`, `"as it is"`}, builtinCase{`""`, `""`}, builtinCase{`{"a": [1, null]}`, `"{\"a\":[1,null]}"`},
	)
}

func TestFlatten(t *testing.T) {
	checkCalls(t, one(workflow.Value.Flatten),
		builtinCase{`[]`, `[]`}, builtinCase{`[[], [1, [2]], 3, null, {"a": [4]}]`, `[1,[2],3,null,{"a":[4]}]`},
		builtinCase{`null`, "flatten: items: found none, expected a list"},
		builtinCase{`{"a": 1}`, "flatten: items: found an object, expected a list"},
	)
}

func TestConfirmation(t *testing.T) {
	checkCalls(t, one(workflow.Value.Confirmation),
		builtinCase{`""`, `"approved"`}, builtinCase{`" YES\n"`, `"approved"`}, builtinCase{`"y"`, `"approved"`},
		builtinCase{`"yess"`, `"denied"`}, builtinCase{`"no"`, `"denied"`}, builtinCase{`"True"`, `"denied"`},
		builtinCase{`true`, "check_user_confirmation: user_input: found true, expected text"},
		builtinCase{`null`, "check_user_confirmation: user_input: found none, expected text"},
	)
}

func TestUnion(t *testing.T) {
	union := func(args ...workflow.Value) (workflow.Value, error) { return workflow.List(args[:3]...).Union() }
	checkCalls(t, union,
		builtinCase{`{"a": {"x": 1}}, {"a": {"y": 2}, "b": 1}, {"b": null}`, `{"a":{"x":1,"y":2},"b":null}`},
		builtinCase{`{}, {}, {}`, `{}`},
		builtinCase{`{}, [1], {}`, "union: outputs[1]: found a list of 1 item, expected an object"},
		builtinCase{
			`{}, {}, "` + strings.Repeat("é", 70) + `"`,
			`union: outputs[2]: found "` + strings.Repeat("é", 60) + `"… (70 characters), expected an object`,
		},
	)
	if v, err := workflow.List().Union(); err != nil || v.JSON() != "{}" {
		t.Errorf("nothing: %s, %v", v, err)
	}
}

func TestMajority(t *testing.T) {
	for args, want := range map[string]string{
		`[]`: `null`, `["a"]`: `"a"`, `["a","b","b"]`: `"b"`, `["a","b","b","a"]`: `"a"`, `[1,"1",1.0]`: `1`,
		`[{"a":1,"b":2},null,{"b":2,"a":1}]`: `{"a":1,"b":2}`, `["x",null,null]`: `null`,
	} {
		var outputs []workflow.Value
		for _, output := range parsed(t, args).Items() {
			outputs = append(outputs, output)
		}
		if got := workflow.List(outputs...).Majority(); got.JSON() != want {
			t.Errorf("%s: got %s, expected %s", args, got, want)
		}
	}
}
