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
				emitFlow(f, a, n)
			case *ir.Workflow:
				newWorkflow(a, n).emit(f)
			default:
				own[0].caller(f, a)
			}
			if !a.Driven() {
				emitEntry(f, a)
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
	model, steps := models(a)
	w, isWorkflow := a.Node.(*ir.Workflow)
	l := fieldsOf(
		"Name", name,
		"Description", a.Description,
		"Pattern", a.Node.Pattern(),
		"Contains", contained(a),
		"Model", model,
		"Steps", listOf(in("compiled.Conversation"), steps),
		"Env", envOf(a),
		"Builtins", builtinsOf(a),
		"Graph", wanted(graphed, jen.Id(names.Graph(name))),
		"Questions", a.Questions(),
		"Budget", wanted(a.Budget != nil, jen.Op("&").Id(names.Budget(name))))
	if isWorkflow {
		l = append(l, fieldsOf("Priced", w.Priced(name))...)
	}
	if !a.Driven() {
		l = append(l, keyed("Run", in("rt.Entry").Call(jen.Id("a").Dot(names.Run(name)))))
	}
	if isWorkflow {
		l = append(l, keyed("Context", contextSpec(name, w)))
	}

	declare(f, names.Info(name)+" describes "+name+" to engines and command lines.",
		ofApp(names.Info(name)).Params().Add(in("compiled.Agent")).Block(jen.Return(in("compiled.Agent").Add(l.braces()))))
}

// ofApp returns the head of a method of App.
func ofApp(name string) *jen.Statement {
	return jen.Func().Params(jen.Id("a").Op("*").Id("App")).Id(name)
}

// models returns which model an agent wants: that of its one conversation, or those of its steps.
func models(a *ir.Agent) (own *jen.Statement, steps []jen.Code) {
	for _, c := range conversations(a) {
		model := jen.Id(names.Spec(c.of)).Dot("Model")
		switch a.Node.(type) {
		case *ir.Flow, *ir.Workflow:
			steps = append(steps, fieldsOf("Name", c.of, "Model", model).line())
		default:
			own = model
		}
	}

	return own, steps
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
			env = append(env, use.Skill.Vars()...)
		}
	}
	known := map[string]bool{}

	return slices.DeleteFunc(env, func(name string) bool {
		again := known[name]
		known[name] = true

		return again
	})
}

// builtinsOf returns the built-in tools of an agent that the config turns on, sorted.
func builtinsOf(a *ir.Agent) []string {
	var tools []string
	for _, s := range a.Conversations() {
		for _, use := range s.Skills() {
			for _, tool := range use.Skill.Tools {
				if setting, _ := (ir.Reach{}).On(tool.Builtin); setting != "" {
					tools = append(tools, tool.Builtin)
				}
			}
		}
	}
	slices.Sort(tools)

	return slices.Compact(tools)
}

func texts(list []ir.Text) []string {
	values := make([]string, len(list))
	for i, t := range list {
		values[i] = t.Value
	}

	return values
}
