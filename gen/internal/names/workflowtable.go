package names

import "github.com/agentc-dev/agentc/gen/internal/ir"

// FuncMethods are the methods of Funcs.
const FuncMethods Scope = "Funcs"

// RunMethods are the methods and fields of the type of a workflow's run.
func RunMethods(workflow string) Scope { return Scope(RunType(workflow)) }

// StepFields are the fields that hold the outputs of the steps of a workflow.
func StepFields(workflow string) Scope { return Scope(StepsType(workflow)) }

// workflow adds the identifiers of a workflow, but for those of its agents.
func (t *Table) workflow(agent ir.Text, w *ir.Workflow) {
	name := agent.Value
	t.add(Package, "agent", agent, RunType(name), StepsType(name), Graph(name))
	t.add(Methods, "agent", agent, RunWith(name), NewRun(name))
	t.add(RunMethods(name), "", ir.Text{}, "Run", "app", "context", "steps", "this", AllSteps)
	if w.Context != nil {
		t.add(Package, "agent", agent, ContextSchema(name))
		t.schema("context of workflow", agent, Context(name), w.Context)
	}
	for _, output := range w.Outputs {
		t.addBelow(agent, StepFields(name), "step", output.Name, StepField(output.Name.Value))
	}
	for _, a := range w.Agents {
		t.addBelow(agent, RunMethods(name), "step", a.Name, AskAgent(a.Name.Value))
	}
	t.pipelines(agent, w)
	t.answers(agent, w)
}

// pipelines adds the methods that run pipelines and steps, and the identifiers of machines.
func (t *Table) pipelines(agent ir.Text, w *ir.Workflow) {
	scope := RunMethods(agent.Value)
	named := map[*ir.Pipeline]pipelineName{}
	ir.WalkPipelines(w.Body, func(p *ir.Pipeline) {
		name, has := named[p]
		if !has {
			name = pipelineName{agent, "step", ir.Text{Value: p.What, Span: p.Span}}
		}
		t.addBelow(name.owner, scope, name.what, name.from, Pipeline(p))
		for _, task := range p.Tasks {
			for ; task != nil; task = task.Fallback {
				t.work(agent, p, task)
				nameInside(named, agent, task)
			}
		}
	})
}

// pipelineName is the text that a pipeline has its name from, what that is, and whose.
type pipelineName struct {
	owner ir.Text
	what  string
	from  ir.Text
}

// nameInside notes from which texts the pipelines of a step have their names. What a step or a state collides with is reported
// once, and not again for its pipeline.
func nameInside(named map[*ir.Pipeline]pipelineName, agent ir.Text, task *ir.Task) {
	arms := func(arms []*ir.Arm) {
		for _, arm := range arms {
			named[arm.Body] = pipelineName{task.Name, "branch", arm.Name}
		}
	}
	switch do := task.Do.(type) {
	case *ir.Branch:
		arms(do.Branches)
	case *ir.Parallel:
		arms(do.Branches)
	case *ir.Loop:
		named[do.Body] = pipelineName{agent, "step", task.Name}
	case *ir.Machine:
		for _, s := range do.States {
			named[s.Body] = pipelineName{agent, "state", s.Name}
		}
	}
}

// work adds the identifiers of what a step, or its fallback, does.
func (t *Table) work(agent ir.Text, p *ir.Pipeline, task *ir.Task) {
	step := task.Name.Value
	if m, isMachine := task.Do.(*ir.Machine); isMachine {
		t.workMachine(agent, Machine(agent.Value, p, step), task.Name, m)
	}
	for _, verb := range VerbsOf(task.Do) {
		t.addBelow(agent, RunMethods(agent.Value), "step", task.Name, Work(verb, p, step))
	}
}

// workMachine adds the identifiers of a machine whose names begin with name.
func (t *Table) workMachine(agent ir.Text, name string, step ir.Text, m *ir.Machine) {
	t.addBelow(agent, Package, "step", step, StateType(name), StateNames(name), ParseState(name), MachineTest(name))
	for _, s := range m.States {
		t.addBelow(agent, Package, "state", s.Name, State(name, s.Name.Value))
	}
}

// answers adds the types of what people answer, those of equal schemas under one name once.
func (t *Table) answers(agent ir.Text, w *ir.Workflow) {
	known := map[string]string{}
	ir.WalkTasks(w.Body, func(task *ir.Task) {
		ask, asks := task.Do.(*ir.Ask)
		if !asks || ask.Answer.Schema == nil || known[ask.Answer.Of] == ask.Answer.Schema.JSON {
			return
		}
		known[ask.Answer.Of] = ask.Answer.Schema.JSON
		t.addBelow(agent, Package, "step", task.Name, AnswerSpec(ask.Answer.Of), AnswerSchema(ask.Answer.Of))
		t.schema("answer of step", task.Name, Answer(ask.Answer.Of), ask.Answer.Schema)
	})
}

// function adds the identifiers of a function.
func (t *Table) function(f *ir.Func) {
	name := f.Name.Value
	t.add(FuncMethods, "function", f.Name, Method(name))
	t.add(Methods, "function", f.Name, ApplyFunc(name))
	if f.Input != nil {
		t.schema("input of function", f.Name, FuncArgs(name), f.Input)
	}
	if f.Output != nil {
		t.schema("output of function", f.Name, FuncResult(name), f.Output)
	}
}
