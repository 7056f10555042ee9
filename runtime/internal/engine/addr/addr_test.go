package addr_test

import (
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/engine/addr"
)

func TestPosition(t *testing.T) {
	var root addr.Position
	if got := root.Address(); got != "" {
		t.Errorf("before the first effect the address is %q", got)
	}
	for range 7 {
		root.Advance()
	}
	branch := root.InBranch(2)
	if got := branch.Address(); got != "7.2" {
		t.Errorf("a branch begins at %q", got)
	}
	branch.Advance()
	if got := branch.Address(); got != "7.2.1" || branch.AddressOf(12) != "7.2.12" || root.Address() != "7" {
		t.Errorf("the addresses are %q, %q and %q", got, branch.AddressOf(12), root.Address())
	}
	inner := branch.InBranch(0)
	if got := inner.Path(); !slices.Equal(got, []int{2, 0}) {
		t.Errorf("the path is %v", got)
	}
	if !root.Encloses(&inner) || !inner.Encloses(&inner) || inner.Encloses(&branch) {
		t.Error("a branch encloses itself and those within it")
	}
	fixed := addr.At("3.1")
	fixed.Advance()
	if got := fixed.Address(); got != "3.1" {
		t.Errorf("a fixed address became %q", got)
	}
}

func TestSplit(t *testing.T) {
	for address, want := range map[string]struct {
		branch  string
		ordinal int
	}{"1": {"", 1}, "7.0.12": {"7.0", 12}, "7.0.2.1.3": {"7.0.2.1", 3}} {
		if branch, ordinal := addr.Split(address); branch != want.branch || ordinal != want.ordinal {
			t.Errorf("%s is %d in branch %q", address, ordinal, branch)
		}
	}
	if got := addr.GroupOf("7.0.2.1"); got != "7.0.2" {
		t.Errorf("the group is %q", got)
	}
}

func TestCompare(t *testing.T) {
	sorted := []string{"", "1", "2", "2.0.1", "2.0.2", "2.1.1", "2.10.1", "3", "10"}
	shuffled := []string{"10", "2.10.1", "2", "", "2.1.1", "3", "2.0.2", "1", "2.0.1"}
	slices.SortFunc(shuffled, addr.Compare)
	if !slices.Equal(shuffled, sorted) {
		t.Errorf("got %v", shuffled)
	}
}

func TestIsAfter(t *testing.T) {
	for _, c := range []struct {
		address, branch string
		ordinal         int
		want            bool
	}{
		{"3", "", 2, true}, {"2", "", 2, false}, {"10.0.1", "", 9, true},
		{"7.0.3", "7.0", 2, true}, {"7.1.3", "7.0", 2, false}, {"8", "7.0", 2, false},
	} {
		if got := addr.IsAfter(c.address, c.branch, c.ordinal); got != c.want {
			t.Errorf("%s after effect %d of branch %q: %v", c.address, c.ordinal, c.branch, got)
		}
	}
}

func TestIsTrailing(t *testing.T) {
	newest := map[string]int{"": 2, "2.0": 1, "2.1": 3}
	for address, want := range map[string]bool{"1": false, "2": true, "2.0.1": true, "2.1.2": false, "2.1.3": true} {
		if got := addr.IsTrailing(address, newest); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
	if newest[""] = 4; addr.IsTrailing("2.0.1", newest) {
		t.Error("an effect in a group is trailing although another one follows the group")
	}
}
