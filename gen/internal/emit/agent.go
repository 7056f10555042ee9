package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// agent is an agent of the emitted package.
type agent struct {
	*ir.Agent
	// fixed are the names of the package that do not come from names of the project.
	fixed names.Fixed
}

// newAgentDraft returns the file of one agent. typed are its final keys with constants. graphed is
// set if the shared file has its picture, driven if a part of the program drives all machines.
func newAgentDraft(a agent, typed []ir.Text, graphed, driven bool) *draft {
	own := conversationsOf(a.Agent)

	return &draft{
		name: names.File(a.Name.Value), source: a.File.Path,
		fill: func(f *jen.File) {
			if !a.IsGoDriven() {
				emitEntry(f, a, typed != nil)
			}
			switch n := a.Node.(type) {
			case *ir.Machine:
				newMachine(a, n).emitMachine(f)
			case *ir.Flow:
				if n.IsWorkflow() {
					newWorkflow(a, n).emitWorkflow(f)
				} else {
					emitFlow(f, a, n)
				}
			default:
				own[0].emitCaller(f, a)
			}
			emitFinalKeys(f, a.Agent, typed)
			emitAgentInfo(f, a, graphed)
			emitBudget(f, a.Agent)
			for _, c := range own {
				c.emitSpecification(f)
			}
			if m := a.MachineOf(); m != nil && (driven || m.IsLive()) {
				newMachine(a, m).emitLive(f)
			}
		},
	}
}

// emitAgentInfo emits the method that describes an agent.
func emitAgentInfo(f *jen.File, a agent, graphed bool) {
	name := a.Name.Value
	model, steps := modelsOf(a.Agent)
	var input, context *jen.Statement
	if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
		input, context = inputSpecCode(name, w), contextSpecCode(name, w)
	}
	l := newFields(
		"Name", name,
		"Description", a.Description,
		"Text", hashAgentText(a.Agent),
		"Pattern", a.Node.Pattern(),
		"Contains", ir.Sorted(ir.Map(a.Contained(), func(ref ir.AgentRef) string { return ref.Agent.Name.Value })),
		"Model", model,
		"Steps", structList(inRuntime("compiled.Conversation"), steps),
		"Env", collectEnv(a.Agent),
		"Builtins", collectBuiltins(a.Agent),
		"Graph", codeIf(graphed, jen.Id(names.Graph(name))),
		"Questions", a.Questions(),
		"Budget", codeIf(a.Budget != nil, jen.Op("&").Id(names.Budget(name))),
		"Priced", a.Priced(),
		"Run", codeIf(!a.IsGoDriven(), inRuntime("rt.RunFunc").Call(jen.Id("a").Dot(names.Run(name))).Dot("Entry")),
		"Input", input,
		"Context", context)

	emitDeclaration(f, names.Info(name)+" describes "+name+" to engines and command lines.",
		a.method(names.Info(name)).Params().Add(inRuntime("compiled.Agent")).Block(jen.Return(inRuntime("compiled.Agent").Add(l.onLines()))))
}

// method returns the head of a method of App.
func (a agent) method(name string) *jen.Statement { return methodOfApp(a.fixed.App, name) }

// methodOfApp returns the head of a method of App. Its name in the package is app.
func methodOfApp(app, name string) *jen.Statement {
	return jen.Func().Params(jen.Id("a").Op("*").Id(app)).Id(name)
}

// modelsOf returns the model of an agent's only conversation, or the models of its steps.
func modelsOf(a *ir.Agent) (own *jen.Statement, steps []jen.Code) {
	for _, c := range conversationsOf(a) {
		model := jen.Id(names.Spec(c.label)).Dot("Model")
		switch a.Node.(type) {
		case *ir.Flow:
			steps = append(steps, newFields("Name", c.label, "Model", model).onOneLine())
		default:
			own = model
		}
	}

	return own, steps
}

// collectEnv returns the variables that an agent and its skills need, each once.
func collectEnv(a *ir.Agent) []string {
	env := ir.Values(a.Env)
	for _, use := range a.SkillRefs() {
		env = slices.Concat(env, ir.Values(use.Skill.Env), use.Skill.EnvVars())
	}

	return ir.Unique(env)
}

// collectBuiltins returns the built-in tools of an agent that the config turns on, sorted.
func collectBuiltins(a *ir.Agent) []string {
	var tools []string
	for _, use := range a.SkillRefs() {
		for _, tool := range use.Skill.Tools {
			if builtin.FlowOf(tool.Builtin).Setting() != "" {
				tools = append(tools, tool.Builtin)
			}
		}
	}

	return ir.Sorted(tools)
}

// emitRunMethod emits the method of App that runs an agent. does is an additional sentence of its
// comment.
func emitRunMethod(f *jen.File, a agent, does string, body func(g *jen.Group)) {
	name := a.Name.Value
	doc, at := joinSentence(names.Run(name)+" runs "+name+" on effects", a.Description.Value), "_"
	if does != "" {
		doc += " " + does
	}
	if choosesKey(a.Agent) {
		doc, at = doc+" at lists the keys with which it may finish; without at, any key.", "at"
	}
	emitDeclaration(f, doc,
		finishMethod(a.method(names.Run(name)), jen.Id("fx").Add(inRuntime("Effects")), jen.Id("input").String(), jen.Id(at).Op("...").Add(inRuntime("rt.Place"))).
			BlockFunc(func(g *jen.Group) {
				emitLimit(g, a.Agent)
				body(g)
			}))
}

// emitEntry emits the method of App that runs an agent on an engine. Its result is typed if the
// agent's value, or the output or the context of a workflow, has a schema.
func emitEntry(f *jen.File, a agent, hasFinalKeys bool) {
	name := a.Name.Value
	doc := names.Entry(name) + " runs " + name + " on an engine."
	head := a.method(names.Entry(name))
	params := []jen.Code{jen.Id("ctx").Qual("context", "Context"), jen.Id("engine").Add(inRuntime("compiled.Engine")), jen.Id("input").String()}
	program := []jen.Code{jen.Id("a").Dot("Program").Call(), jen.Lit(name), jen.Id("input")}
	typed := append([]jen.Code{jen.Id("ctx"), jen.Id("engine")}, program...)
	result := func(typ string) *jen.Statement { return inRuntime("Result").Types(jen.Id(typ)) }

	w, isWorkflow := ir.WorkflowOf(a.Node)
	takesJSON := isWorkflow && w.InputSchema() != nil
	if takesJSON {
		params[2] = jen.Id("input").Id(names.WorkflowInput(name))
	}
	switch typ := valueType(a.Agent); {
	case hasFinalKeys:
		doc += " It finishes with one of the keys in " + names.FinalKeys(name) + "."
		keyed := append(typed, jen.Id(names.FinalKeys(name)))
		run, value := "RunKeyedText", jen.String()
		if typ != "" {
			run, value = "RunKeyed", jen.Id(typ)
			keyed = append(keyed, jen.Id("read"+typ))
		}
		head.Params(params...).Params(inRuntime("Keyed").Types(jen.Id(names.KeyType(name)), value), jen.Error()).Block(
			jen.Return(inRuntime("compiled." + run).Call(keyed...)))
	case isWorkflow && w.Context != nil && typ != "":
		doc = names.Entry(name) + " runs " + name + " on an engine, from an initial context. The final one is in the finish."
		head.Custom(broken, append(params, jen.Id("initial").Id(names.Context(name)))...).Params(result(typ), jen.Error()).Block(
			jen.Return(inRuntime("compiled.RunOutputFrom").Call(append(typed, jen.Id("initial"), jen.Id("read"+typ))...)))
	case isWorkflow && w.Context != nil:
		typ = names.Context(name)
		doc = names.Entry(name) + " runs " + name + " on an engine, from an initial context to the final one."
		head.Custom(broken, append(params, jen.Id("initial").Id(typ))...).Params(result(typ), jen.Error()).Block(
			jen.Return(inRuntime("compiled.RunFrom").Call(append(typed, jen.Id("initial"), jen.Id("read"+typ))...)))
	case isWorkflow && typ != "":
		head.Params(params...).Params(result(typ), jen.Error()).Block(
			jen.Return(inRuntime("compiled.RunOutput").Call(append(typed, jen.Id("read"+typ))...)))
	case typ != "":
		head.Params(params...).Params(result(typ), jen.Error()).Block(
			jen.Return(inRuntime("compiled.Run").Call(append(typed, jen.Id("read"+typ))...)))
	case takesJSON:
		head.Params(params...).Params(inRuntime("Finish"), jen.Error()).Block(
			jen.Return(inRuntime("compiled.RunInput").Call(typed...)))
	default:
		head.Params(params...).Params(inRuntime("Finish"), jen.Error()).Block(
			jen.Return(jen.Id("engine").Dot("Run").Call(append([]jen.Code{jen.Id("ctx")}, program...)...)))
	}
	emitDeclaration(f, doc, head)
}

// valueType returns the Go type of the final value of an agent; "" for text.
func valueType(a *ir.Agent) string {
	if steps := a.Conversations(); len(steps) == 1 && steps[0].Output() != nil && steps[0].List() == nil {
		switch a.Node.(type) {
		case *ir.React, *ir.Oneshot:
			return names.Output(a.Name.Value)
		}
	}
	if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow && w.OutputSchema() != nil {
		return names.Output(a.Name.Value)
	}

	return ""
}

// choosesKey reports whether the allowed keys of a place influence the agent.
func choosesKey(a *ir.Agent) bool {
	switch n := a.Node.(type) {
	case *ir.React:
		return true
	case *ir.Machine:
		return slices.ContainsFunc(n.States, func(s *ir.State) bool { return s.Agent != nil && s.Place().PassesKeyOn() })
	case *ir.Flow:
		if !n.IsWorkflow() {
			return n.HasLimitKey() || slices.ContainsFunc(ir.OpsOf[*ir.Run](n.Body.Ops()), func(run *ir.Run) bool { return run.At.PassesKeyOn() })
		}
	}

	return false
}

// finishMethod returns the head of a method that returns a finish.
func finishMethod(method *jen.Statement, params ...jen.Code) *jen.Statement {
	return method.Params(params...).Params(inRuntime("Finish"), jen.Error())
}
