package core_test

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestInputThatDoesNotFit: a run whose input does not fit its schema does not begin: nothing is called, and nothing stored.
func TestInputThatDoesNotFit(t *testing.T) {
	calls := 0
	p := &compiled.Program{Name: "p", Entry: "a", Agents: []compiled.Agent{{
		Name:  "a",
		Input: &compiled.Input{Check: rt.Reader[int64](func(v *rt.JSON) int64 { return v.Int() }).Check},
		Run: func(runtime.Effects, string) (runtime.Finish, error) {
			calls++
			return runtime.Finish{Key: "done"}, nil
		},
	}}}
	for input, begins := range map[string]bool{"7": true, "seven": false} {
		calls = 0
		store := journal.Memory()
		_, err := core.New(core.Config{Store: store, Script: "{}"}).Run(t.Context(), p, "", input)
		runs, listing := store.List(t.Context(), journal.Query{})
		if listing != nil {
			t.Fatal(listing)
		}
		if has := len(runs) == 1; has != begins || (calls == 1) != begins {
			t.Errorf("%q: %d calls, %d runs", input, calls, len(runs))
		}
		if (err == nil) != begins || !begins && runtime.ErrorType(err) != "InputError" {
			t.Errorf("%q: %v", input, err)
		}
	}
}
