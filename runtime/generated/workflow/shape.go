package workflow

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/internal/growth"
)

// shape is the kind of a value and the content of a list or an object. It is never changed.
type shape struct {
	kind  kind
	items []Value
	// names are the names of an object's items. No name occurs twice.
	names []string
	// order are the indexes of names, sorted by name; nil up to maxUnsortedNames.
	order  []int32
	depth  int32 // 1 for a list of scalars
	weight int32 // bytes as JSON, about
	// growth is of a list that was made by appending; nil for anything else.
	growth *growth.Memory
}

// The shapes of scalars and of empty values. A kind is recognized by comparing pointers.
var (
	boolShape   = shape{kind: kindBool}
	intShape    = shape{kind: kindNumber} // bits are an int64
	floatShape  = shape{kind: kindNumber}
	textShape   = shape{kind: kindText}
	emptyList   = shape{kind: kindList}
	emptyObject = shape{kind: kindObject}
)

func (v Value) isWhole() bool { return v.shape == &intShape }

// Bounds of a value that is built. A text that is parsed has narrower ones; these keep recursion
// and the memory for JSON in bounds when a loop puts values into values.
const (
	maxDepth  = 10_000
	maxWeight = 64 << 20
)

// maxUnsortedNames is up to how many names are compared one after another, which is faster than an
// order and needs no memory.
const maxUnsortedNames = 16

// newList returns a list. The caller must not use items afterwards.
func newList(items []Value) Value { return mustValue(makeList(items)) }

// makeList is newList with an error for a list beyond the bounds.
func makeList(items []Value) (Value, error) {
	if len(items) == 0 {
		return Value{shape: &emptyList}, nil
	}

	return makeComposite(&shape{kind: kindList, items: items})
}

// newObject returns an object. The caller must not use names and items afterwards; no name may
// occur twice.
func newObject(names []string, items []Value) Value {
	if len(names) == 0 {
		return Value{shape: &emptyObject}
	}

	return mustValue(makeComposite(&shape{kind: kindObject, items: items, names: names, order: sortedOrder(names)}))
}

func mustValue(v Value, err error) Value {
	if err != nil {
		panic(err)
	}

	return v
}

// makeComposite returns a list or an object of shape s, whose depth and weight it sets. The error
// is a *runtime.ValueError, for a value beyond the bounds.
func makeComposite(s *shape) (Value, error) { return s.addWeights(s.items) }

// addWeights adds items, and the names of the shape, to its depth and weight, and returns the list or
// object. It returns the errors of [makeComposite].
func (s *shape) addWeights(items []Value) (Value, error) {
	deepest, total := max(int(s.depth)-1, 0), int(s.weight)
	for i := range items {
		depth, weight := items[i].measure()
		deepest = max(deepest, depth)
		total += weight + 1
	}
	for _, name := range s.names {
		total += len(name) + 3
	}
	switch {
	case deepest+1 > maxDepth:
		return Value{}, tooDeepError()
	case total > maxWeight:
		return Value{}, &runtime.ValueError{Problem: fmt.Sprintf("is larger than %d MiB", maxWeight>>20)}
	}
	s.depth, s.weight = int32(deepest+1), int32(total)

	return Value{shape: s}, nil
}

func tooDeepError() error {
	return &runtime.ValueError{Problem: fmt.Sprintf("is nested more than %d deep", maxDepth)}
}

// measure returns how deep v is nested and about how many bytes it has as JSON.
func (v Value) measure() (depth, weight int) {
	const scalar = 4 // null, true, and most numbers
	switch {
	case v.IsText():
		return 0, len(v.text) + 2
	case v.memberCount() > 0:
		return int(v.shape.depth), int(v.shape.weight)
	}

	return 0, scalar
}

func sortedOrder(names []string) []int32 {
	if len(names) <= maxUnsortedNames {
		return nil
	}
	order := make([]int32, len(names))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return strings.Compare(names[i], names[j]) })

	return order
}

// findMember returns the index of a member; -1 without one.
func (v Value) findMember(name string) int {
	switch {
	case v.shape == nil:
		return -1
	case v.shape.order == nil: // no object too, which has no names
		for i, known := range v.shape.names {
			if known == name {
				return i
			}
		}
		return -1
	}
	at, found := slices.BinarySearchFunc(v.shape.order, name, func(i int32, name string) int {
		return strings.Compare(v.shape.names[i], name)
	})
	if !found {
		return -1
	}

	return int(v.shape.order[at])
}

// memberCount returns the number of items of a list or an object.
func (v Value) memberCount() int {
	if v.shape == nil {
		return 0
	}

	return len(v.shape.items)
}

func runeCount(text string) int { return utf8.RuneCountInString(text) }
