package workflow_test

import (
	"strconv"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// ruled is a run whose context has fields with rules.
type ruled struct {
	workflow.Run
	context workflow.Value
}

func readAny(v *rt.JSON) workflow.Value {
	read, err := workflow.Parse([]byte(v.Literal()))
	if err != nil {
		v.Want("JSON")
	}

	return read
}

func (r *ruled) Bind() {
	workflow.Declare(&r.Run, &r.context, readAny,
		workflow.Rule{Field: []string{"all"}, Merge: workflow.Append},
		workflow.Rule{Field: []string{"kinds"}, Merge: workflow.Union},
		workflow.Rule{Field: []string{"o", "sum"}, Merge: workflow.Sum},
		workflow.Rule{Field: []string{"o", "max"}, Merge: workflow.Max},
		workflow.Rule{Field: []string{"first"}, Merge: workflow.First},
		workflow.Rule{Field: []string{"last"}, Merge: workflow.Last},
		workflow.Rule{Field: []string{"once"}, Merge: workflow.Once})
}

func newRuled(t *testing.T, begin string) *ruled {
	t.Helper()
	r := &ruled{Run: workflow.Start(&door{}, "flow")}
	r.Bind()
	if err := r.Begin([]byte(begin)); err != nil {
		t.Fatal(err)
	}

	return r
}

// TestRules compares the context after updates one after another, and after branches that write
// them: they are the same, but for the errors.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name, begin string
		updates     []string
		want        string // the context, or the error after the steps
		apart       string // the error after the branches, if it is another one
	}{
		{name: "append", begin: `{"all":[1]}`, updates: []string{`{"all":[1,2]}`, `{}`, `{"all":[2]}`, `{"all":null}`}, want: `{"all":[1,1,2,2]}`},
		{name: "append to nothing", begin: `{}`, updates: []string{`{"all":[1]}`, `{"all":[]}`, `{"all":[2]}`}, want: `{"all":[1,2]}`},
		{
			name: "union", begin: `{"kinds":["a",{"x":1,"y":2}]}`, updates: []string{`{"kinds":["b","a"]}`, `{"kinds":["b",{"y":2,"x":1},3,3.0]}`},
			want: `{"kinds":["a",{"x":1,"y":2},"b",3]}`,
		},
		{name: "sum and max", begin: `{"o":{"sum":10,"max":5}}`, updates: []string{`{"o":{"sum":1,"max":3}}`, `{"o":{"sum":2.5,"max":7}}`}, want: `{"o":{"sum":13.5,"max":7}}`},
		{name: "sum of nothing", begin: `{}`, updates: []string{`{"o":{"sum":1}}`, `{"o":{"sum":2,"max":1}}`}, want: `{"o":{"sum":3,"max":1}}`},
		{name: "first", begin: `{}`, updates: []string{`{"first":null}`, `{"first":"a"}`, `{"first":"b"}`}, want: `{"first":"a"}`},
		{name: "the first from the beginning", begin: `{"first":"a"}`, updates: []string{`{"first":"b"}`, `{"first":"c"}`}, want: `{"first":"a"}`},
		{name: "last", begin: `{"last":1}`, updates: []string{`{"last":2}`, `{"last":3}`}, want: `{"last":3}`},
		{name: "one value", begin: `{}`, updates: []string{`{"once":{"a":1}}`, `{"once":{"a":1}}`}, want: `{"once":{"a":1}}`},
		{
			name: "two values", begin: `{}`, updates: []string{`{"once":1}`, `{"once":2}`},
			want:  "context.once: it has another value, and its merge rule is error",
			apart: `branches "0" and "1" give context.once different values, and its merge rule is error`,
		},
		{name: "last writes what was there", begin: `{"last":1}`, updates: []string{`{"last":2}`, `{"last":1}`}, want: `{"last":1}`},
		{name: "last of objects", begin: `{"last":{"a":1,"b":1}}`, updates: []string{`{"last":{"a":2}}`, `{"last":{"c":3}}`}, want: `{"last":{"a":2,"b":1,"c":3}}`},
		{name: "sum of fractions", begin: `{"o":{"sum":0.1}}`, updates: []string{`{"o":{"sum":0.2}}`, `{"o":{"sum":0.3}}`}, want: `{"o":{"sum":0.6000000000000001}}`},
		{name: "sum of large numbers", begin: `{"o":{"sum":1e16}}`, updates: []string{`{"o":{"sum":1}}`, `{"o":{"sum":1.5}}`}, want: `{"o":{"sum":10000000000000002}}`},
		{name: "nothing for no value", begin: `{}`, updates: []string{`{"o":{"sum":null},"first":null}`, `{"all":null}`}, want: `{"o":{}}`},
		{name: "no list", begin: `{}`, updates: []string{`{"all":1}`}, want: "context.all: found 1, expected a list (merge: append)"},
		{name: "no number", begin: `{"o":{"sum":1}}`, updates: []string{`{"o":{"sum":"1"}}`}, want: "context.o.sum: found \"1\", expected a number (merge: sum)"},
		{name: "too large", begin: `{"o":{"sum":9223372036854775807}}`, updates: []string{`{"o":{"sum":1}}`}, want: "context.o.sum: the result does not fit into 64 bits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			steps := newRuled(t, c.begin)
			got := ""
			for _, update := range c.updates {
				if err := steps.MergeContext(parsed(t, update)); err != nil {
					got = err.Error()
				}
			}
			if got == "" {
				got = steps.Context().JSON()
			}
			if got != c.want {
				t.Errorf("steps: got %s, want %s", got, c.want)
			}

			var branches []workflow.Branch[ruled]
			for i, update := range c.updates {
				run := func(r *ruled, _ workflow.Value) (workflow.Value, error) {
					return workflow.Value{}, r.MergeContext(parsed(t, update))
				}
				branches = append(branches, workflow.Branch[ruled]{Name: strconv.Itoa(i), Run: run})
			}
			apart := newRuled(t, c.begin)
			_, err := workflow.Fork(apart, workflow.Parallel{Step: "s"}, workflow.Value{}, branches...)
			got = apart.Context().JSON()
			switch want := c.apart; {
			case err != nil && want == "" && got == parsed(t, c.begin).JSON():
			case err != nil && err.Error() != want:
				t.Errorf("branches: %v", err)
			case err == nil && got != c.want:
				t.Errorf("branches: got %s, want %s", got, c.want)
			}
		})
	}
}

// TestPartsOfFields writes to parts of fields with rules.
func TestPartsOfFields(t *testing.T) {
	for _, c := range []struct{ begin, field, want string }{
		{`{"first":{"a":1}}`, "first", `{"first":{"a":1}}`},
		{`{}`, "first", `{"first":{"x":1}}`},
		{`{"last":{"a":1}}`, "last", `{"last":{"a":1,"x":1}}`},
		{`{"once":{"a":1}}`, "once", "context.once: it has another value, and its merge rule is error"},
		{`{"once":{"x":1}}`, "once", `{"once":{"x":1}}`},
		{`{"all":[1]}`, "all", "context.all: all is a list, and not an object"},
	} {
		set := newRuled(t, c.begin)
		apart := newRuled(t, c.begin)
		merged := newRuled(t, c.begin)
		write := func(r *ruled, _ workflow.Value) (workflow.Value, error) {
			return workflow.Value{}, r.SetContext(workflow.Of(1), c.field, "x")
		}
		_, setErr := write(set, workflow.Value{})
		_, mergeErr := merged.MergeAt(workflow.Text(c.field), parsed(t, `{"x":1}`))
		_, apartErr := workflow.Fork(apart, workflow.Parallel{Step: "s"}, workflow.Value{}, workflow.Branch[ruled]{Name: "a", Run: write})
		for i, err := range []error{setErr, mergeErr, apartErr} {
			got := []*ruled{set, merged, apart}[i].Context().JSON()
			if err != nil && got == parsed(t, c.begin).JSON() && c.want[0] != '{' {
				continue // the words of the errors differ
			}
			if err != nil || got != c.want {
				t.Errorf("%d: %s in %s: got %s, want %s (%v)", i, c.field, c.begin, got, c.want, err)
			}
		}
	}
}

// TestRulesAreReset covers context_set, and what branches do that do not only add.
func TestRulesAreReset(t *testing.T) {
	r := newRuled(t, `{"all":[1,2],"o":{"sum":4}}`)
	if _, err := r.SetAt(workflow.Text("all"), workflow.List()); err != nil {
		t.Fatal(err)
	}
	if err := r.SetContext(parsed(t, `[3]`), "all"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.MergeAt(workflow.Text("o"), parsed(t, `{"sum":1}`)); err != nil {
		t.Fatal(err)
	}
	if got := r.Context().JSON(); got != `{"all":[3],"o":{"sum":5}}` {
		t.Error(got)
	}
	child := newRuled(t, `{}`)
	back := [][2][]string{{{"all"}, {"all"}}}
	for _, how := range []workflow.Import{{Inherit: true, Back: back}, {Inherit: true, All: true}, {Back: back}} {
		_, err := r.Import(&child.Run, how, func(workflow.Value) (workflow.Value, error) {
			return workflow.Value{}, child.SetContext(parsed(t, `[4]`), "all")
		}, workflow.Value{})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := r.Context().JSON(); got != `{"all":[3,4,4,4],"o":{"sum":5}}` {
		t.Error(got)
	}
}
