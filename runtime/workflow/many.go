package workflow

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
)

// many is what is in a list or an object that is not empty. It is never changed.
type many struct {
	items []Value
	// names are those of the items of an object. No name is there twice.
	names []string
	// order are the indexes of names, sorted by name; nil when names are few.
	order  []int32
	depth  int // 1 for a list of scalars
	weight int // bytes as JSON, about
}

// Bounds of a value that is built. A text that is parsed has narrower ones; these keep recursion and the memory for JSON in
// bounds when a loop puts values into values.
const (
	maxDepth  = 10_000
	maxWeight = 64 << 20
)

// few is how many names are compared one after another, which is faster than an order and needs no memory.
const few = 16

// newList takes items over.
func newList(items []Value) Value {
	if len(items) == 0 {
		return Value{kind: KindList}
	}

	return must(made(KindList, &many{items: items}))
}

// newObject takes both over; no name may be there twice.
func newObject(names []string, items []Value) Value {
	if len(names) == 0 {
		return Value{kind: KindObject}
	}

	return must(made(KindObject, &many{items: items, names: names, order: sorted(names)}))
}

func must(v Value, err error) Value {
	if err != nil {
		panic(err)
	}

	return v
}

// made measures m. The error is a *runtime.ValueError, for a value beyond the bounds.
func made(kind Kind, m *many) (Value, error) {
	for i := range m.items {
		depth, weight := m.items[i].measure()
		m.depth = max(m.depth, depth)
		m.weight += weight + 1
	}
	for _, name := range m.names {
		m.weight += len(name) + 3
	}
	m.depth++
	switch {
	case m.depth > maxDepth:
		return Value{}, tooDeep()
	case m.weight > maxWeight:
		return Value{}, &runtime.ValueError{Problem: fmt.Sprintf("is larger than %d MiB", maxWeight>>20)}
	}

	return Value{kind: kind, many: m}, nil
}

func tooDeep() error {
	return &runtime.ValueError{Problem: fmt.Sprintf("is nested more than %d deep", maxDepth)}
}

// measure returns how deep v is nested and about how many bytes it has as JSON.
func (v Value) measure() (depth, weight int) {
	const scalar = 4 // null, true, and most numbers
	switch {
	case v.kind == KindText:
		return 0, len(v.text) + 2
	case v.many != nil:
		return v.many.depth, v.many.weight
	}

	return 0, scalar
}

func sorted(names []string) []int32 {
	if len(names) <= few {
		return nil
	}
	order := make([]int32, len(names))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return strings.Compare(names[i], names[j]) })

	return order
}

// find returns the index of a member; -1 without one.
func (v Value) find(name string) int {
	switch {
	case v.kind != KindObject || v.many == nil:
		return -1
	case v.many.order == nil:
		return slices.Index(v.many.names, name)
	}
	at, found := slices.BinarySearchFunc(v.many.order, name, func(i int32, name string) int {
		return strings.Compare(v.many.names[i], name)
	})
	if !found {
		return -1
	}

	return int(v.many.order[at])
}

// size is the number of items.
func (v Value) size() int {
	if v.many == nil {
		return 0
	}

	return len(v.many.items)
}

func runes(text string) int { return utf8.RuneCountInString(text) }
