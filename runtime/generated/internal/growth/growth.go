// Package growth has the memory that lists share which were made of each other by appending. Who
// gets it makes no difference to the lists.
package growth

import "sync/atomic"

// Memory is memory in which each of several lists is the beginning of the next. It is safe for
// concurrent use.
type Memory struct {
	// used is how many items are taken, by the longest of the lists.
	used atomic.Int32
	// claimed is up to which item ClaimAdded has returned true.
	claimed atomic.Int32
}

// New returns memory of which a list has taken a number of items.
func New(used int) *Memory {
	m := &Memory{}
	m.used.Store(int32(used))

	return m
}

// Extend takes the items behind a list of a length, for one that has total items. It returns false
// if another list has taken them.
func (m *Memory) Extend(length, total int) bool {
	return m.used.CompareAndSwap(int32(length), int32(total))
}

// ClaimAdded claims the items from length to total, once for all copies of a list.
func (m *Memory) ClaimAdded(length, total int) bool {
	claimed := m.claimed.Load()

	return int(claimed) <= length && m.claimed.CompareAndSwap(claimed, int32(total))
}
