package gen_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// TestFinalKeysAreAll: the keys with which agents of random programs can finish are among those that have constants.
func TestFinalKeysAreAll(t *testing.T) {
	typed := 0
	for seed := range uint64(60) {
		p := &ir.Program{Package: "agents"}
		for i := range 3 {
			emittest.AddMachine(p, seed*10+uint64(i), emittest.Options{Name: fmt.Sprintf("outer-%d", i), States: 3 + i*2, Agents: true})
		}
		for i := range 2 {
			agents := p.Agents[len(p.Agents)-1-i:]
			emittest.AddFlow(p, seed*10+uint64(i), emittest.FlowOptions{Name: fmt.Sprintf("flow-%d", i), Size: 2, Agents: agents})
		}
		final := ir.FinalKeysOf(p.Agents...)
		facts := flow.Analyze(p, flow.Guess{})
		for _, a := range p.Agents {
			outcomes := facts.Outcomes(a)
			keys, known := final.Of(a)
			if known && outcomes.Adapts() {
				t.Errorf("seed %d: %s finishes with any key, not only with %v", seed, a.Name.Value, ir.Values(keys))
			}
			for _, key := range outcomes.Keys() {
				isKnown := slices.ContainsFunc(keys, func(k ir.Text) bool { return ir.FoldKey(k.Value) == ir.FoldKey(key) })
				if known && !isKnown {
					t.Errorf("seed %d: %s finishes with %q, not only with %v", seed, a.Name.Value, key, ir.Values(keys))
				}
			}
			if final.TypedKeys(a) != nil {
				typed++
			}
		}
	}
	if typed < 30 {
		t.Errorf("only %d agents have typed keys", typed)
	}
}
