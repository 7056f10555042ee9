package agentmd

import "github.com/agentc-dev/agentc/gen/internal/ir"

// critic drafts, has the draft criticized, and refines it with both in hand.
func (b *flowBuilder) critic() []ir.Op {
	draft := b.step("draft")
	critique := b.step("critique")
	refine := b.step("refine")
	b.giveOutput(refine)

	return []ir.Op{
		run("draft", draft, ir.Input{}),
		run("critique", critique, value("draft")),
		run("refined", refine, brief(task(), section("draft", value("draft")), section("critique", value("critique")))),
		done("refined"),
	}
}
