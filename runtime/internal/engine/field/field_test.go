package field_test

import (
	"math"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

func TestOptional(t *testing.T) {
	got := field.Optional("a", "1", "b", "", "c", "3")
	want := []journal.Field{{Name: "a", Value: "1"}, {Name: "c", Value: "3"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestCount(t *testing.T) {
	for _, n := range []int64{0, 1, -1, math.MaxInt64, math.MinInt64} {
		if got, err := field.ParseCount(field.Count(n)); got != n || err != nil {
			t.Errorf("%d is read as %d, %v", n, got, err)
		}
	}
	if field.Count(0) != "" {
		t.Error("0 is written")
	}
	if _, err := field.ParseCount("many"); err == nil {
		t.Error("a text is read as a number")
	}
}

func TestBool(t *testing.T) {
	if field.Bool(true) != "true" || field.Bool(false) != "" {
		t.Errorf("got %q and %q", field.Bool(true), field.Bool(false))
	}
}
