package keys_test

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
	"github.com/agentc-dev/agentc/gen/source"
	"github.com/agentc-dev/agentc/runtime"
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

func TestOf(t *testing.T) {
	conditional := func(rows ...*ir.Row) *ir.State { return &ir.State{Agent: agent, Rows: rows} }
	cases := []struct {
		name  string
		state *ir.State
		want  keys.Rule
	}{
		{"1: unconditional to a marker", &ir.State{Agent: agent, Always: &ir.Ref{State: marker}}, keys.Rule{Kind: keys.Outer}},
		{"1: unconditional to an agent", &ir.State{Agent: agent, Always: &ir.Ref{State: works}}, keys.Rule{Kind: keys.Free}},
		{"1: unconditional to nowhere", &ir.State{Agent: agent, Always: &ir.Ref{}}, keys.Rule{Kind: keys.Free}},
		{"2: rows", conditional(row("a", marker), row("b", nil)), keys.Rule{Kind: keys.Closed, Keys: []string{"a", "b"}}},
		{"2: a row twice", conditional(row("a", marker), row("a", works)), keys.Rule{Kind: keys.Closed, Keys: []string{"a"}}},
		{"3: * to a marker", conditional(row("a", works), row("*", marker)), keys.Rule{Kind: keys.Or, Keys: []string{"a"}}},
		{"3: * to ~", conditional(row("a", works), row("*", nil)), keys.Rule{Kind: keys.Or, Keys: []string{"a"}}},
		{"3: * to an agent", conditional(row("a", marker), row("*", works)), keys.Rule{Kind: keys.Open, Keys: []string{"a"}}},
		{"4: terminal", works, keys.Rule{Kind: keys.Outer}},
		{"empty list", &ir.State{Agent: agent, Empty: source.Span{File: source.NewFile("f", nil)}}, keys.Rule{Kind: keys.Closed}},
	}
	for _, c := range cases {
		if got := keys.Of(c.state); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestFoldIsTheRuntimesFold(t *testing.T) {
	for _, key := range []string{"", "done", " Done\t", "GRÖSSE", "İ", "ǅ", "\u2003a\u00a0", "a b"} {
		if keys.Fold(key) != runtime.FoldKey(key) {
			t.Errorf("Fold(%q) = %q, the runtime has %q", key, keys.Fold(key), runtime.FoldKey(key))
		}
	}
}

// What is proved with [keys.Rule.At] has to be what the runtime does with the place that generated code passes down.
func TestAtIsTheRuntimesPlace(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 2000 {
		ours, theirs := keys.Place{Kind: keys.Free}, runtime.Free
		var path []keys.Rule
		for range random.Intn(6) {
			rule := randomRule(random)
			path = append(path, rule)
			ours, theirs = rule.At(ours), generated(rule, theirs)

			kind, known := places(theirs)
			if kind != ours.Kind || !slices.Equal(known, ours.Keys) {
				t.Fatalf("%+v: got %+v, the runtime has %v %q", path, ours, kind, known)
			}
		}
	}
}

func randomRule(random *rand.Rand) keys.Rule {
	rule := keys.Rule{Kind: []keys.Kind{keys.Free, keys.Open, keys.Closed, keys.Outer, keys.Or}[random.Intn(5)]}
	if rule.Kind == keys.Free || rule.Kind == keys.Outer {
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
func generated(rule keys.Rule, outer runtime.Place) runtime.Place {
	switch rule.Kind {
	case keys.Outer:
		return outer
	case keys.Open:
		return runtime.Open("m", "s", rule.Keys...)
	case keys.Closed:
		return runtime.Closed("m", "s", rule.Keys...)
	case keys.Or:
		return outer.Or("m", "s", rule.Keys...)
	}

	return runtime.Free
}

// places looks into a place of the runtime.
func places(p runtime.Place) (keys.Kind, []string) {
	v := reflect.ValueOf(p).FieldByName("info")
	if v.IsNil() {
		return keys.Free, nil
	}
	v = v.Elem()
	var known []string
	for i := range v.FieldByName("keys").Len() {
		known = append(known, v.FieldByName("keys").Index(i).String())
	}

	return []keys.Kind{keys.Free, keys.Open, keys.Closed}[v.FieldByName("kind").Uint()], known
}
