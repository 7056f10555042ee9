package agentmd

import "github.com/agentc-dev/agentc/gen/internal/ir"

// defaultVariantIter bounds the turns of each variant of a best-of-n.
const defaultVariantIter = 15

// bestOfN makes variants with the body of AGENT.md, side by side, and has one judge choose or join.
func (b *flowBuilder) bestOfN() []ir.Op {
	variant := b.body(b.loop(b.limit("max_iter", defaultVariantIter)))
	judge := b.step("judge")
	b.giveOutput(judge)

	return []ir.Op{
		&ir.Group{
			Var:   "variants",
			Limit: b.concurrency(),
			N:     b.limit("n", 1),
			Title: "variant",
			Runs:  []*ir.Run{run("", variant, ir.Input{})},
		},
		run("best", judge, brief(task(), section("variants", ir.Report{Var: "variants"}))),
		done("best"),
	}
}
