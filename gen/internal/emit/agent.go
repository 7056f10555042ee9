package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// agentDraft returns the file of one agent; graphed says that the shared file has a picture of it, driven that a part of the
// program drives all machines.
func agentDraft(a *ir.Agent, graphed, driven bool) *draft {
	own := conversations(a)

	return &draft{
		name: names.File(a.Name.Value), source: sourceOf(a), sourceHash: sourceHash(filesOf(a)...),
		fill: func(f *jen.File) {
			switch n := a.Node.(type) {
			case *ir.Machine:
				newMachine(a, n).emit(f)
			case *ir.Flow:
				newFlow(a, n).emit(f)
			case *ir.Workflow:
				newWorkflow(a, n).emit(f)
			default:
				own[0].caller(f, a)
			}
			agentInfo(f, a, graphed)
			budgetOf(f, a)
			for _, c := range own {
				c.declare(f)
			}
			if m := a.MachineOf(); m != nil && (driven || m.IsLive()) {
				newMachine(a, m).live(f)
			}
		},
	}
}

func sourceOf(a *ir.Agent) string {
	if a.File == nil {
		return "agents/" + a.Name.Value + "/AGENT.md"
	}

	return a.File.Path
}

// filesOf returns the files that an agent is written in: AGENT.md and those of its steps.
func filesOf(a *ir.Agent) []*source.File {
	files := []*source.File{a.File}
	for _, s := range a.Conversations() {
		if !slices.Contains(files, s.File) {
			files = append(files, s.File)
		}
	}

	return files
}

// agentInfo emits the method that describes an agent.
func agentInfo(f *jen.File, a *ir.Agent, graphed bool) {
	name := a.Name.Value
	l := &fields{}
	l.set("Name", jen.Lit(name))
	l.text("Description", a.Description.Value)
	l.set("Pattern", jen.Lit(a.Node.Pattern()))
	l.texts("Contains", contained(a))
	models(l, a)
	l.texts("Env", envOf(a))
	if graphed {
		l.set("Graph", jen.Id(names.Graph(name)))
	}
	l.texts("Questions", a.Questions())
	if a.Budget != nil {
		l.set("Budget", jen.Op("&").Id(names.Budget(name)))
	}
	if w, isWorkflow := a.Node.(*ir.Workflow); isWorkflow {
		l.texts("Priced", w.Priced(name))
	}
	if !isExternal(a) {
		l.set("Run", in("Entry").Call(jen.Id("a").Dot(names.Run(name))))
	}
	if w, isWorkflow := a.Node.(*ir.Workflow); isWorkflow {
		l.set("Context", contextSpec(name, w))
	}

	f.Add(comment(names.Info(name) + " describes " + name + " to engines and command lines."))
	f.Func().Params(jen.Id("a").Op("*").Id("App")).Id(names.Info(name)).Params().Add(in("AgentInfo")).
		Block(jen.Return(in("AgentInfo").Add(l.braces())))
	f.Line()
}

// models sets which models an agent wants: that of its one conversation, or those of its steps.
func models(l *fields, a *ir.Agent) {
	several := false
	switch a.Node.(type) {
	case *ir.Flow, *ir.Workflow:
		several = true
	}
	var steps []jen.Code
	for _, c := range conversations(a) {
		model := jen.Id(names.Spec(c.of)).Dot("Model")
		if !several {
			l.set("Model", model)
			return
		}
		steps = append(steps, jen.Values(jen.Id("Name").Op(":").Lit(c.of), jen.Id("Model").Op(":").Add(model)))
	}
	if len(steps) > 0 {
		l.set("Steps", jen.Index().Add(in("StepInfo")).Custom(block, steps...))
	}
}

func isExternal(a *ir.Agent) bool {
	m, isMachine := a.Node.(*ir.Machine)
	return isMachine && m.External
}

// contained returns the agents that a runs itself, sorted, each once.
func contained(a *ir.Agent) []string {
	var found []string
	for _, ref := range a.Contained() {
		found = append(found, ref.Agent.Name.Value)
	}
	slices.Sort(found)

	return slices.Compact(found)
}

// envOf returns the variables that an agent and its skills need, each once.
func envOf(a *ir.Agent) []string {
	env := texts(a.Env)
	for _, s := range a.Conversations() {
		for _, use := range s.Skills() {
			env = append(env, texts(use.Skill.Env)...)
		}
	}

	var once []string
	for _, name := range env {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}

	return once
}

func texts(list []ir.Text) []string {
	values := make([]string, len(list))
	for i, t := range list {
		values[i] = t.Value
	}

	return values
}
