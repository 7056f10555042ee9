package agentmd

import "github.com/agentc-dev/agentc/gen/internal/ir"

// constitutional answers with the body of AGENT.md, holds the answer against principles, and revises it.
func (b *flowBuilder) constitutional() []ir.Op {
	generate := b.body(b.answer())
	critique := b.step("critique")
	revise := b.step("revise")
	b.giveOutput(revise)

	return []ir.Op{
		run("generated", generate, ir.Input{}),
		run("critique", critique, value("generated")),
		run("revised", revise, brief(task(), section("response", value("generated")), section("critique", value("critique")))),
		done("revised"),
	}
}
