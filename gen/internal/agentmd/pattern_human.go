package agentmd

import "github.com/agentc-dev/agentc/gen/internal/ir"

// human words a question with the body of AGENT.md, waits for a person, and goes on with the answer.
func (b *flowBuilder) human() []ir.Op {
	first := b.loop(b.limit("max_iter", defaultMaxIter))
	first.Repair = b.limit("repair", defaultRepair)
	question := b.body(first)
	resume := b.resume(first)
	b.giveOutput(resume)

	return []ir.Op{
		run("question", question, ir.Input{}),
		&ir.Ask{Var: "answer", Question: "question"},
		runLast("resumed", resume,
			brief(task(), section("question", value("question")), section("answer", value("answer")))),
		own("resumed"),
	}
}
