package workflow_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

func parsed(t *testing.T, text string) workflow.Value {
	t.Helper()
	v, err := workflow.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}

	return v
}

func TestMergeBranches(t *testing.T) {
	for _, c := range []struct {
		name, base       string
		branches         []string
		clash            string // path and branches; empty: what follows are the same for all
		first, last, all string
	}{
		{name: "nothing changed", base: `{"a":1}`, branches: []string{`{"a":1}`, `{"a":1}`}, all: `{"a":1}`},
		{name: "places beside each other", base: `{"a":1}`, branches: []string{`{"a":2}`, `{"a":1,"b":3}`}, all: `{"a":2,"b":3}`},
		{name: "the same change", base: `{"a":1}`, branches: []string{`{"a":2}`, `{"a":2.0}`}, all: `{"a":2}`},
		{
			name: "inside of an object", base: `{"o":{"x":1,"y":1}}`, branches: []string{`{"o":{"x":2,"y":1}}`, `{"o":{"x":1,"y":2}}`},
			all: `{"o":{"x":2,"y":2}}`,
		},
		{
			name: "inside of a new object", base: `{}`, branches: []string{`{"o":{"x":2}}`, `{"o":{"y":2}}`, `{"o":{"z":{"w":null}}}`},
			all: `{"o":{"x":2,"y":2,"z":{"w":null}}}`,
		},
		{
			name: "where none stood", base: `{"o":null}`, branches: []string{`{"o":{"x":2}}`, `{"o":{"y":2}}`},
			all: `{"o":{"x":2,"y":2}}`,
		},
		{
			name: "none and shorter lists are kept", base: `{"a":1,"l":[1,2]}`, branches: []string{`{"a":null,"l":[1,2]}`, `{"a":1,"l":[]}`},
			all: `{"a":null,"l":[]}`,
		},
		{name: "taken away", base: `{"a":1,"b":1}`, branches: []string{`{"b":1}`, `{"a":1,"b":1,"c":1}`}, all: `{"b":1,"c":1}`},
		{
			name: "two values", base: `{"a":1}`, branches: []string{`{"a":2}`, `{"a":3}`}, clash: "a 0 1",
			first: `{"a":2}`, last: `{"a":3}`,
		},
		{
			name: "two lists", base: `{"o":{"l":[]}}`, branches: []string{`{"o":{"l":[]}}`, `{"o":{"l":[1]}}`, `{"o":{"l":[2]}}`},
			clash: "o.l 1 2", first: `{"o":{"l":[1]}}`, last: `{"o":{"l":[2]}}`,
		},
		{
			name: "an object and a member of it", base: `{"o":{"x":1}}`, branches: []string{`{"o":5}`, `{"o":{"x":1,"y":1}}`},
			clash: "o 0 1", first: `{"o":5}`, last: `{"o":{"x":1,"y":1}}`,
		},
		{
			name: "taken away and changed", base: `{"a":1,"b":1}`, branches: []string{`{"b":1}`, `{"a":2,"b":1}`}, clash: "a 0 1",
			first: `{"b":1}`, last: `{"b":1,"a":2}`,
		},
		{
			name: "none and taken away", base: `{"a":1}`, branches: []string{`{"a":null}`, `{}`}, clash: "a 0 1",
			first: `{"a":null}`, last: `{}`,
		},
		{
			name: "objects where a text stood", base: `{"a":"x"}`, branches: []string{`{"a":{"x":1}}`, `{"a":{"y":1}}`}, clash: "a 0 1",
			first: `{"a":{"x":1}}`, last: `{"a":{"y":1}}`,
		},
	} {
		branches := make([]workflow.Value, len(c.branches))
		for i, text := range c.branches {
			branches[i] = parsed(t, text)
		}
		for keep, want := range map[string]string{
			workflow.KeepNeither: c.all, workflow.KeepFirst: c.first + c.all, workflow.KeepLast: c.last + c.all,
		} {
			got, clash := workflow.MergeBranches(parsed(t, c.base), branches, keep)
			switch {
			case clash != nil && keep == workflow.KeepNeither:
				text := workflow.List(workflow.Of(strings.Join(clash.Path, ".")), workflow.Of(clash.First), workflow.Of(clash.Second))
				if text.Join(" ").String() != c.clash {
					t.Errorf("%s: a clash of %v", c.name, text)
				}
			case clash != nil || got.JSON() != want || keep == workflow.KeepNeither && c.clash != "":
				t.Errorf("%s, keep %q: got %s, %v, expected %s", c.name, keep, got, clash, want)
			}
		}
	}
}

// TestLawsOfMergeBranches over random changes of a random base.
func TestLawsOfMergeBranches(t *testing.T) {
	clashes := 0
	repeat(5000, func(r *rand.Rand) {
		base := valueOf(randomObject(r, 3))
		x, y := changed(r, base), changed(r, base)
		merge := func(keep string, branches ...workflow.Value) workflow.Value {
			got, clash := workflow.MergeBranches(base, branches, keep)
			if clash != nil {
				t.Fatalf("keep %q: a clash at %q", keep, clash.Path)
			}
			return got
		}
		for _, keep := range []string{workflow.KeepNeither, workflow.KeepFirst, workflow.KeepLast} {
			for _, same := range [][]workflow.Value{{x}, {x, x}, {base, x}, {x, base}, {x, base, x}} {
				if got := merge(keep, same...); !got.Equal(x) {
					t.Errorf("%s, %s alone: %s", base, x, got)
				}
			}
		}

		first, last := merge(workflow.KeepFirst, x, y), merge(workflow.KeepLast, x, y)
		if !first.Equal(merge(workflow.KeepLast, y, x)) {
			t.Errorf("%s, %s, %s: the first in one order is not the last in the other", base, x, y)
		}
		got, clash := workflow.MergeBranches(base, []workflow.Value{x, y}, workflow.KeepNeither)
		if clash == nil {
			if !got.Equal(first) || !got.Equal(last) || !got.Equal(merge(workflow.KeepNeither, y, x)) {
				t.Errorf("%s, %s, %s: without a clash the order counts", base, x, y)
			}
			return
		}
		clashes++
		if first.Equal(last) {
			t.Errorf("%s, %s, %s: a clash at %q, but no difference", base, x, y, clash.Path)
		}
	})
	if clashes < 500 || clashes > 4500 {
		t.Errorf("%d of the pairs clash: the test sees little", clashes)
	}
}

// changed returns an object with few places changed or taken away.
func changed(r *rand.Rand, v workflow.Value) workflow.Value {
	for range r.IntN(3) {
		all := leaves(v)
		path := slices.Clone(all[r.IntN(len(all))].path)
		if len(path) == 0 {
			path = []string{someNames[r.IntN(len(someNames))]}
		}
		if r.IntN(5) == 0 {
			v = v.Without(path[0])
		} else if next, err := v.Set(path, valueOf(randomTree(r, 1))); err == nil {
			v = next
		}
	}

	return v
}
