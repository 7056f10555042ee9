package emit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/verify"
)

// TestTypesChangeNothing compiles random conditions and templates twice, once knowing the types of
// what they ask for and once not, and runs both on the same values: what Go does with its own types
// is what package workflow does with values.
func TestTypesChangeNothing(t *testing.T) {
	t.Parallel()
	workflows := 20
	if testing.Short() {
		workflows = 2
	}
	const conditions = 60
	p := &ir.Program{Package: "workflows"}
	var calls strings.Builder
	for i := range workflows {
		typed := telling(p, uint64(i), fmt.Sprintf("typed-%d", i), conditions, true)
		untyped := telling(p, uint64(i), fmt.Sprintf("untyped-%d", i), conditions, false)
		fmt.Fprintf(&calls, "\tcompare(app.%s, app.%s)\n", names.RunWith(typed.Name.Value), names.RunWith(untyped.Name.Value))
	}
	emittest.SortAgents(p)
	w := newWorkspace(t)
	w.add("workflows", emitted(t, p))
	w.write("main.go", fmt.Sprintf(tellingMain, calls.String()))
	t.Log(w.run("run", "."))
}

// TestRandomWorkflows reads back and builds random workflows, which import others and run machines.
func TestRandomWorkflows(t *testing.T) {
	t.Parallel()
	workflows := 40
	if testing.Short() {
		workflows = 16
	}
	p := &ir.Program{Package: "workflows"}
	machine := emittest.AddMachine(p, 1, emittest.Options{Name: "inner", States: 4, Rows: 3, Agents: true})
	var all []*ir.Agent
	for i := range workflows {
		o := workflowOptions{Name: fmt.Sprintf("work-%d", i), Size: 1 + i%3, Agents: []*ir.Agent{machine}}
		if i%4 == 3 {
			o.Imports = all[max(0, len(all)-2):]
		}
		all = append(all, randomWorkflow(p, uint64(i), o))
	}
	emittest.SortAgents(p)
	files := emitted(t, p)
	if err := verify.Files(p, files); err != nil {
		t.Fatal(err)
	}
	w := newWorkspace(t)
	w.add("workflows", files)
	w.run("vet", "./...")
}

// tellingMain runs two workflows on random values, and fails where they tell different things.
const tellingMain = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"emitted/workflows"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// door answers everybody with the values at hand, one after another.
type door struct {
	values []string
}

func (d *door) next() string {
	value := d.values[0]
	d.values = d.values[1:]

	return value
}

func (d *door) Model(model.Request) (model.Reply, error) { return model.Reply{Text: d.next()}, nil }
func (d *door) Call(runtime.FuncCall) (runtime.FuncResult, error) {
	return runtime.FuncResult{Value: json.RawMessage(d.next())}, nil
}
func (d *door) Ask(runtime.Question) (runtime.Answer, error)           { return runtime.Answer{Value: d.next()}, nil }
func (d *door) Tool(runtime.ToolCall) (runtime.ToolResult, error)      { panic("no tool") }
func (d *door) Guard(runtime.GuardCall) (runtime.Verdict, error)       { panic("no guard") }
func (d *door) Sleep(time.Duration) error                              { return nil }
func (d *door) Backoff(string, int, error, model.Retry) error          { return nil }
func (d *door) Now() time.Time                                         { return time.Time{} }
func (d *door) Note(event.Event)                                     {}
func (d *door) Watched() bool                                          { return true }
func (d *door) Limit(string, string, *runtime.Budget) func()           { return func() {} }
func (d *door) Listen(string, string, []signals.Rule) func()           { return func() {} }
func (d *door) Parallel(int, int, func(int, runtime.Effects) error) error { panic("no branches") }

var random = rand.New(rand.NewPCG(1, 2))

func one(list ...string) string { return list[random.IntN(len(list))] }

// value returns a value that fits the schema of all, in its order. What may be absent is so half of the time, but for what has a
// default.
func value(next bool) string {
	text := func() string { return one("\"\"", "\"long\"", "\"Long\"", "\" a \"", "\"7\"", "\"two\\nlines\"", "\"\\\"quoted\\\"\"") }
	texts := func() string { return one("[]", "["+text()+"]", "["+text()+", "+text()+"]") }
	kind := func() string { return one("\"long\"", "\"short\"") }
	number := func() string { return one("0", "7", "-3", "3") }
	fields := []string{
		"\"text\": " + text(), "\"count\": " + number(), "\"score\": " + one("0", "7", "3.0", "-2.5", "1e21"),
		"\"good\": " + one("true", "false"), "\"turns\": " + one("0", "3", "10"), "\"kind\": " + kind(), "\"tags\": " + texts(),
		"\"part\": {\"name\": " + text() + ", \"size\": " + number() + "}",
	}
	perhaps := func(field string) {
		if random.IntN(2) == 0 {
			fields = append(fields, field)
		}
	}
	perhaps("\"share\": " + one("0", "0.25", "1"))
	perhaps("\"left\": " + one("-5", "0", "2"))
	perhaps("\"note\": " + text())
	perhaps("\"mood\": " + kind())
	perhaps("\"rank\": " + one("null", number()))
	perhaps("\"list\": " + texts())
	fields = append(fields, "\"tone\": "+text())
	if next {
		perhaps("\"next_state\": " + one("null", text()))
	}

	return "{" + strings.Join(fields, ", ") + "}"
}

type workflow func(fx runtime.Effects, input string, context json.RawMessage) (runtime.Finish, error)

var told, different int

func compare(typed, untyped workflow) {
	for range 60 {
		rows := ", \"rows\": [" + value(false) + ", " + value(false) + "]}"
		context, values := json.RawMessage(strings.TrimSuffix(value(false), "}")+rows), []string{value(true), value(true), value(true)}
		want, err := untyped(&door{values}, "long", context)
		got, err2 := typed(&door{values}, "long", context)
		if err != nil || err2 != nil {
			fmt.Println(err, err2)
			os.Exit(1)
		}
		lines := strings.Split(got.Value, "\n")
		for i, line := range strings.Split(want.Value, "\n") {
			told++
			if i >= len(lines) || lines[i] != line {
				different++
				fmt.Printf("%%s\n%%s\nwant %%s\ngot  %%s\n", context, strings.Join(values, "\n"), line, lines[min(i, len(lines)-1)])
				break
			}
		}
	}
}

var _ = context.Background

func main() {
	app := workflows.New(nil)
%s
	fmt.Println(told, "lines are the same")
	if different > 0 {
		os.Exit(1)
	}
}
`
