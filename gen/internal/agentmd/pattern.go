package agentmd

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

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
		&ir.Loop{Counter: "try", Body: ir.Sequence(
			run("attempt", act, ir.TextOf{Var: "task"}),
			ir.When(ir.AtLimit{Counter: "try", N: b.limit("max_iter", defaultTries)},
				&ir.Return{Key: ir.KeyExhausted, Var: "attempt"}),
			judged("reflection", reflect, brief(task(), section("attempt", value("attempt")))),
			ir.When(saysDone("reflection", reflect), done("attempt")),
			&ir.Set{Var: "task", Value: brief(
				task(), section("attempt", value("attempt")), section("feedback", value("reflection")))},
		)},
	}
}

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
		&ir.Parallel{
			Var:      "checks",
			Limit:    b.concurrency(),
			List:     &ir.List{Kind: ir.ListClaims, Of: "listed"},
			Item:     "claim",
			Branches: ir.SideBySide(run("", check, brief(section("claim", ir.TextOf{Var: "claim"}), section("context", ir.Input{})))),
		},
		run("revised", revise,
			brief(task(), section("answer", value("answer")), section("verification", ir.Report{Var: "checks"}))),
		done("revised"),
	}
}

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
		&ir.Loop{Counter: "cycle", Body: ir.Sequence(
			run("plan", plan, ir.TextOf{Var: "task"}),
			let("notes", ir.Notes{Sections: []ir.Section{task()}}),
			&ir.Loop{List: &ir.List{Kind: ir.ListPlan, Of: "plan"}, Item: "step", Body: ir.Sequence(
				run("result", execute, ir.Brief{
					Base: "notes", Sections: []ir.Section{section("current step", ir.TextOf{Var: "step"})},
				}),
				note("notes", section("step", ir.TextOf{Var: "step"}), section("result", value("result"))),
			)},
			judged("verdict", verify, ir.Report{Var: "notes"}),
			ir.When(saysDone("verdict", verify), &ir.Return{Key: ir.KeyDone, Var: "notes", Form: ir.FormDocument}),
			ir.When(ir.AtLimit{Counter: "cycle", N: cycles}, &ir.Return{
				Key: ir.KeyUnfinished, Var: "notes", Form: ir.FormDocument, Limit: cycles, Feedback: "verdict",
			}),
			&ir.Set{Var: "task", Value: brief(task(), section("feedback", value("verdict")))},
		)},
	}
}

// parallelKey is the key with which the map phase of a scatter hands out its items.
const parallelKey = "parallel"

// scatter makes a list of items with the body of AGENT.md, gives each to a worker, side by side, and reduces what they
// made of it. With any other key the map phase has the result itself.
func (b *flowBuilder) scatter() []ir.Op {
	phase := b.givesList(b.body(b.loop(b.limit("max_iter", defaultMaxIter))), ir.ListItems, parallelKey)
	ops := []ir.Op{
		&ir.Run{
			Var: "mapped", Step: phase, Input: ir.Input{},
			At: ir.Place{Kind: ir.PlaceOr, State: "map", Keys: []string{parallelKey}},
		},
		ir.When(ir.KeyIs{Var: "mapped", Key: parallelKey, Not: true}, own("mapped")),
		&ir.Parallel{
			Var:      "results",
			Limit:    b.concurrency(),
			List:     &ir.List{Kind: ir.ListItems, Of: "mapped"},
			Item:     "item",
			Branches: ir.SideBySide(&ir.Run{Agent: b.agent("worker"), Input: ir.TextOf{Var: "item"}}),
		},
	}
	if b.joinsResults() {
		return append(ops, &ir.Return{Key: ir.KeyDone, Var: "results", Form: ir.FormDocument})
	}
	reduce := b.step("reduce")
	b.giveOutput(phase, reduce)

	return append(ops,
		runLast("reduced", reduce, brief(task(), section("results", ir.Report{Var: "results"}))),
		own("reduced"),
	)
}

// failedField is the field of the object of a parallel that says which workers failed.
const failedField = "_failed"

// parallel gives the same input to all workers, side by side, and finishes with an object of what they made of it.
func (b *flowBuilder) parallel() []ir.Op {
	workers := b.agents("workers", ir.Input{})
	if i := slices.IndexFunc(workers, func(r *ir.Run) bool { return r.Agent.Value == failedField }); i >= 0 {
		b.report(diag.New(diag.BadValue, workers[i].Agent.Span,
			"worker %q: the field of that name in the value says which workers failed", failedField))
	}

	return []ir.Op{
		&ir.Parallel{Var: "results", Limit: b.concurrency(), Branches: ir.SideBySide(workers...)},
		&ir.Return{Key: ir.KeyDone, Var: "results", Form: ir.FormObject},
	}
}

// defaultRounds is how many rounds a debate has.
const defaultRounds = 1

// debate has all debaters argue side by side, round after round, each round knowing the ones before, and a judge decide.
func (b *flowBuilder) debate() []ir.Op {
	round := []ir.Op{
		&ir.Parallel{Var: "arguments", Limit: b.concurrency(), Branches: ir.SideBySide(b.agents("agents", ir.Report{Var: "notes"})...)},
		note("notes", section("round", ir.Report{Var: "arguments"})),
	}
	if rounds := b.limit("rounds", defaultRounds); rounds > 1 {
		round = []ir.Op{&ir.Loop{Times: rounds, Body: ir.Sequence(round...)}}
	}

	ops := append([]ir.Op{let("notes", ir.Notes{Sections: []ir.Section{section("topic", ir.Input{})}})}, round...)

	return append(ops,
		&ir.Run{
			Var: "verdict", Agent: b.agent("judge"), Input: ir.Report{Var: "notes"}, At: ir.Place{Kind: ir.PlaceOuter},
		},
		own("verdict"),
	)
}

// defaultVariantIter bounds the turns of each variant of a best-of-n.
const defaultVariantIter = 15

// bestOfN makes variants with the body of AGENT.md, side by side, and has one judge choose or join.
func (b *flowBuilder) bestOfN() []ir.Op {
	variant := b.body(b.loop(b.limit("max_iter", defaultVariantIter)))
	judge := b.step("judge")
	b.giveOutput(judge)

	return []ir.Op{
		&ir.Parallel{
			Var:      "variants",
			Limit:    b.concurrency(),
			N:        b.limit("n", 1),
			Title:    "variant",
			Branches: ir.SideBySide(run("", variant, ir.Input{})),
		},
		run("best", judge, brief(task(), section("variants", ir.Report{Var: "variants"}))),
		done("best"),
	}
}

// human words a question with the body of AGENT.md, waits for a person, and continues with the answer.
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
