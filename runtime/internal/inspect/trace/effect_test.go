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

// TestDescribeWait: a wait is described for people, and what cannot be read is shown as it is.
func TestDescribeWait(t *testing.T) {
	for args, want := range map[string]string{
		`{"for":"1m30s","until":"2026-05-01T08:01:30.25Z"}`: "for 1m30s, until 2026-05-01 08:01:30 UTC",
		`{"until":"2026-05-01T08:01:30Z"}`:                  `{"until":"2026-05-01T08:01:30Z"}`,
		"":                                                  "",
	} {
		tr := Of([]journal.Record{{Type: journal.Intent, Address: "1", Name: "sleep", Fields: []journal.Field{{Name: "args", Value: args}}}})
		if got := tr.Root.Children[0].Args; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
