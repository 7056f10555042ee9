package workflow_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// leaf is a place of a value that is no object with members, and what is there.
type leaf struct {
	path []string
	text string
}

func leaves(v workflow.Value, path ...string) (all []leaf) {
	if v.Kind() != workflow.KindObject || v.Len() == 0 {
		return []leaf{{path, v.JSON()}}
	}
	for name, member := range v.Members() {
		all = append(all, leaves(member, append(slices.Clone(path), name)...)...)
	}

	return all
}

// wantMerged is the reference for merging: the update's places one after another, each with all
// that it replaces taken away. An empty object in the update replaces only what is no object.
func wantMerged(t *testing.T, v, update workflow.Value) workflow.Value {
	t.Helper()
	for _, l := range leaves(update) {
		for depth := range l.path {
			if at := v.Get(l.path[:depth]...); at.Kind() != workflow.KindObject {
				v = set(t, v, l.path[:depth], workflow.Object())
			}
		}
		if l.text == "{}" && v.Get(l.path...).Kind() == workflow.KindObject {
			continue
		}
		value, err := workflow.Parse([]byte(l.text))
		if err != nil {
			t.Fatal(err)
		}
		v = set(t, v, l.path, value)
	}

	return v
}

func set(t *testing.T, v workflow.Value, path []string, value workflow.Value) workflow.Value {
	t.Helper()
	v, err := v.Set(path, value)
	if err != nil {
		t.Fatal(err)
	}

	return v
}

func TestLawsOfMerge(t *testing.T) {
	empty := workflow.Object()
	repeat(4_000, func(r *rand.Rand) {
		v, update := valueOf(randomTree(r, 3)), valueOf(randomTree(r, 3))
		if r.IntN(4) > 0 {
			v, update = valueOf(randomObject(r, 3)), valueOf(randomObject(r, 3))
		}
		before, given := v.JSON(), update.JSON()
		got := v.Merge(update)

		if want := wantMerged(t, v, update); got.JSON() != want.JSON() {
			t.Errorf("%s with %s: got %s, expected %s", before, given, got.JSON(), want.JSON())
		}
		if again := got.Merge(update); again.JSON() != got.JSON() {
			t.Errorf("%s with %s twice: %s", before, given, again.JSON())
		}
		if v.Merge(v).JSON() != before {
			t.Errorf("%s with itself: %s", before, v.Merge(v).JSON())
		}
		if v.Kind() == workflow.KindObject && (v.Merge(empty).JSON() != before || empty.Merge(v).JSON() != before) {
			t.Errorf("%s with an empty object is another one", before)
		}
		if v.JSON() != before || update.JSON() != given {
			t.Errorf("merging changed %s or %s", before, given)
		}
	})
}

// TestMergeOfObjectsIsAssociative as long as no update has an object where another one has none.
func TestMergeOfObjectsIsAssociative(t *testing.T) {
	shape := func(r *rand.Rand) workflow.Value {
		var all []workflow.Member
		for _, name := range []string{"a", "b", "c"} {
			if r.IntN(2) == 0 {
				inner := workflow.Member{Name: someNames[r.IntN(4)], Value: valueOf(randomScalar(r))}
				all = append(all, workflow.Member{Name: name, Value: workflow.Object(inner)})
			}
		}
		return workflow.Object(all...)
	}
	repeat(5000, func(r *rand.Rand) {
		x, y, z := shape(r), shape(r), shape(r)
		if left, right := x.Merge(y).Merge(z), x.Merge(y.Merge(z)); !left.Equal(right) {
			t.Errorf("%s, %s, %s: %s or %s", x, y, z, left, right)
		}
	})
}

func ExampleValue_Merge() {
	context, err := workflow.Parse([]byte(`{"review": {"score": 1, "notes": ["a", "b"]}, "draft": "x"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	update, err := workflow.Parse([]byte(`{"review": {"notes": [], "by": "Ada"}, "draft": null}`))
	fmt.Println(context.Merge(update), err)
	// Output: {"review":{"score":1,"notes":[],"by":"Ada"},"draft":null} <nil>
}
