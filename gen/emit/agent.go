package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// emitReact emits a react agent: its methods, its specification, its prompt.
func emitReact(f *jen.File, a *ir.Agent, r *ir.React) {
	name := a.Name.Value
	runMethods(f, a, names.RunAt(name)+" runs the loop of "+name+". at says which keys it may finish with.", true,
		func(g *jen.Group) {
			tools := jen.Nil()
			if hasTypedTool(r) {
				tools = jen.Id("a").Dot("callTool")
			}
			g.Return(in("React").Call(jen.Id("fx"), jen.Op("&").Id(names.Spec(name)), tools, jen.Id("input"), jen.Id("at")))
		})
	agentInfo(f, a, false)

	fields := callFields(a, r.Output)
	fields.set("MaxIter", jen.Lit(r.MaxIter))
	fields.set("Repair", jen.Lit(r.Repair))
	fields.set("Stuck", jen.Lit(r.Stuck))
	if r.Keys != nil {
		fields.set("Keys", jen.Index().String().Values(list(literals(texts(r.Keys)))))
	}
	if len(r.Uses) > 0 {
		fields.set("Skills", jen.Index().Op("*").Add(in("SkillSpec")).ValuesFunc(func(g *jen.Group) {
			for _, use := range r.Uses {
				g.Op("&").Id(names.Skill(use.Skill.Name.Value))
			}
		}))
	}
	emitSpec(f, a, "ReactSpec", fields)
	emitOutput(f, a, r.Output)
	emitPrompt(f, a)
}

// emitOneshot emits a oneshot agent.
func emitOneshot(f *jen.File, a *ir.Agent, o *ir.Oneshot) {
	name := a.Name.Value
	runMethods(f, a, names.RunAt(name)+" asks the model of "+name+" once. Its key is done wherever it stands.", false,
		func(g *jen.Group) {
			g.Return(in("Oneshot").Call(jen.Id("fx"), jen.Op("&").Id(names.Spec(name)), jen.Id("input")))
		})
	agentInfo(f, a, false)

	fields := callFields(a, o.Output)
	fields.set("Repair", jen.Lit(o.Repair))
	emitSpec(f, a, "OneshotSpec", fields)
	emitOutput(f, a, o.Output)
	emitPrompt(f, a)
}

// fields are the fields of a composite literal, a line each, in order.
type fields struct {
	lines []jen.Code
}

func (l *fields) set(name string, value jen.Code) {
	l.lines = append(l.lines, jen.Id(name).Op(":").Add(value))
}

// text sets a field unless the text is empty.
func (l *fields) text(name, value string) {
	if value != "" {
		l.set(name, text(value))
	}
}

// braces returns the fields in braces, a line each.
func (l *fields) braces() *jen.Statement {
	return jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, l.lines...)
}

// callFields are the fields that react and oneshot have in common.
func callFields(a *ir.Agent, output *ir.Schema) *fields {
	name := a.Name.Value
	l := &fields{}
	l.set("Agent", jen.Lit(name))
	l.set("Model", jen.Op("&").Add(in("ModelChoice")).Add(modelChoice(a)))
	if a.Prompt.Value != "" {
		l.set("Prompt", jen.Id(names.Prompt(name)))
	}
	if output != nil {
		l.set("Output", jen.Op("&").Add(in("OutputSpec")).Values(
			jen.Id("Schema").Op(":").Id(names.OutputSchema(name)),
			jen.Id("Check").Op(":").Id("check"+names.Output(name))))
	}

	return l
}

// modelChoice returns the fields of an agent's model on one line.
func modelChoice(a *ir.Agent) jen.Code {
	name := a.Name.Value
	return jen.ValuesFunc(func(g *jen.Group) {
		if a.Call.Role.Value != "" {
			g.Id("Role").Op(":").Lit(a.Call.Role.Value)
		}
		if a.Call.Name.Value != "" {
			g.Id("Name").Op(":").Lit(a.Call.Name.Value)
		}
		if a.Call.Temperature != nil {
			g.Id("Temperature").Op(":").Op("&").Id(names.Temperature(name))
		}
		if a.Call.MaxTokens != nil {
			g.Id("MaxTokens").Op(":").Op("&").Id(names.MaxTokens(name))
		}
	})
}

func emitSpec(f *jen.File, a *ir.Agent, kind string, l *fields) {
	name := a.Name.Value
	f.Add(comment(names.Spec(name) + " is " + name + " as the runtime knows it."))
	f.Var().Id(names.Spec(name)).Op("=").Add(in(kind)).Add(l.braces())
	f.Line()
	pointed(f, names.Temperature(name), names.MaxTokens(name), a.Call.Temperature, a.Call.MaxTokens)
}

// pointed emits the variables that a model's optional settings point to.
func pointed(f *jen.File, temperatureName, maxTokensName string, temperature *float64, maxTokens *int) {
	var vars []jen.Code
	if temperature != nil {
		vars = append(vars, jen.Id(temperatureName).Op("=").Lit(*temperature))
	}
	if maxTokens != nil {
		vars = append(vars, jen.Id(maxTokensName).Op("=").Lit(*maxTokens))
	}
	switch len(vars) {
	case 0:
		return
	case 1:
		f.Var().Add(vars[0])
	default:
		f.Var().Defs(vars...)
	}
	f.Line()
}

func emitOutput(f *jen.File, a *ir.Agent, output *ir.Schema) {
	if output == nil {
		return
	}

	name := a.Name.Value
	emitSchemaTypes(f, names.Output(name), output)
	f.Add(comment(names.OutputSchema(name) + " is the JSON Schema of " + name + "'s value."))
	f.Const().Id(names.OutputSchema(name)).Op("=").Add(code(output.JSON))
	f.Line()
}

func emitPrompt(f *jen.File, a *ir.Agent) {
	if a.Prompt.Value == "" {
		return
	}

	name := a.Name.Value
	f.Add(comment(names.Prompt(name) + " is the system prompt of " + name + "."))
	f.Const().Id(names.Prompt(name)).Op("=").Add(text(a.Prompt.Value))
	f.Line()
}

// agentInfo emits the method that describes an agent.
func agentInfo(f *jen.File, a *ir.Agent, graphed bool) {
	name := a.Name.Value
	l := &fields{}
	l.set("Name", jen.Lit(name))
	l.text("Description", a.Description.Value)
	l.set("Pattern", jen.Lit(a.Node.Pattern()))
	if m, isMachine := a.Node.(*ir.Machine); isMachine {
		if contains := contained(m); len(contains) > 0 {
			l.set("Contains", jen.Index().String().Values(list(literals(contains))))
		}
	} else {
		l.set("Model", jen.Id(names.Spec(name)).Dot("Model"))
	}
	if env := envOf(a); len(env) > 0 {
		l.set("Env", jen.Index().String().Values(list(literals(env))))
	}
	if graphed {
		l.set("Graph", jen.Id(names.Graph(name)))
	}
	if !isExternal(a) {
		l.set("Run", jen.Id("a").Dot(names.Run(name)))
	}

	f.Add(comment(names.Info(name) + " describes " + name + " to engines and command lines."))
	f.Func().Params(jen.Id("a").Op("*").Id("App")).Id(names.Info(name)).Params().Add(in("AgentInfo")).
		Block(jen.Return(in("AgentInfo").Add(l.braces())))
	f.Line()
}

func isExternal(a *ir.Agent) bool {
	m, isMachine := a.Node.(*ir.Machine)
	return isMachine && m.External
}

// contained returns the agents that a machine runs, sorted.
func contained(m *ir.Machine) []string {
	var found []string
	for _, s := range m.States {
		if s.Agent != nil {
			found = append(found, s.Agent.Name.Value)
		}
	}
	slices.Sort(found)

	return slices.Compact(found)
}

// envOf returns the variables that an agent and its skills need, each once.
func envOf(a *ir.Agent) []string {
	env := texts(a.Env)
	if r, isReact := a.Node.(*ir.React); isReact {
		for _, use := range r.Uses {
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

func hasTypedTool(r *ir.React) bool {
	for _, use := range r.Uses {
		for _, ref := range use.Skill.Tools {
			if ref.Tool != nil {
				return true
			}
		}
	}

	return false
}

func texts(list []ir.Text) []string {
	values := make([]string, len(list))
	for i, t := range list {
		values[i] = t.Value
	}

	return values
}
