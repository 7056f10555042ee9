package interp

import "container/heap"

// sourceOrder are the indexes of states to visit, from the previous one on in source order, and
// after the last one of the first.
type sourceOrder struct {
	// ahead are the indexes from next on, and behind are the others.
	ahead, behind indexHeap
	next          int
}

// add adds the index of a state.
func (o *sourceOrder) add(index int) {
	if index >= o.next {
		heap.Push(&o.ahead, index)
	} else {
		heap.Push(&o.behind, index)
	}
}

// take removes the next index, and returns it.
func (o *sourceOrder) take() int {
	if len(o.ahead) == 0 {
		o.ahead, o.behind = o.behind, nil
	}
	index := heap.Pop(&o.ahead).(int)
	o.next = index + 1

	return index
}

// indexHeap is a heap of indexes, for package heap.
type indexHeap []int

func (h indexHeap) Len() int           { return len(h) }
func (h indexHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h indexHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push appends an index.
func (h *indexHeap) Push(index any) { *h = append(*h, index.(int)) }

// Pop removes the last index, and returns it.
func (h *indexHeap) Pop() any {
	last := len(*h) - 1
	index := (*h)[last]
	*h = (*h)[:last]

	return index
}
