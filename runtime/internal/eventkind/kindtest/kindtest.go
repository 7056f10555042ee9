// Package kindtest compares what reads events with the rows of their kinds.
package kindtest

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/eventkind"
)

// CompareFunctions fails unless a reader has a function for exactly those kinds of events whose row calls for one.
func CompareFunctions[K ~string, F any](t *testing.T, functions map[K]F, treatment func(k *eventkind.Kind) eventkind.Treatment) {
	t.Helper()
	for i := range eventkind.All {
		k := &eventkind.All[i]
		_, has := functions[K(k.Name)]
		switch isCustom := treatment(k) == eventkind.Custom; {
		case isCustom && !has:
			t.Errorf("the row of %s says Custom, and there is no function for it", k.Name)
		case has && !isCustom:
			t.Errorf("there is a function for %s, and its row does not say Custom", k.Name)
		}
	}
	for name := range functions {
		if eventkind.Of(string(name)) == nil {
			t.Errorf("there is a function for %s, which is not a kind of events", name)
		}
	}
}
