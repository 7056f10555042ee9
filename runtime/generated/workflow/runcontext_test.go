package workflow_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

func TestInitialContexts(t *testing.T) {
	for given, want := range map[string]string{
		`{}`: `{}`, `{"a": {"b": 1}}`: `{"a":{"b":1}}`,
		`{"a": 1, "scratchpad": {"b": 2, "a": 3}, "import_artifacts": {"c": 4}}`: `{"a":3,"b":2,"c":4}`,
		`{"scratchpad": null, "next_state": "x", "current_state": "y"}`:          `{}`,
		`[]`: "a list of 0 items", `{`: "not JSON", `{"a": 1, "a": 1}`: "twice",
		`{"scratchpad": 5}`: "scratchpad: found 5, expected an object",
	} {
		r := workflow.Start(&door{}, "flow")
		err := r.Begin([]byte(given))
		var bad *compiled.ContextError
		switch {
		case err == nil && r.Context().JSON() != want:
			t.Errorf("%s: got %s", given, r.Context())
		case err != nil && (!strings.Contains(err.Error(), want) || !errors.As(err, &bad) || bad.Agent != "flow"):
			t.Errorf("%s: got %v", given, err)
		}
		if check := workflow.CheckContext(nil)([]byte(given)); (check == nil) != (err == nil) {
			t.Errorf("%s: checked %v, taken %v", given, check, err)
		}
	}
	r := workflow.Start(&door{}, "flow")
	if err := r.Begin(nil); err != nil || r.Context().JSON() != "{}" {
		t.Errorf("no context: %s, %v", r.Context(), err)
	}
}

func TestWritesOfTheContext(t *testing.T) {
	for _, c := range []struct {
		name, context string
		write         func(r *workflow.Run) error
		want          string // the context, next_state and current_state; or the error
	}{
		{"set", `{"a": 1}`, set1("b.c", "x"), `{"a":1,"b":{"c":"x"}} - -`},
		{
			"set where something is in the way", `{"a": 1}`, set1("a.b", "x"),
			"context.a.b: cannot set a.b: a is a number, expected an object",
		},
		{"set none", `{"a": 1}`, set1("a", nil), `{"a":null} - -`},
		{"set next_state", `{"a": 1}`, set1("next_state", "s"), `{"a":1} s -`},
		{"set current_state", `{}`, set1("current_state", "s"), `{} - s`},
		{"a member called next_state further inside is one", `{}`, set1("a.next_state", "s"), `{"a":{"next_state":"s"}} - -`},
		{"set all", `{"a": 1}`, set1("", object{{"b", 2.0}}), `{"b":2} - -`},
		{"set all to what is not an object", `{}`, set1("", "x"), `context: found "x", expected an object`},
		{"merge", `{"a": {"b": [1, 2]}}`, merge1(object{{"a", object{{"b", []any{}}, {"c", nil}}}}), `{"a":{"b":[],"c":null}} - -`},
		{
			"merge what belongs to the machine", `{}`, merge1(object{{"next_state", "n"}, {"current_state", "c"}, {"a", true}}),
			`{"a":true} n c`,
		},
		{
			"merge below the older names", `{"a": 1}`, merge1(object{{"scratchpad", object{{"next_state", "n"}, {"b", 2.0}}}}),
			`{"a":1,"b":2} n -`,
		},
		{"merge what is not an object", `{}`, merge1([]any{}), "context: found a list of 0 items, expected an object"},
		{
			"merge an older name that is not an object", `{}`, merge1(object{{"scratchpad", "x"}}),
			`context.scratchpad: scratchpad: found "x", expected an object`,
		},
		{"inherit", `{"a": 1}`, func(r *workflow.Run) error { return r.Inherit(valueOf(object{{"b", 1.0}})) }, `{"b":1} - -`},
	} {
		r := start(t, &door{}, c.context)
		err := c.write(&r)
		got := r.Context().JSON() + " " + orDash(r.NextState()) + " " + orDash(r.CurrentState())
		if err != nil {
			got = err.Error()
			if runtime.ErrorType(err) != "ContextError" {
				t.Errorf("%s: an error without a type: %v", c.name, err)
			}
			if r.Context().JSON() != parsed(t, c.context).JSON() {
				t.Errorf("%s: the context is %s", c.name, r.Context())
			}
		}
		if got != c.want {
			t.Errorf("%s: got %s, expected %s", c.name, got, c.want)
		}
	}
}

func set1(path string, x tree) func(*workflow.Run) error {
	return func(r *workflow.Run) error {
		if path == "" {
			return r.SetContext(valueOf(x))
		}

		return r.SetContext(valueOf(x), strings.Split(path, ".")...)
	}
}

func merge1(x tree) func(*workflow.Run) error {
	return func(r *workflow.Run) error { return r.MergeContext(valueOf(x)) }
}

func orDash(v workflow.Value) string {
	if v.IsNone() {
		return "-"
	}

	return v.String()
}

// TestBuiltinsOfTheContext: what only the run tells is written where it belongs.
func TestBuiltinsOfTheContext(t *testing.T) {
	r := start(t, &door{}, `{"n": 1, "o": {"a": 1}}`)
	for _, c := range []called{
		builtin(r.SetAt(workflow.Text("n"), workflow.Text("2"))).wants(`{"path":"n","value":2,"success":true}`),
		builtin(r.SetAt(workflow.Text("scratchpad.next_state"), workflow.Text("s"))).
			wants(`{"path":"scratchpad.next_state","value":"s","success":true}`),
		builtin(r.MergeAt(workflow.Text("o"), parsed(t, `{"b": 2}`))).wants(`{"path":"o","merged_keys":["b"],"success":true}`),
		builtin(r.MergeAt(workflow.Text("context"), parsed(t, `{"current_state": "c", "p": 3}`))).
			wants(`{"path":"context","merged_keys":["current_state","p"],"success":true}`),
		builtin(r.GetAt(workflow.Text("o.b"), workflow.Value{})).wants("2"),
		builtin(r.GetAt(workflow.Text("o.c"), workflow.Text("d"))).wants(`"d"`),
		builtin(r.GetAt(workflow.Text("next_state"), workflow.Text("d"))).wants(`"s"`),
		builtin(r.GetAt(workflow.Text("context.current_state"), workflow.Text("d"))).wants(`"c"`),
	} {
		if c.err != nil || c.result.JSON() != c.want {
			t.Errorf("got %s, %v, expected %s", c.result, c.err, c.want)
		}
	}
	if r.Context().JSON() != `{"n":2,"o":{"a":1,"b":2},"p":3}` ||
		r.NextState().String() != "s" || r.CurrentState().String() != "c" {
		t.Errorf("the context is %s, next_state %s, current_state %s", r.Context(), r.NextState(), r.CurrentState())
	}

	if _, err := r.SetAt(workflow.Value{}, workflow.Value{}); runtime.ErrorType(err) != "ArgumentError" {
		t.Errorf("got %v", err)
	}
	if _, err := r.SetAt(workflow.Text("n.x"), workflow.Value{}); runtime.ErrorType(err) != "PathError" {
		t.Errorf("got %v", err)
	}
}

// called is what a builtin came to.
type called struct {
	result workflow.Value
	err    error
	want   string
}

func builtin(result workflow.Value, err error) called { return called{result: result, err: err} }

func (c called) wants(want string) called {
	c.want = want

	return c
}

// record is a declared context.
type record struct {
	Score int64  `json:"score"`
	Title string `json:"title"`
}

// readRecord reads one, as generated code does: the title has a default.
func readRecord(v *rt.JSON) record {
	out := record{Title: "untitled"}
	v.Require("score")
	for name, member := range v.Members() {
		switch name {
		case "score":
			out.Score = member.Int()
		case "title":
			out.Title = member.Text()
		default:
			member.Unknown("score", "title")
		}
	}

	return out
}

// typed is a run with a declared context.
type typed struct {
	workflow.Run
	context record
}

func (r *typed) Bind() { workflow.Declare(&r.Run, &r.context, readRecord) }

func newTyped(t *testing.T, fx runtime.Effects, context string) *typed {
	t.Helper()
	r := &typed{Run: workflow.Start(fx, "flow")}
	r.Bind()
	if err := r.Begin(json.RawMessage(context)); err != nil {
		t.Fatal(err)
	}

	return r
}

func TestDeclaredContexts(t *testing.T) {
	r := newTyped(t, &door{}, `{"scratchpad": {"score": 1}}`)
	if r.context != (record{1, "untitled"}) || r.Context().JSON() != `{"score":1,"title":"untitled"}` {
		t.Errorf("began with %+v, %s", r.context, r.Context())
	}
	if err := r.SetContext(workflow.Of(5), "score"); err != nil || r.context.Score != 5 || r.Context("score").JSON() != "5" {
		t.Errorf("%v: %+v", err, r.context)
	}
	if err := r.MergeContext(parsed(t, `{"title": "T", "next_state": "n"}`)); err != nil || r.context != (record{5, "T"}) {
		t.Errorf("%v: %+v", err, r.context)
	}
	if r.NextState().String() != "n" {
		t.Errorf("next_state is %s", r.NextState())
	}

	for _, c := range []struct {
		want  string
		write func(*workflow.Run) error
	}{
		{`context.score: score: found "x", expected a whole number`, set1("score", "x")},
		{`context.score: score: found null, expected a whole number`, set1("score", nil)},
		{`context.other: other is not known here: the object may have "score", "title"`, set1("other", nil)},
		{`context: title: found 5, expected text`, merge1(object{{"title", int64(5)}})},
		{`context: score is required, but missing`, set1("", object{})},
		{`context.title.x: cannot set title.x: title is text, expected an object`, set1("title.x", nil)},
	} {
		err := c.write(&r.Run)
		if err == nil || err.Error() != c.want || runtime.ErrorType(err) != "ContextError" {
			t.Errorf("got %v, expected %s", err, c.want)
		}
		if r.context != (record{5, "T"}) || r.Context().JSON() != `{"score":5,"title":"T"}` {
			t.Errorf("%s: the context became %+v", c.want, r.context)
		}
	}

	check := workflow.CheckContext(func(raw json.RawMessage) error {
		_, err := rt.Reader[record](readRecord).Decode(raw)

		return err
	})
	for given, fits := range map[string]bool{
		`{"score": 1}`: true, `{"scratchpad": {"score": 1}, "next_state": "x"}`: true, `{}`: false, `[]`: false,
	} {
		if err := check([]byte(given)); (err == nil) != fits {
			t.Errorf("%s: %v", given, err)
		}
	}
	other := &typed{Run: workflow.Start(&door{}, "flow")}
	other.Bind()
	var bad *compiled.ContextError
	if err := other.Begin([]byte(`{"score": "x"}`)); !errors.As(err, &bad) {
		t.Errorf("got %v", err)
	}
}

// TestImports: what a child is given, and what comes back of it.
func TestImports(t *testing.T) {
	parent := start(t, &door{}, `{"cohort": "old", "kept": true}`)
	output := valueOf(object{{"score", int64(7)}, {"cohort", "of the output"}})
	var child workflow.Run
	imported := func(into *workflow.Run, how workflow.Import, given tree, steps func() error) {
		t.Helper()
		child = workflow.Start(&door{}, "child")
		value, err := into.Import(&child, how, func(workflow.Value) (workflow.Value, error) { return output, steps() }, valueOf(given))
		if err != nil || value.JSON() != output.JSON() {
			t.Fatalf("got %v, %v", value, err)
		}
	}
	nothing := func() error { return nil }
	for _, c := range []struct {
		how   workflow.Import
		given tree
		want  string
	}{
		{workflow.Import{Inherit: true, Key: "initial_input"}, object{{"x", 1.0}}, `{"cohort":"old","kept":true,"x":1}`},
		{workflow.Import{Inherit: true, Key: "initial_input"}, nil, `{"cohort":"old","kept":true,"initial_input":null}`},
		{workflow.Import{Key: "initial_input"}, "text", `{"initial_input":"text"}`},
		{workflow.Import{Inherit: true}, "text", `{"cohort":"old","kept":true}`},
		{workflow.Import{}, object{{"x", 1.0}}, `{}`},
	} {
		imported(&parent, c.how, c.given, nothing)
		if got := child.Context().JSON(); got != c.want {
			t.Errorf("the child has %s, expected %s", got, c.want)
		}
	}

	back := [][2][]string{
		{{"cohort"}, {"a", "cohort"}}, {{"score"}, {"a", "score"}}, {{"missing"}, {"kept"}}, {{"initial_input"}, {"none"}},
	}
	renamed := func() error { return child.SetContext(workflow.Text("new"), "cohort") }
	imported(&parent, workflow.Import{Inherit: true, Key: "initial_input", Back: back}, nil, renamed)
	if got := parent.Context(); got.Get("a", "cohort").String() != "new" || got.Get("a").Has("score") ||
		got.Get("kept").JSON() != "true" || !got.Has("none") || got.Get("cohort").String() != "old" {
		t.Errorf("the parent has %s", got)
	}

	leads := func() error {
		return errors.Join(renamed(), child.SetContext(workflow.Text("s"), "next_state"))
	}
	imported(&parent, workflow.Import{All: true}, nil, leads)
	if parent.NextState().String() != "s" || parent.Context("cohort").String() != "new" {
		t.Errorf("the parent has %s and goes to %s", parent.Context(), parent.NextState())
	}
	other := workflow.Start(&door{}, "other")
	imported(&other, workflow.Import{Next: true}, nil, leads)
	if other.NextState().String() != "s" || other.Context().JSON() != "{}" {
		t.Errorf("the parent has %s and goes to %s", other.Context(), other.NextState())
	}
	imported(&other, workflow.Import{Next: true}, nil, nothing)
	if other.NextState().String() != "s" {
		t.Error("a child that sets no next_state takes that of its parent")
	}
	fails := func(workflow.Value) (workflow.Value, error) { return workflow.Value{}, errFault }
	if v, err := parent.Import(&child, workflow.Import{Default: true}, fails, output); err != nil || v.JSON() != "{}" {
		t.Errorf("got %s, %v", v, err)
	}
	if v, err := parent.Import(&child, workflow.Import{Skip: true}, fails, output); err != nil || !v.IsNone() {
		t.Errorf("got %s, %v", v, err)
	}
	if _, err := parent.Import(&child, workflow.Import{}, fails, output); err != errFault {
		t.Errorf("got %v", err)
	}
}
