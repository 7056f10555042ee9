package ir_test

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

var (
	agent  = &ir.Agent{Node: &ir.React{}}
	marker = &ir.State{Name: ir.Text{Value: "marker"}}
	works  = &ir.State{Name: ir.Text{Value: "works"}, Agent: agent}
)

func row(key string, to *ir.State) *ir.Row {
	r := &ir.Row{Key: ir.Text{Value: key}, To: ir.Ref{State: to}, End: to == nil}
	return r
}

func TestPlaceOfState(t *testing.T) {
	conditional := func(rows ...*ir.Row) *ir.State { return &ir.State{Agent: agent, Rows: rows} }
	cases := []struct {
		name  string
		state *ir.State
		want  ir.Place
	}{
		{"1: unconditional to a marker", &ir.State{Agent: agent, Always: &ir.Ref{State: marker}}, ir.Place{Kind: ir.PlaceOuter}},
		{"1: unconditional to an agent", &ir.State{Agent: agent, Always: &ir.Ref{State: works}}, ir.Place{Kind: ir.PlaceFree}},
		{"1: unconditional to nowhere", &ir.State{Agent: agent, Always: &ir.Ref{}}, ir.Place{Kind: ir.PlaceFree}},
		{"2: rows", conditional(row("a", marker), row("b", nil)), ir.Place{Kind: ir.PlaceClosed, Keys: []string{"a", "b"}}},
		{"2: a row twice", conditional(row("a", marker), row("a", works)), ir.Place{Kind: ir.PlaceClosed, Keys: []string{"a"}}},
		{"3: * to a marker", conditional(row("a", works), row("*", marker)), ir.Place{Kind: ir.PlaceOr, Keys: []string{"a"}}},
		{"3: * to ~", conditional(row("a", works), row("*", nil)), ir.Place{Kind: ir.PlaceOr, Keys: []string{"a"}}},
		{"3: * to an agent", conditional(row("a", marker), row("*", works)), ir.Place{Kind: ir.PlaceOpen, Keys: []string{"a"}}},
		{"4: terminal", works, ir.Place{Kind: ir.PlaceOuter}},
		{"empty list", &ir.State{Agent: agent, Empty: source.Span{File: source.NewFile("f", nil)}}, ir.Place{Kind: ir.PlaceClosed}},
	}
	for _, c := range cases {
		if got := c.state.Place(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestFoldIsTheRuntimesFold(t *testing.T) {
	for _, key := range []string{"", "done", " Done\t", "GRÖSSE", "İ", "ǅ", "\u2003a\u00a0", "a b"} {
		if _, match := (rt.KeyLists[uint8, string]{{ir.FoldKey(key)}}).Match(0, key, ""); match == "" {
			t.Errorf("the runtime does not take %q for the key %q", key, ir.FoldKey(key))
		}
	}
}

// What is proved with [ir.Place.At] has to be what the runtime does with the place that generated code passes down.
func TestWithinIsTheRuntimesPlace(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 2000 {
		ours, theirs := ir.Place{Kind: ir.PlaceFree}, rt.Place{}
		var path []ir.Place
		for range random.Intn(6) {
			rule := randomRule(random)
			path = append(path, rule)
			ours, theirs = rule.Within(ours), generated(rule, theirs)

			kind, known := places(theirs)
			if kind != ours.Kind || !slices.Equal(known, ours.Keys) {
				t.Fatalf("%+v: got %+v, the runtime has %v %q", path, ours, kind, known)
			}
		}
	}
}

func randomRule(random *rand.Rand) ir.Place {
	rule := ir.Place{Kind: []ir.PlaceKind{ir.PlaceFree, ir.PlaceOpen, ir.PlaceClosed, ir.PlaceOuter, ir.PlaceOr}[random.Intn(5)]}
	if rule.Kind == ir.PlaceFree || rule.Kind == ir.PlaceOuter {
		return rule
	}
	for i := range 6 {
		if random.Intn(2) == 0 {
			rule.Keys = append(rule.Keys, fmt.Sprint("k", i))
		}
	}

	return rule
}

// generated is what the code of a machine does with its place for a state with the rule.
func generated(rule ir.Place, outer rt.Place) rt.Place {
	switch rule.Kind {
	case ir.PlaceOuter:
		return outer
	case ir.PlaceOpen:
		return rt.Open("m", "s", rule.Keys...)
	case ir.PlaceClosed:
		return rt.Closed("m", "s", rule.Keys...)
	case ir.PlaceOr:
		return rt.Closed("m", "s", rule.Keys...).Or(outer)
	}

	return rt.Place{}
}

// places looks into a place of the runtime.
func places(p rt.Place) (ir.PlaceKind, []string) {
	v := reflect.ValueOf(p).FieldByName("info")
	if v.IsNil() {
		return ir.PlaceFree, nil
	}
	v = v.Elem()
	var known []string
	for i := range v.FieldByName("keys").Len() {
		known = append(known, v.FieldByName("keys").Index(i).String())
	}

	return []ir.PlaceKind{ir.PlaceFree, ir.PlaceOpen, ir.PlaceClosed}[v.FieldByName("kind").Uint()], known
}

// does returns a task whose output has the name; one of "" has none.
func does(name string, do ir.Op) *ir.Task {
	t := &ir.Task{Name: ir.Text{Value: name}, Do: do}
	if name != "" {
		t.Output = ir.NewOutput(name)
	}

	return t
}

// returns ends a flow with the value of a task, which is nil for the output of none.
func returns(key ir.ReturnKey, of *ir.Task) *ir.Task {
	t := does("", &ir.Return{Key: key})
	if of != nil {
		t.Input = ir.ExpressionDatum(ir.OutputAccess(of.Output))
	}

	return t
}

func TestEndsOfFlow(t *testing.T) {
	step := func(name string) *ir.Task { return does(name, &ir.Run{Step: &ir.Step{Node: &ir.React{}}}) }
	mapped, reduced, attempt := step("mapped"), step("reduced"), step("attempt")
	run := func(t *ir.Task) *ir.Run { return t.Do.(*ir.Run) }
	turn := ir.NewOutput("try")
	worker := does("", &ir.Run{Agent: &ir.AgentRef{}})
	results := &ir.Loop{Over: &ir.ListOf{Of: mapped.Output}, Reduce: ir.ReduceResults, Body: ir.NewPipeline(worker)}
	kept := ir.KeyTest{Of: mapped.Output, Key: "parallel", Not: true}
	last := ir.TurnTest{Turn: turn, N: 3}
	cases := []struct {
		name string
		body []*ir.Task
		done bool
		own  []*ir.Run
	}{
		{"a sequence", []*ir.Task{attempt, returns(ir.KeyDone, attempt)}, true, nil},
		{"the key of a run", []*ir.Task{reduced, returns(ir.KeyOwn, reduced)}, false, []*ir.Run{run(reduced)}},
		{"the keys of two runs", []*ir.Task{
			mapped,
			does("", ir.NewCondition(kept.Expression(), returns(ir.KeyOwn, mapped))),
			does("results", results),
			reduced,
			returns(ir.KeyOwn, reduced),
		}, false, []*ir.Run{run(mapped), run(reduced)}},
		{"a loop that is tried until it is done", []*ir.Task{does("", &ir.Loop{Turn: turn, Body: ir.NewPipeline(
			attempt,
			does("", ir.NewCondition(last.Expression(), returns(ir.KeyExhausted, attempt))),
		)})}, true, nil},
		{"a loop that fails at its limit",
			[]*ir.Task{does("", &ir.Loop{Body: ir.NewPipeline(returns(ir.KeyUnfinished, attempt))})}, false, nil},
		{"nothing that is known", nil, false, nil},
		{"the key of a run that is not there", []*ir.Task{returns(ir.KeyOwn, reduced)}, false, nil},
		{"the key of nothing", []*ir.Task{reduced, returns(ir.KeyOwn, nil)}, false, nil},
	}
	for _, c := range cases {
		done, own := (&ir.Flow{Body: ir.NewPipeline(c.body...)}).FinishKeys()
		if done != c.done || !slices.Equal(own, c.own) {
			t.Errorf("%s: got %v, %v", c.name, done, own)
		}
	}
}

// No key comes out of the runs of a group.
func TestEndsOfFlowTellsRunsFromThoseOfGroups(t *testing.T) {
	in := does("", &ir.Run{Agent: &ir.AgentRef{}})
	variants := does("variants", &ir.Loop{Max: 2, Reduce: ir.ReduceResults, Body: ir.NewPipeline(in)})
	_, own := (&ir.Flow{Body: ir.NewPipeline(variants, returns(ir.KeyOwn, variants))}).FinishKeys()
	if len(own) > 0 {
		t.Errorf("the key of a variant is the flow's: %v", own)
	}
}
