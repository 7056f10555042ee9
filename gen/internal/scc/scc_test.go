package scc_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/scc"
)

func TestGroups(t *testing.T) {
	cases := []struct {
		next [][]int
		want [][]int
	}{
		{nil, nil},
		{[][]int{{}}, [][]int{{0}}},
		{[][]int{{0}}, [][]int{{0}}},
		{[][]int{{1}, {2}, {1}}, [][]int{{0}, {1, 2}}},
		{[][]int{{2}, {0}, {1, 3}, {3}, {0}}, [][]int{{0, 1, 2}, {3}, {4}}},
	}
	for _, c := range cases {
		if got := scc.Groups(c.next); !reflect.DeepEqual(got, c.want) {
			t.Errorf("the groups of %v are %v, want %v", c.next, got, c.want)
		}
	}
}

// Two nodes are in one group if each leads to the other, on whatever way.
func TestGroupsOfRandomGraphs(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		next := make([][]int, 1+r.IntN(12))
		for i := range next {
			for range r.IntN(3) {
				next[i] = append(next[i], r.IntN(len(next)))
			}
		}
		leads := make([][]bool, len(next))
		for i := range next {
			leads[i] = make([]bool, len(next))
			for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
				if !leads[i][queue[0]] {
					leads[i][queue[0]] = true
					queue = append(queue, next[queue[0]]...)
				}
			}
		}
		var want [][]int
		for i := range next {
			var group []int
			for j := range next {
				if leads[i][j] && leads[j][i] {
					group = append(group, j)
				}
			}
			if group[0] == i {
				want = append(want, group)
			}
		}
		if got := scc.Groups(next); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("the groups of %v are %v, want %v", next, got, want)
		}
	}
}
