package agentmd

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// lowerCritic writes a draft, criticizes it, and refines it with the critique.
func (b *flowBuilder) lowerCritic() []*ir.Task {
	v := flowVariables{}
	draft := b.addStep("draft")
	critique := b.addStep("critique")
	refine := b.addStep("refine")
	b.inheritOutput(refine)

	return []*ir.Task{
		v.runTask("draft", draft, ir.InputAccess()),
		v.runTask("critique", critique, v.valueOf("draft")),
		v.runTask("refined", refine,
			newBrief(taskSection(), newSection("draft", v.valueOf("draft")), newSection("critique", v.valueOf("critique")))),
		v.returnDone("refined"),
	}
}

// lowerConstitutional answers with the body of AGENT.md, checks the answer against principles, and
// revises it.
func (b *flowBuilder) lowerConstitutional() []*ir.Task {
	v := flowVariables{}
	generate := b.addBodyStep(b.bodyOneshot())
	critique := b.addStep("critique")
	revise := b.addStep("revise")
	b.inheritOutput(revise)

	return []*ir.Task{
		v.runTask("generated", generate, ir.InputAccess()),
		v.runTask("critique", critique, v.valueOf("generated")),
		v.runTask("revised", revise,
			newBrief(taskSection(), newSection("response", v.valueOf("generated")), newSection("critique", v.valueOf("critique")))),
		v.returnDone("revised"),
	}
}

// defaultTries is the default number of attempts of a reflexion.
const defaultTries = 4

// lowerReflexion acts, judges the result, and acts again with the judgement, until the judge
// accepts it. The last attempt is not judged, because no attempt follows.
func (b *flowBuilder) lowerReflexion() []*ir.Task {
	v := flowVariables{}
	act := b.actorStep()
	reflect := b.addStep("reflect")
	b.inheritOutput(act)
	turn := ir.NewOutput("try")
	lastTry := ir.TurnTest{Turn: turn, N: b.readLimit("max_iter", defaultTries)}
	tries := sequentialLoop(
		v.runTask("attempt", act, v.valueOf("task")),
		runIf("last try", lastTry.Expression(), returnTask(ir.KeyExhausted, v.valueOf("attempt"))),
		v.runJudge("reflection", reflect, newBrief(taskSection(), newSection("attempt", v.valueOf("attempt")))),
		runIf("accepted", v.isAccepted("reflection", reflect), v.returnDone("attempt")),
		v.assignTask("task", newBrief(
			taskSection(), newSection("attempt", v.valueOf("attempt")), newSection("feedback", v.valueOf("reflection")))),
	)
	tries.Turn = turn

	return []*ir.Task{v.assignTask("task", ir.InputAccess()), unnamedTask("tries", tries, nil)}
}

// lowerVerification answers with the body of AGENT.md, lists the claims of the answer, checks all
// claims in parallel, and revises the answer.
func (b *flowBuilder) lowerVerification() []*ir.Task {
	v := flowVariables{}
	generate := b.addBodyStep(b.bodyOneshot())
	verify := b.setListOutput(b.addStep("verify"), ir.ListClaims, "")
	check := b.addStep("check")
	revise := b.addStep("revise")
	b.inheritOutput(revise)
	claim := ir.NewOutput("claim")
	checks := parallelLoop(b.readConcurrency(), unnamedTask("check", &ir.Run{Step: check},
		newBrief(newSection("claim", ir.ItemAccess(claim)), newSection("context", ir.InputAccess()))))
	checks.Over, checks.Item = &ir.ListOf{Kind: ir.ListClaims, Of: v.outputNamed("listed")}, claim

	return []*ir.Task{
		v.runTask("answer", generate, ir.InputAccess()),
		v.runTask("listed", verify, newBrief(taskSection(), newSection("answer", v.valueOf("answer")))),
		v.taskNamed("checks", checks, nil),
		v.runTask("revised", revise,
			newBrief(taskSection(), newSection("answer", v.valueOf("answer")), newSection("verification", v.reportOf("checks")))),
		v.returnDone("revised"),
	}
}

// defaultCycles is the default number of plans of a plan-execute.
const defaultCycles = 3

// lowerPlanExecute plans with the body of AGENT.md, executes the plan step by step, and plans again
// with the verdict, until the verdict is good.
func (b *flowBuilder) lowerPlanExecute() []*ir.Task {
	v := flowVariables{}
	plan := b.setListOutput(b.addBodyStep(b.bodyOneshot()), ir.ListPlan, "")
	execute := b.addStep("execute")
	verify := b.addStep("verify")
	limit := b.readLimit("max_iter", defaultCycles)

	step, turn := ir.NewOutput("step"), ir.NewOutput("cycle")
	steps := sequentialLoop(
		v.runTask("result", execute, ir.NewReport(v.valueOf("notes"), newSection("current step", ir.ItemAccess(step)))),
		v.appendNotes("notes", newSection("step", ir.ItemAccess(step)), newSection("result", v.valueOf("result"))),
	)
	steps.Over, steps.Item = &ir.ListOf{Kind: ir.ListPlan, Of: v.outputNamed("plan")}, step
	unfinished := &ir.Return{Key: ir.KeyUnfinished, Limit: limit, Feedback: v.valueOf("verdict")}
	document := &ir.Document{X: v.valueOf("notes")}
	cycles := sequentialLoop(
		v.runTask("plan", plan, v.valueOf("task")),
		v.assignTask("notes", &ir.Notes{Sections: []ir.Section{taskSection()}}),
		unnamedTask("steps", steps, nil),
		v.runJudge("verdict", verify, v.reportOf("notes")),
		runIf("accepted", v.isAccepted("verdict", verify), returnTask(ir.KeyDone, document)),
		runIf("last cycle", ir.TurnTest{Turn: turn, N: limit}.Expression(), unnamedTask("return", unfinished, document)),
		v.assignTask("task", newBrief(taskSection(), newSection("feedback", v.valueOf("verdict")))),
	)
	cycles.Turn = turn

	return []*ir.Task{v.assignTask("task", ir.InputAccess()), unnamedTask("cycles", cycles, nil)}
}

// parallelKey is the key with which the map phase of a scatter returns its items.
const parallelKey = "parallel"

// lowerScatter makes a list of items with the body of AGENT.md, runs a worker for each in parallel,
// and reduces their results. With any other key the map phase returns the result itself.
func (b *flowBuilder) lowerScatter() []*ir.Task {
	v := flowVariables{}
	phase := b.setListOutput(b.addBodyStep(b.bodyLoop(b.readLimit("max_iter", defaultMaxIter))), ir.ListItems, parallelKey)
	mapping := &ir.Run{Step: phase, At: ir.Place{Kind: ir.PlaceOr, State: "map", Keys: []string{parallelKey}}}
	kept := ir.KeyTest{Of: v.outputNamed("mapped"), Key: parallelKey, Not: true}
	item, worker := ir.NewOutput("item"), b.agentRef("worker")
	results := parallelLoop(b.readConcurrency(), &ir.Task{
		Name: worker.Text, Do: &ir.Run{Agent: worker}, Input: ir.ExpressionDatum(ir.ItemAccess(item)),
	})
	results.Over, results.Item = &ir.ListOf{Kind: ir.ListItems, Of: v.outputNamed("mapped")}, item
	tasks := []*ir.Task{
		v.taskNamed("mapped", mapping, ir.InputAccess()),
		runIf("kept", kept.Expression(), v.returnOwn("mapped")),
		v.taskNamed("results", results, nil),
	}
	if b.joinsResults() {
		return append(tasks, returnTask(ir.KeyDone, &ir.Document{X: v.valueOf("results")}))
	}
	reduce := b.addStep("reduce")
	b.inheritOutput(phase, reduce)

	return append(tasks,
		v.runLast("reduced", reduce, newBrief(taskSection(), newSection("results", v.reportOf("results")))),
		v.returnOwn("reduced"),
	)
}

// failedField is the field of a parallel's result that lists the failed workers.
const failedField = "_failed"

// lowerParallel gives the same input to all workers in parallel and returns an object of their
// results.
func (b *flowBuilder) lowerParallel() []*ir.Task {
	v := flowVariables{}
	workers := b.runAgents("workers", ir.InputAccess())
	if i := slices.IndexFunc(workers, func(t *ir.Task) bool { return t.Name.Value == failedField }); i >= 0 {
		b.report(diag.New(diag.BadValue, workers[i].Name.Span,
			"worker %q: the field of that name in the value lists the workers that failed", failedField))
	}

	return []*ir.Task{
		v.taskNamed("results", parallelRuns(b.readConcurrency(), workers), nil),
		returnTask(ir.KeyDone, &ir.Object{X: v.valueOf("results")}),
	}
}

// defaultRounds is the default number of rounds of a debate.
const defaultRounds = 1

// lowerDebate has all debaters argue in parallel, in rounds that see the previous ones, and a judge
// decide.
func (b *flowBuilder) lowerDebate() []*ir.Task {
	v := flowVariables{}
	debaters := b.runAgents("agents", v.reportOf("notes"))
	round := []*ir.Task{
		v.taskNamed("arguments", parallelRuns(b.readConcurrency(), debaters), nil),
		v.appendNotes("notes", newSection("round", v.reportOf("arguments"))),
	}
	if rounds := b.readLimit("rounds", defaultRounds); rounds > 1 {
		loop := sequentialLoop(round...)
		loop.Max = rounds
		round = []*ir.Task{unnamedTask("rounds", loop, nil)}
	}
	topic := &ir.Notes{Sections: []ir.Section{newSection("topic", ir.InputAccess())}}
	judge := &ir.Run{Agent: b.agentRef("judge"), At: ir.Place{Kind: ir.PlaceOuter}}

	return slices.Concat(
		[]*ir.Task{v.assignTask("notes", topic)},
		round,
		[]*ir.Task{v.taskNamed("verdict", judge, v.reportOf("notes")), v.returnOwn("verdict")},
	)
}

// defaultVariantIter is the default limit of turns for each variant of a best-of-n.
const defaultVariantIter = 15

// lowerBestOfN makes variants with the body of AGENT.md in parallel, and has a judge choose or join
// them.
func (b *flowBuilder) lowerBestOfN() []*ir.Task {
	v := flowVariables{}
	variant := b.addBodyStep(b.bodyLoop(b.readLimit("max_iter", defaultVariantIter)))
	judge := b.addStep("judge")
	b.inheritOutput(judge)
	variants := parallelLoop(b.readConcurrency(), unnamedTask("variant", &ir.Run{Step: variant}, ir.InputAccess()))
	variants.Max, variants.Title = b.readLimit("n", 1), "variant"

	return []*ir.Task{
		v.taskNamed("variants", variants, nil),
		v.runTask("best", judge, newBrief(taskSection(), newSection("variants", v.reportOf("variants")))),
		v.returnDone("best"),
	}
}

// lowerHuman writes a question with the body of AGENT.md, waits for a person, and continues with
// the answer.
func (b *flowBuilder) lowerHuman() []*ir.Task {
	v := flowVariables{}
	first := b.bodyLoop(b.readLimit("max_iter", defaultMaxIter))
	first.Repair = b.readLimit("repair", defaultRepair)
	question := b.addBodyStep(first)
	resume := b.addResumeStep(first)
	b.inheritOutput(resume)

	return []*ir.Task{
		v.runTask("question", question, ir.InputAccess()),
		v.taskNamed("answer", &ir.Ask{}, v.valueOf("question")),
		v.runLast("resumed", resume,
			newBrief(taskSection(), newSection("question", v.valueOf("question")), newSection("answer", v.valueOf("answer")))),
		v.returnOwn("resumed"),
	}
}
