package emit_test

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// hashCases are changes to golden projects, and which hash of the program they change.
var hashCases = []struct {
	project, name string
	change        func(p *ir.Program)
	shape, text   bool
}{
	{"critic", "nothing", func(*ir.Program) {}, false, false},
	{"critic", "prompt", func(p *ir.Program) { p.AgentByName("review").Prompt.Value += "." }, false, true},
	{"critic", "description", func(p *ir.Program) { p.AgentByName("article").Description.Value += "." }, false, true},
	{"critic", "target", func(p *ir.Program) {
		m := p.AgentByName("article").Node.(*ir.Machine)
		m.States[0].Rows[0].To = *m.States[1].Always
	}, true, false},
	{"critic", "pattern", func(p *ir.Program) { p.AgentByName("review").Node = &ir.React{MaxIter: 10} }, true, false},
	{"critic", "limit of states", func(p *ir.Program) {
		p.AgentByName("article").Node.(*ir.Machine).MaxSteps++
	}, false, false},

	{"pattern-critic", "prompt of a step", func(p *ir.Program) {
		step(p, "blog-writer", 1).Prompt.Value += "."
	}, false, true},
	{"pattern-critic", "pattern of a step", func(p *ir.Program) {
		step(p, "blog-writer", 1).Node = &ir.Oneshot{Repair: 2}
	}, true, false},
	{"pattern-critic", "keys of a step", func(p *ir.Program) {
		step(p, "blog-writer", 1).Node.(*ir.React).Keys = []ir.Text{textLiteral("done")}
	}, true, true},
	{"pattern-critic", "limit of a step", func(p *ir.Program) {
		step(p, "blog-writer", 1).Node.(*ir.React).MaxIter++
	}, false, false},
	{"pattern-critic", "model of a step", func(p *ir.Program) {
		step(p, "blog-writer", 1).Call.Role = textLiteral("default")
	}, false, false},
	{"pattern-critic", "output", func(p *ir.Program) {
		step(p, "blog-writer", 2).Node.(*ir.Oneshot).Output = nil
	}, true, false},
	{"pattern-critic", "order", func(p *ir.Program) {
		body := bodyOf(p, "blog-writer")
		body[0].Do, body[2].Do = body[2].Do, body[0].Do
	}, true, false},
	{"pattern-critic", "what a step is given", func(p *ir.Program) {
		bodyOf(p, "blog-writer")[0].Input = ir.ExpressionDatum(ir.NewReport(nil))
	}, false, false},
	{"pattern-best-of-n", "variants", func(p *ir.Program) { bodyOf(p, "newsletter")[0].Do.(*ir.Loop).Max++ }, true, false},
	{"pattern-best-of-n", "concurrency", func(p *ir.Program) {
		bodyOf(p, "newsletter")[0].Do.(*ir.Loop).Width++
	}, false, false},
	{"pattern-debate", "rounds", func(p *ir.Program) { bodyOf(p, "debate")[1].Do.(*ir.Loop).Max++ }, true, false},
	{"pattern-debate", "judge", func(p *ir.Program) {
		bodyOf(p, "debate")[2].Do.(*ir.Run).Agent.Agent = p.AgentByName("optimist")
	}, true, false},
	{"pattern-parallel", "order of branches", func(p *ir.Program) {
		slices.Reverse(bodyOf(p, "contest")[0].Do.(*ir.Parallel).Branches)
	}, true, false},
	{"pattern-parallel", "form of the value", func(p *ir.Program) {
		bodyOf(p, "contest")[1].Input.Value = &ir.Document{X: ir.OutputAccess(bodyOf(p, "contest")[0].Output)}
	}, true, false},
	{"pattern-scatter", "limit of items", func(p *ir.Program) {
		step(p, "research", 0).Node.(*ir.React).List.Max++
	}, false, false},
	{"pattern-scatter", "kind of list", func(p *ir.Program) {
		bodyOf(p, "research")[2].Do.(*ir.Loop).Over.(*ir.ListOf).Kind = ir.ListClaims
		step(p, "research", 0).Node.(*ir.React).List.Kind = ir.ListClaims
	}, true, false},
	{"pattern-scatter", "key that decides", func(p *ir.Program) {
		mapped := bodyOf(p, "research")[0].Output
		bodyOf(p, "research")[1].Do = ir.NewCondition(ir.KeyTest{Of: mapped, Key: "parallel"}.Expression(), bodyOf(p, "research")[1].Do.(*ir.Branch).ThenBody().Tasks...)
	}, true, false},
	{"workflow-orchestrate", "prompt of an agent", func(p *ir.Program) {
		workflow(p, "orchestrate").Conversations[0].Prompt.Value += "."
	}, false, true},
	{"workflow-orchestrate", "what an agent is given", func(p *ir.Program) {
		task(p, "orchestrate", "polish").Input = nil
	}, false, true},
	{"workflow-orchestrate", "what a step gives on", func(p *ir.Program) {
		task(p, "orchestrate", "keep").Input = nil
	}, true, false},
	{"workflow-orchestrate", "guard", func(p *ir.Program) { states(p).Rows()[0].When.Text.Value += " and true" }, true, false},
	{"workflow-orchestrate", "order of rows", func(p *ir.Program) { slices.Reverse(states(p).Rows()) }, true, false},
	{"workflow-orchestrate", "end state", func(p *ir.Program) { states(p).States[2].End = true }, true, false},
	{"workflow-orchestrate", "limit of states", func(p *ir.Program) { states(p).MaxSteps++ }, false, false},
	{"workflow-orchestrate", "where an output is put", func(p *ir.Program) {
		task(p, "orchestrate", "keep").SinkTo = nil
	}, true, false},
	{"workflow-orchestrate", "schema of the context", func(p *ir.Program) {
		workflow(p, "orchestrate").Context.JSON += " "
	}, true, false},
	{"workflow-kinds", "tries", func(p *ir.Program) { task(p, "kinds", "first").Retries++ }, true, false},
	{"workflow-kinds", "time a call may take", func(p *ir.Program) { task(p, "kinds", "first").Timeout = 1 }, false, false},
	{"workflow-kinds", "limit of a loop", func(p *ir.Program) {
		task(p, "kinds", "improve").Do.(*ir.Loop).Max++
	}, false, false},
	{"workflow-kinds", "fields of a branch", func(p *ir.Program) {
		task(p, "kinds", "both").Do.(*ir.Parallel).Branches[0].Only = false
	}, true, false},
	{"workflow-kinds", "outputs of an import", func(p *ir.Program) {
		task(p, "kinds", "import").Do.(*ir.Import).Outputs = nil
	}, true, false},
	{"workflow-kinds", "question", func(p *ir.Program) {
		task(p, "kinds", "ask").Do.(*ir.Ask).Message.Text.Value += "?"
	}, false, true},
	{"workflow-funcs", "what a function is given", func(p *ir.Program) {
		task(p, "funcs", "any").Do.(*ir.UseFunc).Params = nil
	}, true, false},
	{"workflow-funcs", "what a function declares", func(p *ir.Program) { p.Funcs[0].Idempotent = false }, false, false},
	{"workflow-funcs", "schema of a function", func(p *ir.Program) { p.Funcs[0].Output = &ir.Schema{JSON: "{}"} }, true, false},
	{"workflow-funcs", "fields of the context that a function takes", func(p *ir.Program) { p.Funcs[0].Context = &ir.Schema{JSON: "{}"} }, true, false},

	{"pattern-human", "nobody is asked", func(p *ir.Program) {
		flow := p.AgentByName("approval").Node.(*ir.Flow)
		tasks := flow.Body.Tasks
		tasks[2].Input = ir.ExpressionDatum(ir.OutputAccess(tasks[0].Output))
		flow.Body.Tasks = slices.Delete(tasks, 1, 2)
	}, true, false},
	{"pattern-reflexion", "attempts", func(p *ir.Program) {
		loop := bodyOf(p, "puzzle-solver")[1].Do.(*ir.Loop)
		last := loop.Body.Tasks[1]
		last.Do = ir.NewCondition(ir.TurnTest{Turn: loop.Turn, N: 9}.Expression(), last.Do.(*ir.Branch).ThenBody().Tasks...)
	}, true, false},
	{"pattern-reflexion", "place", func(p *ir.Program) {
		bodyOf(p, "puzzle-solver")[1].Do.(*ir.Loop).Body.Tasks[2].Do.(*ir.Run).At.Keys = []string{"good"}
	}, true, false},
	{"pattern-plan-execute", "what is done for each step", func(p *ir.Program) {
		each := bodyOf(p, "trip-planner")[1].Do.(*ir.Loop).Body.Tasks[2].Do.(*ir.Loop).Body
		again := ir.NewOutput("again")
		run := &ir.Run{Step: step(p, "trip-planner", 1)}
		each.Tasks = append(each.Tasks, &ir.Task{Name: again.Name, Do: run, Input: ir.ExpressionDatum(ir.InputAccess()), Output: again})
	}, true, false},
	{"gate", "row", func(p *ir.Program) {
		gate(p).Machine.States[0].Rows[0].To = gate(p).Machine.States[1].Rows[1].To
	}, true, false},
	{"gate", "guard", func(p *ir.Program) {
		gate(p).Machine.States[1].Rows[0].When.Text = textLiteral("visits.planned < 4")
	}, true, false},
	{"gate", "ungated", func(p *ir.Program) { gate(p).Ungated = gate(p).Ungated[1:] }, true, false},
	{"gate", "none", func(p *ir.Program) { p.AgentByName("coder").Node.(*ir.React).Gate = nil }, true, false},
}

// gate is that of coder.
func gate(p *ir.Program) *ir.Gate { return p.AgentByName("coder").Node.(*ir.React).Gate }

func bodyOf(p *ir.Program, flow string) []*ir.Task {
	return p.AgentByName(flow).Node.(*ir.Flow).Body.Tasks
}

func step(p *ir.Program, flow string, i int) *ir.Step {
	return p.AgentByName(flow).Node.(*ir.Flow).Conversations[i]
}

func workflow(p *ir.Program, name string) *ir.Flow {
	return p.AgentByName(name).Node.(*ir.Flow)
}

// task returns a step of a workflow.
func task(p *ir.Program, name, step string) *ir.Task {
	var found *ir.Task
	ir.WalkTasks(workflow(p, name).Body, func(t *ir.Task) {
		if t.Name.Value == step {
			found = t
		}
	})

	return found
}

// states is the machine of orchestrate.
func states(p *ir.Program) *ir.Machine {
	return task(p, "orchestrate", "orchestrate").Do.(*ir.Machine)
}
