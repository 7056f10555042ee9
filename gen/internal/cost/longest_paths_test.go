package cost

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/interp"
)

// TestLongestPaths compares what paths through random graphs use with a search of all paths.
func TestLongestPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	uses := func() *runs {
		return &runs{spent: spending{used: Spend{Calls: Amount(r.IntN(9)), Input: Amount(r.IntN(9))}}}
	}
	acyclic := 0
	for range 2000 {
		n := 1 + r.IntN(5)
		g := interp.Graph[*runs]{All: &runs{}, Nodes: make([]interp.Node[*runs], n), StepsLeft: 1 + r.IntN(6)}
		isForward := r.IntN(2) == 0
		for i := range g.Nodes {
			node := &g.Nodes[i]
			node.IsEnd = r.IntN(4) == 0
			if i == 0 || r.IntN(4) == 0 {
				node.Begins = uses()
			}
			if node.IsEnd {
				node.Ends.Done = &runs{}
				continue
			}
			node.Ends.Failed = uses()
			for range r.IntN(3) {
				to := r.IntN(n)
				if !isForward || to > i {
					node.Moves = append(node.Moves, interp.Edge[*runs]{To: to, Taken: uses()})
				}
			}
		}
		if _, is := topologicalOrder(g.Nodes); is {
			acyclic++
		}
		var done, failed Spend
		isDone := false
		var search func(at, left int, used Spend)
		search = func(at, left int, used Spend) {
			node := g.Nodes[at]
			switch {
			case node.IsEnd:
				done, isDone = done.max(used), true
				return
			case left == 0:
				failed = failed.max(used)
				return
			}
			failed = failed.max(used.add(node.Ends.Failed.spent.used))
			for _, move := range node.Moves {
				search(move.To, left-1, used.add(move.Taken.spent.used))
			}
		}
		for i, node := range g.Nodes {
			if node.Begins != nil {
				search(i, g.StepsLeft, node.Begins.spent.used)
			}
		}
		ends := (*workCosts)(nil).Extrapolate(g)
		if got := ends.Failed.spent.used; got != failed {
			t.Fatalf("%+v: what fails uses %+v, not %+v", g, got, failed)
		}
		if got := ends.Done; (got != nil) != isDone || got != nil && got.spent.used != done {
			t.Fatalf("%+v: what ends well uses %+v, not %+v", g, got, done)
		}
	}
	if acyclic < 500 || acyclic > 1900 {
		t.Errorf("%d graphs are acyclic: the test looks at one kind alone", acyclic)
	}
}

// TestMainParts: the main part of a path is the costliest, added up over the visits of a state, and
// the limits are those of all states on the way.
func TestMainParts(t *testing.T) {
	use := func(text string, calls, width Amount) *runs {
		spend := Spend{Calls: calls}
		return &runs{spent: spending{spend, traits{limits{width: width}, term{text, spend}}}}
	}
	ends := (*workCosts)(nil).Extrapolate(interp.Graph[*runs]{All: &runs{}, StepsLeft: 7, Nodes: []interp.Node[*runs]{
		{Begins: &runs{}, Moves: []interp.Edge[*runs]{{To: 1, Taken: use("first", 3, 1)}, {To: 2, Taken: use("first", 3, 1)}}},
		{Moves: []interp.Edge[*runs]{{To: 0, Taken: use("second", 5, 2)}, {To: 3, Taken: use("second", 5, 2)}}},
		{Moves: []interp.Edge[*runs]{{To: 0, Taken: use("third", 4, 9)}}},
		{IsEnd: true, Ends: interp.Ends[*runs]{Done: &runs{}}},
	}})
	done := ends.Done.spent
	if got := fmt.Sprintf("%d %s %d %d", done.used.Calls, done.main.text, done.main.spend.Calls, done.width); got != "24 second 15 9" {
		t.Errorf("the paths use %s", got)
	}
}

// TestVeryLongPaths: behind the steps that are looked at one by one, each costs as much as any.
func TestVeryLongPaths(t *testing.T) {
	use := func(calls Amount) *runs { return &runs{spent: spending{used: Spend{Calls: calls}}} }
	for left, want := range map[int]string{10: "30", 1000: "3,000", 1001: "3,005", 3000: "13,000"} {
		ends := (*workCosts)(nil).Extrapolate(interp.Graph[*runs]{All: &runs{}, StepsLeft: left, Nodes: []interp.Node[*runs]{{
			Begins: &runs{}, Moves: []interp.Edge[*runs]{{To: 0, Taken: use(3)}, {To: 1, Taken: use(5)}},
		}, {IsEnd: true, Ends: interp.Ends[*runs]{Done: &runs{}}}}})
		if got := fmt.Sprint(ends.Failed.spent.used.Calls); got != want {
			t.Errorf("paths of %d steps make %s calls, not %s", left, got, want)
		}
	}
}
