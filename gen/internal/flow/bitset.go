package flow

import (
	"math/bits"
	"slices"
)

// bitset is a set of small numbers. Sets of keys are kept so because every machine has one, and nested machines share most
// of their keys.
type bitset []uint64

func (b bitset) has(i int) bool { return i/64 < len(b) && b[i/64]&(1<<(i%64)) != 0 }

func (b bitset) empty() bool {
	return !slices.ContainsFunc(b, func(word uint64) bool { return word != 0 })
}

// with returns b with i in it; b may be changed.
func (b bitset) with(i int) bitset {
	for len(b) <= i/64 {
		b = append(b, 0)
	}
	b[i/64] |= 1 << (i % 64)

	return b
}

// union returns b with c in it; b may be changed.
func (b bitset) union(c bitset) bitset {
	for len(b) < len(c) {
		b = append(b, 0)
	}
	for i, word := range c {
		b[i] |= word
	}

	return b
}

// both returns a new set of what is in b and in c.
func (b bitset) both(c bitset) bitset {
	shared := append(bitset(nil), b[:min(len(b), len(c))]...)
	for i := range shared {
		shared[i] &= c[i]
	}

	return shared
}

// without returns a new set of what is in b and not in c.
func (b bitset) without(c bitset) bitset {
	rest := append(bitset(nil), b...)
	for i := range min(len(rest), len(c)) {
		rest[i] &^= c[i]
	}

	return rest
}

// items returns what is in b in ascending order.
func (b bitset) items() []int {
	var items []int
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			items = append(items, i*64+bits.TrailingZeros64(word))
		}
	}

	return items
}
