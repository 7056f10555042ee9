// Package kindtest compares what reads events with the rows of their kinds.
package kindtest

import (
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
)

// CompareFunctions fails unless a reader has a function for exactly those kinds of events whose row calls for one.
func CompareFunctions[K ~string, F any](
	t *testing.T, functions eventkind.Functions[K, F], treatment func(k *eventkind.Kind) eventkind.Treatment,
) {
	t.Helper()
	for i := range eventkind.All {
		k := &eventkind.All[i]
		has := slices.ContainsFunc(functions, func(f eventkind.Function[K, F]) bool { return string(f.Kind) == k.Name })
		switch isCustom := treatment(k) == eventkind.Custom; {
		case isCustom && !has:
			t.Errorf("the row of %s says Custom, and there is no function for it", k.Name)
		case has && !isCustom:
			t.Errorf("there is a function for %s, and its row does not say Custom", k.Name)
		}
	}
	for i, f := range functions {
		if eventkind.Of(string(f.Kind)) == nil {
			t.Errorf("there is a function for %s, which is not a kind of events", f.Kind)
		}
		if slices.ContainsFunc(functions[:i], func(g eventkind.Function[K, F]) bool { return g.Kind == f.Kind }) {
			t.Errorf("there are two functions for %s", f.Kind)
		}
	}
}
