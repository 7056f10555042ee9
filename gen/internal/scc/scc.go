// Package scc finds the strongly connected components of graphs: groups of nodes that lead to each other.
package scc

import "slices"

// Groups returns the strongly connected components of a graph, each sorted, ordered by their first nodes; a node that leads
// to no other one of its group is a group of its own. next are the nodes that each node leads to. It is Tarjan's algorithm
// with a stack of its own, since a graph may be as deep as it is large.
func Groups(next [][]int) [][]int {
	t := &tarjan{next: next, order: make([]int, len(next)), low: make([]int, len(next)), onStack: make([]bool, len(next))}
	for i := range next {
		if t.order[i] == 0 {
			t.visit(i)
		}
	}
	slices.SortFunc(t.found, func(a, b []int) int { return a[0] - b[0] })

	return t.found
}

type tarjan struct {
	next    [][]int
	count   int
	order   []int // 1-based order of discovery; 0: not seen yet
	low     []int
	stack   []int
	onStack []bool
	found   [][]int
}

// frame is a node whose successors before the i-th have been looked at.
type frame struct{ node, i int }

func (t *tarjan) visit(root int) {
	frames := []frame{t.enter(root)}
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		if f.i < len(t.next[f.node]) {
			to := t.next[f.node][f.i]
			f.i++
			switch {
			case t.order[to] == 0:
				frames = append(frames, t.enter(to))
			case t.onStack[to]:
				t.low[f.node] = min(t.low[f.node], t.order[to])
			}
			continue
		}

		node := f.node
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			parent := frames[len(frames)-1].node
			t.low[parent] = min(t.low[parent], t.low[node])
		}
		t.leave(node)
	}
}

func (t *tarjan) enter(node int) frame {
	t.count++
	t.order[node], t.low[node] = t.count, t.count
	t.stack = append(t.stack, node)
	t.onStack[node] = true

	return frame{node: node}
}

// leave pops the component of node if node is its root.
func (t *tarjan) leave(node int) {
	if t.low[node] != t.order[node] {
		return
	}
	var group []int
	for {
		last := len(t.stack) - 1
		member := t.stack[last]
		t.stack = t.stack[:last]
		t.onStack[member] = false
		group = append(group, member)
		if member == node {
			break
		}
	}
	slices.Sort(group)
	t.found = append(t.found, group)
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
