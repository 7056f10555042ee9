package agentmd

import "github.com/agentc-dev/agentc/gen/internal/ir"

// defaultCycles is how often a plan-execute plans.
const defaultCycles = 3

// planExecute plans with the body of AGENT.md, executes the plan step by step, and plans again with the verdict in hand,
// until the verdict is good.
func (b *flowBuilder) planExecute() []ir.Op {
	plan := b.givesList(b.body(b.answer()), ir.ListPlan, "")
	execute := b.step("execute")
	verify := b.step("verify")
	cycles := b.limit("max_iter", defaultCycles)

	return []ir.Op{
		let("task", ir.Input{}),
		&ir.Loop{Counter: "cycle", Body: []ir.Op{
			run("plan", plan, ir.TextOf{Var: "task"}),
			let("notes", ir.Notes{Sections: []ir.Section{task()}}),
			&ir.Loop{List: &ir.List{Kind: ir.ListPlan, Of: "plan"}, Item: "step", Body: []ir.Op{
				run("result", execute, ir.Brief{
					Base: "notes", Sections: []ir.Section{section("current step", ir.TextOf{Var: "step"})},
				}),
				note("notes", section("step", ir.TextOf{Var: "step"}), section("result", value("result"))),
			}},
			judged("verdict", verify, ir.Report{Var: "notes"}),
			when(saysDone("verdict", verify), &ir.Return{Key: ir.KeyDone, Var: "notes", Form: ir.FormDocument}),
			when(ir.AtLimit{Counter: "cycle", N: cycles}, &ir.Return{
				Key: ir.KeyUnfinished, Var: "notes", Form: ir.FormDocument, Limit: cycles, Feedback: "verdict",
			}),
			&ir.Set{Var: "task", Value: brief(task(), section("feedback", value("verdict")))},
		}},
	}
}
