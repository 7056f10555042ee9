// Package scc finds the strongly connected components of graphs: groups of nodes that lead to each other.
package scc

import "slices"

// Groups returns the strongly connected components of a graph, each sorted, ordered by their first nodes; a node that leads
// to no other one of its group is a group of its own. next are the nodes that each node leads to. It is Kosaraju's algorithm
// with a stack of its own, since a graph may be as deep as it is large: of the nodes in the order in which a search leaves them, the
// last one is in a group with all that lead to it.
func Groups(next [][]int) [][]int {
	back := Reversed(next)
	var left []int
	forward := search{next: next, seen: make([]bool, len(next))}
	for i := range next {
		left = forward.from(i, left)
	}
	var groups [][]int
	backward := search{next: back, seen: make([]bool, len(next))}
	for _, i := range slices.Backward(left) {
		if group := backward.from(i, nil); group != nil {
			slices.Sort(group)
			groups = append(groups, group)
		}
	}
	slices.SortFunc(groups, func(a, b []int) int { return a[0] - b[0] })

	return groups
}

// Reversed returns the nodes that lead to each node.
func Reversed(next [][]int) [][]int {
	back := make([][]int, len(next))
	for from, all := range next {
		for _, to := range all {
			back[to] = append(back[to], from)
		}
	}

	return back
}

type search struct {
	next [][]int
	seen []bool
}

// frame is a node whose successors before the i-th have been looked at.
type frame struct{ node, i int }

// from appends the nodes that were not seen before and that a node leads to, each when the search leaves it.
func (s *search) from(root int, left []int) []int {
	if s.seen[root] {
		return left
	}
	s.seen[root] = true
	for frames := []frame{{node: root}}; len(frames) > 0; {
		f := &frames[len(frames)-1]
		if f.i == len(s.next[f.node]) {
			left = append(left, f.node)
			frames = frames[:len(frames)-1]
			continue
		}
		to := s.next[f.node][f.i]
		f.i++
		if !s.seen[to] {
			s.seen[to] = true
			frames = append(frames, frame{node: to})
		}
	}

	return left
}

// From marks some nodes, and all that they lead to.
func From(next [][]int, roots ...int) []bool {
	s := search{next: next, seen: make([]bool, len(next))}
	for _, i := range roots {
		s.from(i, nil)
	}

	return s.seen
}

// Cycles returns the groups whose nodes lead to each other or to themselves.
func Cycles(next [][]int) [][]int {
	return slices.DeleteFunc(Groups(next), func(group []int) bool { return len(group) == 1 && !slices.Contains(next[group[0]], group[0]) })
}

// Closed returns the strongly connected components of a graph that nothing leaves.
func Closed(next [][]int) [][]int {
	groups := Groups(next)
	of := make([]int, len(next))
	for g, group := range groups {
		for _, i := range group {
			of[i] = g
		}
	}

	return slices.DeleteFunc(groups, func(group []int) bool {
		return slices.ContainsFunc(group, func(i int) bool {
			return slices.ContainsFunc(next[i], func(to int) bool { return of[to] != of[i] })
		})
	})
}
