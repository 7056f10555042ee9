package agentmd

import "github.com/agentc-dev/agentc/gen/internal/ir"

// defaultTries is how often a reflexion acts.
const defaultTries = 4

// reflexion acts, has the result judged, and acts again with the judgement in hand, until the judge is content. The last
// try is not judged: nothing could be made of it.
func (b *flowBuilder) reflexion() []ir.Op {
	act := b.actor()
	reflect := b.step("reflect")
	b.giveOutput(act)

	return []ir.Op{
		let("task", ir.Input{}),
		&ir.Loop{Counter: "try", Body: []ir.Op{
			run("attempt", act, ir.TextOf{Var: "task"}),
			when(ir.AtLimit{Counter: "try", N: b.limit("max_iter", defaultTries)},
				&ir.Return{Key: ir.KeyExhausted, Var: "attempt"}),
			judged("reflection", reflect, brief(task(), section("attempt", value("attempt")))),
			when(saysDone("reflection", reflect), done("attempt")),
			&ir.Set{Var: "task", Value: brief(
				task(), section("attempt", value("attempt")), section("feedback", value("reflection")))},
		}},
	}
}
