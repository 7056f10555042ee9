package agentmd

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// critic drafts, has the draft criticized, and refines it with both in hand.
func (b *flowBuilder) critic() []*ir.Task {
	v := flowVariables{}
	draft := b.step("draft")
	critique := b.step("critique")
	refine := b.step("refine")
	b.giveOutput(refine)

	return []*ir.Task{
		v.run("draft", draft, ir.GivenText()),
		v.run("critique", critique, v.value("draft")),
		v.run("refined", refine,
			brief(task(), section("draft", v.value("draft")), section("critique", v.value("critique")))),
		v.done("refined"),
	}
}

// constitutional answers with the body of AGENT.md, holds the answer against principles, and revises it.
func (b *flowBuilder) constitutional() []*ir.Task {
	v := flowVariables{}
	generate := b.body(b.answer())
	critique := b.step("critique")
	revise := b.step("revise")
	b.giveOutput(revise)

	return []*ir.Task{
		v.run("generated", generate, ir.GivenText()),
		v.run("critique", critique, v.value("generated")),
		v.run("revised", revise,
			brief(task(), section("response", v.value("generated")), section("critique", v.value("critique")))),
		v.done("revised"),
	}
}

// defaultTries is how often a reflexion acts.
const defaultTries = 4

// reflexion acts, has the result judged, and acts again with the judgement in hand, until the judge is content. The last
// try is not judged: nothing could be made of it.
func (b *flowBuilder) reflexion() []*ir.Task {
	v := flowVariables{}
	act := b.actor()
	reflect := b.step("reflect")
	b.giveOutput(act)
	turn := ir.Variable("try")
	lastTry := ir.TurnTest{Turn: turn, N: b.limit("max_iter", defaultTries)}
	tries := inTurn(
		v.run("attempt", act, v.value("task")),
		when("last try", lastTry.Expression(), returning(ir.KeyExhausted, v.value("attempt"))),
		v.judged("reflection", reflect, brief(task(), section("attempt", v.value("attempt")))),
		when("accepted", v.saysDone("reflection", reflect), v.done("attempt")),
		v.assign("task", brief(
			task(), section("attempt", v.value("attempt")), section("feedback", v.value("reflection")))),
	)
	tries.Turn = turn

	return []*ir.Task{v.assign("task", ir.GivenText()), unnamed("tries", tries, nil)}
}

// chainOfVerification answers with the body of AGENT.md, lists the claims of the answer, checks all of them side by side,
// and revises the answer.
func (b *flowBuilder) chainOfVerification() []*ir.Task {
	v := flowVariables{}
	generate := b.body(b.answer())
	verify := b.givesList(b.step("verify"), ir.ListClaims, "")
	check := b.step("check")
	revise := b.step("revise")
	b.giveOutput(revise)
	claim := ir.Variable("claim")
	checks := sideBySide(b.concurrency(), unnamed("check", &ir.Run{Step: check},
		brief(section("claim", ir.ItemOf(claim)), section("context", ir.GivenText()))))
	checks.Over, checks.Item = &ir.ListOf{Kind: ir.ListClaims, Of: v.named("listed")}, claim

	return []*ir.Task{
		v.run("answer", generate, ir.GivenText()),
		v.run("listed", verify, brief(task(), section("answer", v.value("answer")))),
		v.task("checks", checks, nil),
		v.run("revised", revise,
			brief(task(), section("answer", v.value("answer")), section("verification", v.report("checks")))),
		v.done("revised"),
	}
}

// defaultCycles is how often a plan-execute plans.
const defaultCycles = 3

// planExecute plans with the body of AGENT.md, executes the plan step by step, and plans again with the verdict in hand,
// until the verdict is good.
func (b *flowBuilder) planExecute() []*ir.Task {
	v := flowVariables{}
	plan := b.givesList(b.body(b.answer()), ir.ListPlan, "")
	execute := b.step("execute")
	verify := b.step("verify")
	limit := b.limit("max_iter", defaultCycles)

	step, turn := ir.Variable("step"), ir.Variable("cycle")
	steps := inTurn(
		v.run("result", execute, ir.Brief(v.value("notes"), section("current step", ir.ItemOf(step)))),
		v.note("notes", section("step", ir.ItemOf(step)), section("result", v.value("result"))),
	)
	steps.Over, steps.Item = &ir.ListOf{Kind: ir.ListPlan, Of: v.named("plan")}, step
	unfinished := &ir.Return{Key: ir.KeyUnfinished, Limit: limit, Feedback: v.value("verdict")}
	document := &ir.Document{X: v.value("notes")}
	cycles := inTurn(
		v.run("plan", plan, v.value("task")),
		v.assign("notes", &ir.Notes{Sections: []ir.Section{task()}}),
		unnamed("steps", steps, nil),
		v.judged("verdict", verify, v.report("notes")),
		when("accepted", v.saysDone("verdict", verify), returning(ir.KeyDone, document)),
		when("last cycle", ir.TurnTest{Turn: turn, N: limit}.Expression(), unnamed("return", unfinished, document)),
		v.assign("task", brief(task(), section("feedback", v.value("verdict")))),
	)
	cycles.Turn = turn

	return []*ir.Task{v.assign("task", ir.GivenText()), unnamed("cycles", cycles, nil)}
}

// parallelKey is the key with which the map phase of a scatter hands out its items.
const parallelKey = "parallel"

// scatter makes a list of items with the body of AGENT.md, gives each to a worker, side by side, and reduces what they
// made of it. With any other key the map phase has the result itself.
func (b *flowBuilder) scatter() []*ir.Task {
	v := flowVariables{}
	phase := b.givesList(b.body(b.loop(b.limit("max_iter", defaultMaxIter))), ir.ListItems, parallelKey)
	mapping := &ir.Run{Step: phase, At: ir.Place{Kind: ir.PlaceOr, State: "map", Keys: []string{parallelKey}}}
	kept := ir.KeyTest{Of: v.named("mapped"), Key: parallelKey, Not: true}
	item, worker := ir.Variable("item"), b.agent("worker")
	results := sideBySide(b.concurrency(), &ir.Task{
		Name: worker.Text, Do: &ir.Run{Agent: worker}, Input: ir.Given(ir.ItemOf(item)),
	})
	results.Over, results.Item = &ir.ListOf{Kind: ir.ListItems, Of: v.named("mapped")}, item
	tasks := []*ir.Task{
		v.task("mapped", mapping, ir.GivenText()),
		when("kept", kept.Expression(), v.own("mapped")),
		v.task("results", results, nil),
	}
	if b.joinsResults() {
		return append(tasks, returning(ir.KeyDone, &ir.Document{X: v.value("results")}))
	}
	reduce := b.step("reduce")
	b.giveOutput(phase, reduce)

	return append(tasks,
		v.runLast("reduced", reduce, brief(task(), section("results", v.report("results")))),
		v.own("reduced"),
	)
}

// failedField is the field of the object of a parallel that says which workers failed.
const failedField = "_failed"

// parallel gives the same input to all workers, side by side, and finishes with an object of what they made of it.
func (b *flowBuilder) parallel() []*ir.Task {
	v := flowVariables{}
	workers := b.agents("workers", ir.GivenText())
	if i := slices.IndexFunc(workers, func(t *ir.Task) bool { return t.Name.Value == failedField }); i >= 0 {
		b.report(diag.New(diag.BadValue, workers[i].Name.Span,
			"worker %q: the field of that name in the value says which workers failed", failedField))
	}

	return []*ir.Task{
		v.task("results", together(b.concurrency(), workers), nil),
		returning(ir.KeyDone, &ir.Object{X: v.value("results")}),
	}
}

// defaultRounds is how many rounds a debate has.
const defaultRounds = 1

// debate has all debaters argue side by side, round after round, each round knowing the ones before, and a judge decide.
func (b *flowBuilder) debate() []*ir.Task {
	v := flowVariables{}
	debaters := b.agents("agents", v.report("notes"))
	round := []*ir.Task{
		v.task("arguments", together(b.concurrency(), debaters), nil),
		v.note("notes", section("round", v.report("arguments"))),
	}
	if rounds := b.limit("rounds", defaultRounds); rounds > 1 {
		loop := inTurn(round...)
		loop.Max = rounds
		round = []*ir.Task{unnamed("rounds", loop, nil)}
	}
	topic := &ir.Notes{Sections: []ir.Section{section("topic", ir.GivenText())}}
	judge := &ir.Run{Agent: b.agent("judge"), At: ir.Place{Kind: ir.PlaceOuter}}

	return slices.Concat(
		[]*ir.Task{v.assign("notes", topic)},
		round,
		[]*ir.Task{v.task("verdict", judge, v.report("notes")), v.own("verdict")},
	)
}

// defaultVariantIter bounds the turns of each variant of a best-of-n.
const defaultVariantIter = 15

// bestOfN makes variants with the body of AGENT.md, side by side, and has one judge choose or join.
func (b *flowBuilder) bestOfN() []*ir.Task {
	v := flowVariables{}
	variant := b.body(b.loop(b.limit("max_iter", defaultVariantIter)))
	judge := b.step("judge")
	b.giveOutput(judge)
	variants := sideBySide(b.concurrency(), unnamed("variant", &ir.Run{Step: variant}, ir.GivenText()))
	variants.Max, variants.Title = b.limit("n", 1), "variant"

	return []*ir.Task{
		v.task("variants", variants, nil),
		v.run("best", judge, brief(task(), section("variants", v.report("variants")))),
		v.done("best"),
	}
}

// human words a question with the body of AGENT.md, waits for a person, and continues with the answer.
func (b *flowBuilder) human() []*ir.Task {
	v := flowVariables{}
	first := b.loop(b.limit("max_iter", defaultMaxIter))
	first.Repair = b.limit("repair", defaultRepair)
	question := b.body(first)
	resume := b.resume(first)
	b.giveOutput(resume)

	return []*ir.Task{
		v.run("question", question, ir.GivenText()),
		v.task("answer", &ir.Ask{}, v.value("question")),
		v.runLast("resumed", resume,
			brief(task(), section("question", v.value("question")), section("answer", v.value("answer")))),
		v.own("resumed"),
	}
}
