package trace

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestReplacedWait reads a run of which a later process carries the failed effect 1 out again: the
// wait that followed is replaced by the next effect.
func TestReplacedWait(t *testing.T) {
	record := func(of journal.Type, address, name string, fields ...journal.Field) journal.Record {
		return journal.Record{Type: of, Address: address, Name: name, Fields: fields}
	}
	tr := Of([]journal.Record{
		record(journal.Intent, "1", "call", journal.Field{Name: "what", Value: "shop:refund"}),
		record(journal.Result, "1", "call", journal.Field{Name: "error", Value: "busy"}),
		record(journal.Intent, "2", "sleep"),
		record(journal.Result, "2", "sleep"),
		record(journal.End, "", "failed"),
		record(journal.Opened, "", ""),
		record(journal.Intent, "1", "call", journal.Field{Name: "what", Value: "shop:refund"}),
		record(journal.Result, "1", "call"),
		record(journal.Intent, "2", "call", journal.Field{Name: "what", Value: "shop:release"}),
		record(journal.Result, "2", "call"),
	})
	var calls []*Node
	tr.Root.visitAll(func(n *Node) {
		switch n.Kind {
		case Sleep:
			t.Errorf("the wait at %s is in the tree", n.Address)
		case Call:
			calls = append(calls, n)
		}
	})
	if len(calls) != 2 || calls[0].Attempts != 2 || calls[1].Name != "shop:release" || calls[1].Attempts != 1 {
		t.Errorf("the calls are %+v", calls)
	}
}
