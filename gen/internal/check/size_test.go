package check_test

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// many is how large the programs of this file are. A pass that recursed or compared everything with everything would not
// get through them.
const many = 10_000

func run(t *testing.T, b *builder) []*diag.Diagnostic {
	t.Helper()
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	list := &diag.List{}
	check.Run(b.build(), list)

	return list.Sorted()
}

func count(findings []*diag.Diagnostic) map[string]int {
	n := map[string]int{}
	for _, d := range findings {
		n[d.Check.Name]++
	}

	return n
}

func expect(t *testing.T, findings []*diag.Diagnostic, want map[string]int) {
	t.Helper()
	if got := count(findings); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
		for _, d := range findings[:min(3, len(findings))] {
			t.Logf("%s: %.300s", d.Check.Name, d.Message)
		}
	}
}

// A key of the innermost of ten thousand nested machines comes out of all of them.
func TestDeepNesting(t *testing.T) {
	for _, deepest := range []string{"good", "hopeless"} {
		b := newBuilder()
		b.machine("top", "m0: good=~ bad=~")
		for i := range many {
			if i%2 == 0 {
				b.machine(fmt.Sprint("m", i), fmt.Sprintf("m%d: ~", i+1))
			} else {
				b.machine(fmt.Sprint("m", i), fmt.Sprintf("m%d: bad=end *=end", i+1), "end: ~")
			}
		}
		b.react(fmt.Sprint("m", many), deepest, "bad")

		want := map[string]int{}
		if deepest == "hopeless" {
			want["unrouted-key"] = 1
		}
		expect(t, run(t, b), want)
	}
}

func TestDeepNestingWithAKeyOfItsOwnAtEachDepth(t *testing.T) {
	b := newBuilder()
	b.machine("top", "m0: other=~")
	for i := range many {
		b.machine(fmt.Sprint("m", i), fmt.Sprintf("r%d: own-%d=~ next=m%d", i, i, i+1), fmt.Sprintf("m%d: ~", i+1))
		b.react(fmt.Sprint("r", i))
	}
	b.react(fmt.Sprint("m", many))
	findings := run(t, b)
	expect(t, findings, map[string]int{"unrouted-key": 1})
	if n := len(findings[0].Message) + len(findings[0].Related)*100; n > 3000 {
		t.Errorf("a message of %d bytes with %d notes", len(findings[0].Message), len(findings[0].Related))
	}
}

func TestCircleOfManyAgents(t *testing.T) {
	b := newBuilder()
	for i := range many {
		b.machine(fmt.Sprint("m", i), fmt.Sprintf("m%d: ~", (i+1)%many))
	}
	findings := run(t, b)
	expect(t, findings, map[string]int{"agent-cycle": 1})
	if len(findings[0].Message) > 300 || len(findings[0].Related) > 20 {
		t.Errorf("%d notes: %.1000s", len(findings[0].Related), findings[0].Message)
	}
}

func TestManyWorkers(t *testing.T) {
	names := numbered("worker%d", many)
	group := func(b *builder, name string, workers []string) {
		together, results := &ir.Parallel{}, ir.NewOutput("results")
		for _, worker := range workers {
			run := &ir.Task{Do: &ir.Run{Agent: b.ref(worker)}}
			together.Branches = append(together.Branches, &ir.Arm{Body: ir.NewPipeline(run)})
		}
		b.flow(name).Body = ir.NewPipeline(
			&ir.Task{Do: together, Output: results},
			&ir.Task{Do: &ir.Return{Key: ir.KeyDone}, Input: ir.ExpressionDatum(&ir.Object{X: ir.OutputAccess(results)})})
	}

	cases := []struct {
		name string
		make func(*builder)
		want map[string]int
	}{
		{"side by side", func(b *builder) {
			group(b, "all", names)
			for _, name := range names {
				b.react(name)
			}
		}, map[string]int{}},
		{"inside each other", func(b *builder) {
			for i := range many - 1 {
				group(b, names[i], names[i+1:i+2])
			}
			b.react(names[many-1])
		}, map[string]int{}},
		{"in a circle", func(b *builder) {
			for i := range many {
				group(b, names[i], []string{names[(i+1)%many]})
			}
		}, map[string]int{"agent-cycle": 1}},
		{"all missing", func(b *builder) { group(b, "all", names) }, map[string]int{"undefined-agent": many}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBuilder()
			c.make(b)
			expect(t, run(t, b), c.want)
		})
	}
}

// A key comes through ten thousand judges of debates.
func TestDeepFlows(t *testing.T) {
	b := newBuilder()
	for i := range many {
		verdict := ir.NewOutput("verdict")
		run := &ir.Run{Agent: b.ref(fmt.Sprint("f", i+1)), At: ir.Place{Kind: ir.PlaceOuter}}
		b.flow(fmt.Sprint("f", i)).Body = ir.NewPipeline(
			&ir.Task{Do: run, Output: verdict},
			&ir.Task{Do: &ir.Return{Key: ir.KeyOwn}, Input: ir.ExpressionDatum(ir.OutputAccess(verdict))},
		)
	}
	b.react(fmt.Sprint("f", many), "odd")
	b.machine("desk", "f0: good=~")
	expect(t, run(t, b), map[string]int{"unrouted-key": 1})
}

func TestLongPrompts(t *testing.T) {
	for name, text := range map[string]string{
		"no call":       "Write it all (as it is) and call nobody. ",
		"refused calls": "Never call `finish`. Do not use http_get(url). ",
		"names":         strings.Repeat("f(", 20),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBuilder()
			b.at(strings.Repeat(text, many), &b.agent("a", &ir.Oneshot{}).Prompt)
			expect(t, run(t, b), map[string]int{})
		})
	}
}

func TestLongPromptsWithKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("checks prompts of megabytes; make test-slow does")
	}
	for name, c := range map[string]struct {
		text string
		want map[string]int
	}{
		"calls":             {`Call finish(key="aproved", value="x"). `, map[string]int{"prompt-key": 1}},
		"calls of many":     {`finish(key="k%d"), `, map[string]int{"prompt-key": many}},
		"calls that open":   {`finish(key=`, map[string]int{}},
		"legal calls":       {`finish(key="approved") `, map[string]int{}},
		"sentences":         {`Finish with key "rejected". `, map[string]int{"prompt-key": 1}},
		"a sentence":        {"finish with key ", map[string]int{}},
		"keys alone":        {"Use key `aproved` ", map[string]int{"prompt-key": 1}},
		"keys of many":      {"key `k%d`. ", map[string]int{}},
		"lists":             {"keys: `k%d`, `x`\n\n", map[string]int{}},
		"lists below":       {"keys:\n- a: b\n", map[string]int{}},
		"a list":            {"- a: b\n", map[string]int{}},
		"words":             {"key keys ", map[string]int{}},
		"quotes":            {"key ``` ", map[string]int{}},
		"objects":           {`finish {"key": {"key": `, map[string]int{}},
		"open alternatives": {`key "a|`, map[string]int{}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBuilder()
			text := "Finish. keys:\n" + strings.Repeat(c.text, many)
			if strings.Contains(c.text, "%d") {
				var all strings.Builder
				for i := range many {
					fmt.Fprintf(&all, c.text, i)
				}
				text = all.String()
			}
			b.at(text, &b.react("a", "approved", "rework").Prompt)
			expect(t, run(t, b), c.want)
		})
	}
}

func TestManyStates(t *testing.T) {
	if testing.Short() {
		t.Skip("checks machines of 10,000 states; make test-slow does")
	}
	names := numbered("state%d", many)
	agents := func(b *builder) {
		for _, name := range names {
			b.react(name)
		}
	}
	chain := func(b *builder, last string) {
		states := make([]string, many)
		for i, name := range names {
			states[i] = name + ": " + names[(i+1)%many]
		}
		states[many-1] = names[many-1] + ": " + last
		b.machine("desk", states...)
	}

	cases := []struct {
		name string
		make func(*builder)
		want map[string]int
	}{
		{"a chain", func(b *builder) { chain(b, "~"); agents(b) }, map[string]int{}},
		{"a circle", func(b *builder) { chain(b, names[0]); agents(b) }, map[string]int{"no-exit": 1}},
		{"a chain that ends in a circle of one", func(b *builder) { chain(b, names[many-1]); agents(b) }, map[string]int{"no-exit": 1}},
		{"no agent at all", func(b *builder) { chain(b, "~") }, map[string]int{"undefined-agent": many - 1}},
		{"nothing leads anywhere", func(b *builder) {
			states := []string{"first: ~"}
			for _, name := range names {
				states = append(states, name+": ~")
			}
			b.machine("desk", states...)
			b.react("first")
		}, map[string]int{"unreachable-state": many}},
		{"every target dangles", func(b *builder) {
			states := make([]string, many)
			for i, name := range names {
				states[i] = fmt.Sprintf("%s: nowhere-near-%d", name, i)
			}
			b.machine("desk", states...)
			agents(b)
		}, map[string]int{"undefined-state": many}},
		{"all markers near agents", func(b *builder) {
			states := []string{"first: *=~"}
			for _, name := range names {
				states[0] += " to-" + name + "=" + name + "x"
				states = append(states, name+"x: ~")
			}
			b.machine("desk", states...)
			b.react("first")
			agents(b)
		}, map[string]int{"catch-all-not-last": 1, "marker-near-agent": many}},
		{"every row twice", func(b *builder) {
			rows := "first:"
			for _, name := range append(names, names...) {
				rows += " " + name + "=~"
			}
			b.machine("desk", rows)
			b.react("first")
		}, map[string]int{"duplicate-transition": many}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBuilder()
			c.make(b)
			expect(t, run(t, b), c.want)
		})
	}
}
