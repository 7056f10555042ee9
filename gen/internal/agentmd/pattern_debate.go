package agentmd

import "github.com/agentc-dev/agentc/gen/internal/ir"

// defaultRounds is how many rounds a debate has.
const defaultRounds = 1

// debate has all debaters argue side by side, round after round, each round knowing the ones before, and a judge decide.
func (b *flowBuilder) debate() []ir.Op {
	round := []ir.Op{
		&ir.Group{Var: "arguments", Limit: b.concurrency(), Runs: b.agents("agents", ir.Report{Var: "notes"})},
		note("notes", section("round", ir.Report{Var: "arguments"})),
	}
	if rounds := b.limit("rounds", defaultRounds); rounds > 1 {
		round = []ir.Op{&ir.Loop{Times: rounds, Body: round}}
	}

	ops := append([]ir.Op{let("notes", ir.Notes{Sections: []ir.Section{section("topic", ir.Input{})}})}, round...)

	return append(ops,
		&ir.Run{
			Var: "verdict", Agent: b.agent("judge"), Input: ir.Report{Var: "notes"}, At: ir.Place{Kind: ir.PlaceOuter},
		},
		own("verdict"),
	)
}
