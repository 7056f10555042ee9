package workflow_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// writes is a branch that puts values into its context, one text of path=JSON after another, and
// comes to its name.
func writes(name string, texts ...string) workflow.Branch[nested] {
	return workflow.Branch[nested]{Name: name, Run: func(r *nested, _ workflow.Value) (workflow.Value, error) {
		for _, text := range texts {
			path, raw, _ := strings.Cut(text, "=")
			value, err := workflow.Parse([]byte(raw))
			if err != nil {
				return workflow.Value{}, err
			}
			if err := r.SetContext(value, strings.Split(path, ".")...); err != nil {
				return workflow.Value{}, err
			}
		}
		r.count++

		return workflow.Text(name), nil
	}}
}

func fails(name string, err error) workflow.Branch[nested] {
	run := func(*nested, workflow.Value) (workflow.Value, error) { return workflow.Value{}, err }

	return workflow.Branch[nested]{Name: name, Run: run}
}

func limitedTo(branch workflow.Branch[nested], fields ...string) workflow.Branch[nested] {
	branch.Fields = [][]string{}
	for _, field := range fields {
		branch.Fields = append(branch.Fields, strings.Split(field, "."))
	}

	return branch
}

// doors are the ones through which branches run: one after another, and at once.
func doors(t *testing.T) map[string]runtime.Effects {
	t.Helper()
	says := func(context.Context, model.Request) (model.Reply, error) {
		return model.Reply{Text: "said"}, nil
	}
	engine, err := core.New(core.Config{Model: model.ProviderFunc(says)}).Effects(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}

	return map[string]runtime.Effects{"one after another": &door{}, "at once": engine}
}

func TestForks(t *testing.T) {
	type branches = []workflow.Branch[nested]
	for _, c := range []struct {
		name     string
		how      workflow.Parallel
		branches branches
		want     string // the names of what ran, the context and next_state; or the error
	}{
		{
			name:     "what branches write is there in their order",
			branches: branches{writes("a", "x.a=1"), writes("b", "x.b=2"), writes("c")},
			want:     `["a","b","c"] {"n":0,"x":{"a":1,"b":2}}`,
		},
		{name: "the same value twice", branches: branches{writes("a", "n=1"), writes("b", "n=1.0")}, want: `["a","b"] {"n":1}`},
		{
			name: "two values", branches: branches{writes("a"), writes("b", "o.n=1"), writes("c", "o.n=2")},
			want: `branches "b" and "c" give context.o.n different values; choose one with merge_strategy OVERWRITE or KEEP_FIRST, or combine them with merge in the schema of the context`,
		},
		{
			name: "two states to go to", branches: branches{writes("a", `next_state="x"`), writes("b", `next_state="y"`)},
			want: `branches "a" and "b" give context.next_state different values; choose one with merge_strategy OVERWRITE or KEEP_FIRST, or combine them with merge in the schema of the context`,
		},
		{name: "one state to go to", branches: branches{writes("a", `next_state="x"`), writes("b")}, want: `["a","b"] {"n":0} to x`},
		{
			name: "the first counts", how: workflow.Parallel{Keep: workflow.KeepFirst},
			branches: branches{writes("a", "n=1"), writes("b", "n=2", "m=2")}, want: `["a","b"] {"n":1,"m":2}`,
		},
		{
			name: "the last counts", how: workflow.Parallel{Keep: workflow.KeepLast},
			branches: branches{writes("a", "n=1"), writes("b", "n=2", "m=2"), writes("c")}, want: `["a","b","c"] {"n":2,"m":2}`,
		},
		{
			name: "nothing comes back", how: workflow.Parallel{Isolated: true},
			branches: branches{writes("a", "n=1"), writes("b", "n=2")}, want: `["a","b"] {"n":0}`,
		},
		{
			name: "some fields come back",
			branches: branches{
				limitedTo(writes("a", "n=1", "x.p=1", "x.q=1"), "x.p"), limitedTo(writes("b", "n=2")), writes("c", "n=3"),
			},
			want: `["a","b","c"] {"n":3,"x":{"p":1}}`,
		},
		{name: "a branch fails", branches: branches{writes("a", "n=1"), fails("b", errFault)}, want: `"b": a fault`},
		{
			name: "all fail", branches: branches{fails("a", errFault), fails("b", errors.New("another"))},
			want: "all",
		},
		{
			name: "a branch that fails is left out", how: workflow.Parallel{Ignore: true},
			branches: branches{fails("a", errFault), writes("b", "n=1")}, want: `["b"] {"n":1}`,
		},
		{
			name: "a branch ends the run", how: workflow.Parallel{Ignore: true},
			branches: branches{writes("a"), fails("b", runtime.ErrNotImplemented)}, want: "not implemented",
		},
		{
			name: "a person's answer leaves the state", how: workflow.Parallel{Ignore: true},
			branches: branches{writes("a"), fails("b", new(workflow.Run).Leave(workflow.Text("yes")))},
			want:     new(workflow.Run).Leave(workflow.Value{}).Error(),
		},
		{name: "no branches", want: `[] {"n":0}`},
	} {
		for how, fx := range doors(t) {
			r := &nested{Run: start(t, fx, `{"n": 0}`)}
			c.how.Step = "split"
			ran, err := workflow.Fork(r, c.how, workflow.Text("task"), c.branches...)
			got := ran.Names().JSON() + " " + r.Context().JSON()
			if next := r.NextState(); !next.IsNone() {
				got += " to " + next.String()
			}
			if err != nil {
				got = err.Error()
			}
			if got != c.want && !(c.want == "all" && err != nil && errors.Is(err, errFault)) {
				t.Errorf("%s, %s:\n got %s\nwant %s", c.name, how, got, c.want)
			}
			if err != nil && r.Context().JSON() != `{"n":0}` {
				t.Errorf("%s, %s: the context became %s", c.name, how, r.Context())
			}
			for _, branch := range ran {
				if branch.Output.String() != branch.Name || branch.Run.count != 1 || r.count != 0 {
					t.Errorf("%s, %s: branch %s came to %s", c.name, how, branch.Name, branch.Output)
				}
			}
		}
	}
}

func TestErrorsOfForks(t *testing.T) {
	r := &nested{Run: start(t, &door{}, "{}")}
	p := workflow.Parallel{Step: "split"}
	_, err := workflow.Fork(r, p, workflow.Value{}, writes("a", "n=1"), writes("b", "n=2"))
	if runtime.ErrorType(err) != "ConflictError" || !strings.HasPrefix(err.Error(), `branches "a" and "b" give context.n `) {
		t.Errorf("got %#v", err)
	}
	_, err = workflow.Fork(r, p, workflow.Value{}, writes("a"), fails("b", errFault))
	var branch runtime.BranchError
	if !errors.As(err, &branch) || branch.Name != "b" || !errors.Is(r.WrapError("split", err), errFault) {
		t.Errorf("got %#v", err)
	}
}

// TestBranchesDoNotSeeEachOther, nor what they do to a declared context.
func TestBranchesDoNotSeeEachOther(t *testing.T) {
	for how, fx := range doors(t) {
		r := newTyped(t, fx, `{"score": 0}`)
		var branches []workflow.Branch[typed]
		for i := range 8 {
			counts := func(r *typed, _ workflow.Value) (workflow.Value, error) {
				for range 20 {
					if err := r.SetContext(workflow.Int(r.context.Score+int64(i)), "score"); err != nil {
						return workflow.Value{}, err
					}
				}

				return workflow.Int(r.context.Score), nil
			}
			branches = append(branches, workflow.Branch[typed]{Name: strconv.Itoa(i), Run: counts})
		}
		ran, err := workflow.Fork(r, workflow.Parallel{Step: "split", Keep: workflow.KeepLast}, workflow.Value{}, branches...)
		if err != nil {
			t.Fatal(err)
		}
		if got := ran.Values().JSON(); got != "[0,20,40,60,80,100,120,140]" {
			t.Errorf("%s: the branches came to %s", how, got)
		}
		if r.context.Score != 140 || r.Context("score").JSON() != "140" {
			t.Errorf("%s: the context is %+v, %s", how, r.context, r.Context())
		}
	}
}

func TestOutputsOfBranches(t *testing.T) {
	ran := workflow.BranchRuns[nested]{{Name: "b", Output: workflow.Int(1)}, {Name: "a", Output: workflow.Text("x")}}
	for want, got := range map[string]workflow.Value{
		`{"b":1,"a":"x"}`: ran.Outputs(), `["b","a"]`: ran.Names(), `[1,"x"]`: ran.Values(),
		`1`: ran.First(), `"x"`: ran.Last(),
		`{}`: ran[:0].Outputs(), `[]`: ran[:0].Names(),
		`null`: ran[:0].First(),
	} {
		if got.JSON() != want {
			t.Errorf("got %s, expected %s", got, want)
		}
	}
	if !ran[:0].Last().IsNone() {
		t.Error("no branch has an output")
	}
}
