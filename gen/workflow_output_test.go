package gen_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// outputContext is a context whose fields need not be there.
const outputContext = `{type: object, properties: {n: {type: integer}, x: {type: number}, s: {type: string}, on: {type: boolean},
  mode: {type: string, enum: [fast, slow]}, list: {type: array, items: {type: string}}, o: {type: object, properties: {n: {type: integer}}}}}`

// outputValues are values of an output, with the names of that context.
var outputValues = []string{
	"context.n", "context.n + 1", "context.n - context.o.n", "context.n * context.x", "context.n / 2", "context.n % 2", "-context.n",
	"10 / context.n", "context.x + 1 | round(1)", "len(context.list)", "len(context.s) + 1", "any(context.list)", "all(context.list)",

	"context.get('n', 0)", "context.get('n', 'none')", "context.get('n', 0.5)", "context.get('n', 0.5) + 1",
	"context.get('mode', 'none')", "context.get('s', 3)", "context.o.get('n', 7)", "context.o.get('n', 'none')", "context.mode", "context.o", "context.list",
	"context.s | upper", "context.list | join(', ')", "context.list | length", "context.list | first", "context.x | round", "context.n | default(0)",
	"context.s or context.n",
}

// outputContexts are contexts with and without values.
var outputContexts = []string{
	`{}`,
	`{"n": 3, "x": 1.5, "s": "ab", "on": true, "mode": "slow", "list": ["a", ""], "o": {"n": 2}}`,
	`{"n": -1, "s": "", "on": false, "list": [], "o": {}}`,
	`{"x": 2, "o": {"n": 9}, "list": ["b"]}`,
}

// TestTypedOutputsReadEveryRun: the Go method of a workflow reads each output that a run has, whatever is missing, and its struct has
// all of the output. So does the method of a workflow that imports it.
func TestTypedOutputsReadEveryRun(t *testing.T) {
	var b strings.Builder
	b.WriteString("version: \"0.1\"\ncontext: " + outputContext + "\nsteps:\n  - {name: one, input: x}\noutput:\n")
	for i, value := range outputValues {
		fmt.Fprintf(&b, "  v%d: \"{{ %s }}\"\n", i, value)
	}
	result := compile(t, fstest.MapFS{
		"workflows/flow.yaml": {Data: []byte(b.String())},
		"workflows/outer.yaml": {Data: []byte("version: \"0.1\"\nimports: {flow: flow.yaml}\ncontext: " + outputContext + "\nsteps:\n" +
			"  - {name: inner, uses: imports.flow, config: {inherit_context: true}}\noutput: {all: \"{{ steps.inner }}\", list: [\"{{ steps.inner.v1 }}\"]}\n")},
	})
	if result.HasErrors() {
		t.Fatal(casetest.Text(t, result.Diagnostics))
	}
	var calls strings.Builder
	for i, context := range outputContexts {
		fmt.Fprintf(&calls, "\tfor _, method := range []string{\"Flow\", \"Outer\"} {\n\t\tplay(fmt.Sprint(method, %d), method, %q)\n\t}\n", i, context)
	}
	told := buildAndRun(t, map[string]*gen.Result{"typed": result}, outputPlayer, calls.String())
	if len(told) != 2*len(outputContexts) {
		t.Errorf("%d runs, want %d", len(told), 2*len(outputContexts))
	}
	for name, text := range told {
		if text != "same\n" {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// outputPlayer calls the Go methods of workflows, and compares what they return with the output of the run.
const outputPlayer = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"

%s)

func play(name, method, initial string) {
	fmt.Printf("-- %%s --\n", name)
	app, e := typed.New(), engine.New(engine.Options{})
	if method == "Flow" {
		var c typed.FlowContext
		if err := json.Unmarshal([]byte(initial), &c); err != nil {
			fmt.Println(err)
			return
		}
		result, err := app.Flow(context.Background(), e, "x", c)
		compare(result, err)
		return
	}
	var c typed.OuterContext
	if err := json.Unmarshal([]byte(initial), &c); err != nil {
		fmt.Println(err)
		return
	}
	result, err := app.Outer(context.Background(), e, "x", c)
	compare(result, err)
}

// compare tells whether the struct of an output has all that the run has returned.
func compare[T any](result runtime.Result[T], err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	written, err := json.Marshal(result.Output)
	if err != nil {
		fmt.Println(err)
		return
	}
	var got, want any
	if json.Unmarshal(written, &got) != nil || json.Unmarshal([]byte(result.Value), &want) != nil {
		fmt.Printf("no JSON: %%s, %%s\n", written, result.Value)
		return
	}
	if !reflect.DeepEqual(got, want) {
		fmt.Printf("%%s, want %%s\n", written, result.Value)
		return
	}
	fmt.Println("same")
}

func main() {
%s}
`
