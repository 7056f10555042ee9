package keys_test

import (
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
	"github.com/agentc-dev/agentc/runtime"
)

func TestOfRun(t *testing.T) {
	routed := []string{"done", "retry"}
	cases := []struct {
		name string
		at   ir.Place
		want keys.Rule
	}{
		{"nobody reads the key", ir.Place{}, keys.Rule{Kind: keys.Free}},
		{"the key becomes the flow's", ir.Place{Kind: ir.PlaceOuter}, keys.Rule{Kind: keys.Outer}},
		{"the flow routes some keys and takes all", ir.Place{Kind: ir.PlaceOpen, State: "reflect", Keys: routed},
			keys.Rule{Kind: keys.Open, Keys: routed}},
		{"the flow routes some keys and passes the others on", ir.Place{Kind: ir.PlaceOr, State: "map", Keys: routed},
			keys.Rule{Kind: keys.Or, Keys: routed}},
	}
	for _, c := range cases {
		if got := keys.OfRun(&ir.Run{At: c.at}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// What is proved with the rule of a run has to be what the runtime does with the place that a flow's code passes to it.
func TestOfRunIsTheRuntimesPlace(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	for range 2000 {
		ours, theirs := keys.Place{Kind: keys.Free}, runtime.Free
		if random.Intn(2) == 0 {
			outer := randomRule(random)
			ours, theirs = outer.At(ours), generated(outer, theirs)
		}
		run := &ir.Run{At: randomPlace(random)}
		ours, theirs = keys.OfRun(run).At(ours), passed(run.At, theirs)

		kind, known := places(theirs)
		if kind != ours.Kind || !slices.Equal(known, ours.Keys) {
			t.Fatalf("%+v: got %+v, the runtime has %v %q", run.At, ours, kind, known)
		}
	}
}

func randomPlace(random *rand.Rand) ir.Place {
	place := ir.Place{Kind: ir.PlaceKind(random.Intn(4))}
	if place.Kind == ir.PlaceOpen || place.Kind == ir.PlaceOr {
		place.State = "step"
		place.Keys = []string{"k0", "k1", "k2"}[:1+random.Intn(3)]
	}

	return place
}

// passed is what the code of a flow passes to a run that stands at a place, when outer is the flow's own.
func passed(at ir.Place, outer runtime.Place) runtime.Place {
	switch at.Kind {
	case ir.PlaceOuter:
		return outer
	case ir.PlaceOpen:
		return runtime.Open("flow", at.State, at.Keys...)
	case ir.PlaceOr:
		return outer.Or("flow", at.State, at.Keys...)
	}

	return runtime.Free
}

func TestOfFlow(t *testing.T) {
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
				&ir.If{Cond: ir.KeyIs{Var: "mapped", Key: "parallel", Not: true}, Then: []ir.Op{returns(ir.KeyOwn, "mapped")}},
				&ir.ForEach{Var: "results", Run: &ir.Run{Agent: &ir.AgentRef{}}},
				reduced,
				returns(ir.KeyOwn, "reduced"),
			}, false, []*ir.Run{mapped, reduced}},
		{"a loop that is tried until it is done",
			[]ir.Op{&ir.Loop{Counter: "try", Body: []ir.Op{
				step("attempt"),
				&ir.If{Cond: ir.AtLimit{Counter: "try", N: 3}, Then: []ir.Op{returns(ir.KeyExhausted, "attempt")}},
			}}}, true, nil},
		{"a loop that fails at its limit", []ir.Op{&ir.Loop{Body: []ir.Op{returns(ir.KeyUnfinished, "notes")}}}, false, nil},
		{"nothing that is known", nil, false, nil},
		{"the key of a run that is not there", []ir.Op{returns(ir.KeyOwn, "reduced")}, false, nil},
	}
	for _, c := range cases {
		done, own := keys.OfFlow(&ir.Flow{Body: c.body})
		if done != c.done || !slices.Equal(own, c.own) {
			t.Errorf("%s: got %v, %v", c.name, done, own)
		}
	}
}

// A run without a name is that of a group, which no key comes out of.
func TestOfFlowTellsRunsFromThoseOfGroups(t *testing.T) {
	in := &ir.Run{Agent: &ir.AgentRef{}}
	_, own := keys.OfFlow(&ir.Flow{Body: []ir.Op{
		&ir.Times{Var: "variants", Run: in},
		&ir.Return{Key: ir.KeyOwn, Var: "variants"},
	}})
	if len(own) > 0 {
		t.Errorf("the key of a variant is the flow's: %v", own)
	}
}
