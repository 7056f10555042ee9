package agentmd

import "github.com/agentc-dev/agentc/gen/internal/ir"

// chainOfVerification answers with the body of AGENT.md, lists the claims of the answer, checks all of them side by side,
// and revises the answer.
func (b *flowBuilder) chainOfVerification() []ir.Op {
	generate := b.body(b.answer())
	verify := b.givesList(b.step("verify"), ir.ListClaims, "")
	check := b.step("check")
	revise := b.step("revise")
	b.giveOutput(revise)

	return []ir.Op{
		run("answer", generate, ir.Input{}),
		run("listed", verify, brief(task(), section("answer", value("answer")))),
		&ir.Group{
			Var:   "checks",
			Limit: b.concurrency(),
			List:  &ir.List{Kind: ir.ListClaims, Of: "listed"},
			Item:  "claim",
			Runs:  []*ir.Run{run("", check, brief(section("claim", ir.TextOf{Var: "claim"}), section("context", ir.Input{})))},
		},
		run("revised", revise,
			brief(task(), section("answer", value("answer")), section("verification", ir.Report{Var: "checks"}))),
		done("revised"),
	}
}
