package ir_test

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/rt"
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

func TestEndsOfFlow(t *testing.T) {
	step := func(name string) *ir.Run { return &ir.Run{Var: name, Step: &ir.Step{Node: &ir.React{}}} }
	mapped, reduced := step("mapped"), step("reduced")
	returns := func(key ir.ReturnKey, name string) *ir.Return { return &ir.Return{Key: key, Var: name} }
	cases := []struct {
		name string
		body []ir.Op
		done bool
		own  []*ir.Run
	}{
		{"a sequence", []ir.Op{step("draft"), returns(ir.KeyDone, "draft")}, true, nil},
		{"the key of a run", []ir.Op{reduced, returns(ir.KeyOwn, "reduced")}, false, []*ir.Run{reduced}},
		{"the keys of two runs",
			[]ir.Op{
				mapped,
				ir.When(ir.KeyIs{Var: "mapped", Key: "parallel", Not: true}, returns(ir.KeyOwn, "mapped")),
				&ir.Parallel{Var: "results", List: &ir.List{}, Branches: ir.SideBySide(&ir.Run{Agent: &ir.AgentRef{}})},
				reduced,
				returns(ir.KeyOwn, "reduced"),
			}, false, []*ir.Run{mapped, reduced}},
		{"a loop that is tried until it is done",
			[]ir.Op{&ir.Loop{Counter: "try", Body: ir.Sequence(
				step("attempt"),
				ir.When(ir.AtLimit{Counter: "try", N: 3}, returns(ir.KeyExhausted, "attempt")),
			)}}, true, nil},
		{"a loop that fails at its limit", []ir.Op{&ir.Loop{Body: ir.Sequence(returns(ir.KeyUnfinished, "notes"))}}, false, nil},
		{"nothing that is known", nil, false, nil},
		{"the key of a run that is not there", []ir.Op{returns(ir.KeyOwn, "reduced")}, false, nil},
	}
	for _, c := range cases {
		done, own := (&ir.Flow{Body: c.body}).Ends()
		if done != c.done || !slices.Equal(own, c.own) {
			t.Errorf("%s: got %v, %v", c.name, done, own)
		}
	}
}

// A run without a name is that of a group, which no key comes out of.
func TestEndsOfFlowTellsRunsFromThoseOfGroups(t *testing.T) {
	in := &ir.Run{Agent: &ir.AgentRef{}}
	_, own := (&ir.Flow{Body: []ir.Op{
		&ir.Parallel{Var: "variants", N: 2, Branches: ir.SideBySide(in)},
		&ir.Return{Key: ir.KeyOwn, Var: "variants"},
	}}).Ends()
	if len(own) > 0 {
		t.Errorf("the key of a variant is the flow's: %v", own)
	}
}
