package rt_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// newIndex returns the index of a machine of n states, each called as its number.
func newIndex(n int) *rt.StateIndex[uint16] {
	names := rt.StateNames[uint16]{""}
	for i := range n {
		names = append(names, fmt.Sprintf("state-%06d", i+1))
	}

	return &rt.StateIndex[uint16]{Machine: "line", Names: names}
}

func TestStateIndex(t *testing.T) {
	const states = 1000
	index := newIndex(states)
	for i := range states {
		s, err := index.Parse(fmt.Sprintf("state-%06d", i+1))
		if int(s) != i+1 || err != nil {
			t.Errorf("state %d is %d, %v", i+1, s, err)
		}
	}
	for _, text := range []string{"", "state-1", "state-001001"} {
		var unknown *rt.UnknownNameError
		if s, err := index.Parse(text); s != 0 || !errors.As(err, &unknown) || unknown.Name != text || unknown.Machine != "line" {
			t.Errorf("%q is %d, %v", text, s, err)
		}
	}
}

// A name is found without allocation, and in a large machine as fast as in a small one.
func TestStateIndexIsConstant(t *testing.T) {
	parse := func(n int) func() {
		index, last := newIndex(n), fmt.Sprintf("state-%06d", n)

		return func() {
			if s, err := index.Parse(last); int(s) != n || err != nil {
				t.Errorf("%s is %d, %v", last, s, err)
			}
		}
	}
	nanoseconds := func(work func()) int64 {
		return testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				work()
			}
		}).NsPerOp()
	}
	few, many := parse(10), parse(10_000)
	if allocations := testing.AllocsPerRun(100, many); allocations != 0 {
		t.Errorf("it allocates %v times", allocations)
	}
	small, large := nanoseconds(few), nanoseconds(many)
	if large > 20*(small+1) {
		t.Errorf("a name is found in %d ns among 10 states and in %d ns among 10,000", small, large)
	}
}
