package trace

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestFallbacksAndWaste: a turn knows who answered, who was asked instead of whom, and all that it took; what nobody knows the cost of is
// counted.
func TestFallbacksAndWaste(t *testing.T) {
	fields := func(pairs ...string) (all []journal.Field) {
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, journal.Field{Name: pairs[i], Value: pairs[i+1]})
		}

		return all
	}
	tr := Of([]journal.Record{
		{Type: journal.Begin, Name: "r1", Fields: fields("agent", "a")},
		{Type: journal.Intent, Address: "1", Name: "model", Fields: fields("what", "a")},
		{Type: journal.Event, Address: "1", Name: "retry", Fields: fields("seq", "1", "attempt", "1", "error", "busy", "wait", "1s")},
		{Type: journal.Event, Address: "1", Name: "retry", Fields: fields("seq", "2", "attempt", "2", "error", "down", "wait", "0s", "model", "b:2")},
		{Type: journal.Result, Address: "1", Name: "model", Fields: fields("text", "x", "model", "b:2", "tokens_in", "10", "tokens_out", "2",
			"cost", "12", "failed_tokens_in", "6", "failed_tokens_out", "1", "failed_cost", "7", "attempts", "3")},
		{Type: journal.Intent, Address: "2", Name: "model", Fields: fields("what", "a")},
		{Type: journal.Result, Address: "2", Name: "model", Fields: fields("text", "y", "tokens_in", "1", "unpriced", "true")},
	})
	if got, want := tr.Totals, (Totals{Models: 2, In: 17, Out: 3, Cost: 19, Unpriced: 1, Retries: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	turn := tr.Root
	for len(turn.Children) > 0 {
		turn = turn.Children[0]
	}
	if turn.Model != "b:2" || turn.In != 16 || turn.Cost != 19 || len(turn.Retries) != 2 || turn.Retries[0].Model != "" || turn.Retries[1].Model != "b:2" {
		t.Errorf("%+v", turn)
	}
}
