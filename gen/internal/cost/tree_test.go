package cost

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
)

// TestTreesAreLikeMaps does the same with trees and with maps, at random.
func TestTreesAreLikeMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	type pair struct {
		tree *tree
		is   map[int]extent
	}
	pairs := []pair{{nil, map[int]extent{}}}
	asMap := func(tree *tree) map[int]extent {
		all := map[int]extent{}
		tree.visit(func(index int, e extent) { all[index] = e })
		return all
	}
	for range 3000 {
		a, b := pairs[r.IntN(len(pairs))], pairs[r.IntN(len(pairs))]
		next := pair{is: maps.Clone(a.is)}
		if r.IntN(2) == 0 {
			index, e := r.IntN(20)*r.IntN(40), builtin.SizeOfText(Amount(r.IntN(5)))
			next.tree, next.is[index] = a.tree.set(index, e), e
		} else {
			next.tree = a.tree.union(b.tree)
			for index, e := range b.is {
				next.is[index] = next.is[index].Or(e)
			}
		}
		pairs = append(pairs, next)
		if got := asMap(next.tree); !maps.Equal(got, next.is) {
			t.Fatalf("%v, not %v", got, next.is)
		}
		index := r.IntN(800)
		e, isSet := next.tree.get(index)
		want, isWanted := next.is[index]
		if e != want || isSet != isWanted {
			t.Fatalf("at %d is %v, %v, not %v, %v", index, e, isSet, want, isWanted)
		}
		covers := true
		for index, e := range b.is {
			have, isSet := a.is[index]
			covers = covers && isSet && have.Covers(e)
		}
		if got := a.tree.covers(b.tree); got != covers {
			t.Fatalf("%v covers %v: %v", a.is, b.is, got)
		}
		if joined := b.tree.union(a.tree); covers && joined != a.tree {
			t.Fatalf("%v with %v is another tree: %v", b.is, a.is, asMap(joined))
		}
		grown := asMap(next.tree.unboundGrowth(a.tree))
		for index, e := range next.is {
			have, isSet := a.is[index]
			if isSet && have == e && grown[index] != e || (!isSet || have != e) && grown[index] != unboundedExtent {
				t.Fatalf("%v from %v has grown to %v", next.is, a.is, grown)
			}
		}
		if len(pairs) > 60 {
			pairs = pairs[30:]
		}
	}
}
