package app

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
)

// TestEachNodeHasItsDrawer: the tree has a function for those nodes of events for which the row has no words.
func TestEachNodeHasItsDrawer(t *testing.T) {
	for _, k := range eventkind.All {
		if k.Node == nil {
			continue
		}
		if has := drawers.Of(trace.Kind(k.Node.Kind)) != nil; has != (k.Node.Tree == eventkind.ByCode) {
			t.Errorf("%s: the row has the words %q, and that there is a function is %v", k.Name, k.Node.Tree, has)
		}
	}
	for _, drawer := range drawers {
		if eventkind.NodeOf(string(drawer.Kind)) == nil {
			t.Errorf("there is a function for %s, which is no node of an event", drawer.Kind)
		}
	}
}
