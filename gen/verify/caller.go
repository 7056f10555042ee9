package verify

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// react compares an agent that loops: its methods, what the runtime is told of it, and its texts.
func (r *reader) react(a *ir.Agent, n *ir.React) {
	name := a.Name.Value
	tools := "nil"
	if typedTools(n) {
		tools = "a.callTool"
	}
	r.entry()
	r.runAt("at", "runtime.React(fx, &"+names.Spec(name)+", "+tools+", input, at)")

	want := r.callFields(a, n.Output)
	want = append(want, field{"MaxIter", strconv.Itoa(n.MaxIter)}, field{"Repair", strconv.Itoa(n.Repair)},
		field{"Stuck", strconv.Itoa(n.Stuck)})
	if n.Keys != nil {
		want = append(want, field{"Keys", textList(values(n.Keys))})
	}
	if len(n.Uses) > 0 {
		var skills []string
		for _, use := range n.Uses {
			skills = append(skills, "&"+names.Skill(use.Skill.Name.Value))
		}
		want = append(want, field{"Skills", "[]*runtime.SkillSpec{" + strings.Join(skills, ", ") + "}"})
	}
	r.fields(names.Spec(name), "runtime.ReactSpec", want, r.values[names.Spec(name)])
	r.callTexts(a, n.Output)
}

// oneshot compares an agent that asks once.
func (r *reader) oneshot(a *ir.Agent, n *ir.Oneshot) {
	name := a.Name.Value
	r.entry()
	r.runAt("_", "runtime.Oneshot(fx, &"+names.Spec(name)+", input)")
	want := append(r.callFields(a, n.Output), field{"Repair", strconv.Itoa(n.Repair)})
	r.fields(names.Spec(name), "runtime.OneshotSpec", want, r.values[names.Spec(name)])
	r.callTexts(a, n.Output)
}

// callFields are the fields that both kinds have.
func (r *reader) callFields(a *ir.Agent, output *ir.Schema) []field {
	name := a.Name.Value
	want := []field{
		{"Agent", strconv.Quote(name)},
		{"Model", "&runtime.ModelChoice{" + modelChoice(a) + "}"},
	}
	if a.Prompt.Value != "" {
		want = append(want, field{"Prompt", names.Prompt(name)})
	}
	if output != nil {
		want = append(want, field{
			"Output",
			"&runtime.OutputSpec{Schema: " + names.OutputSchema(name) + ", Check: check" + names.Output(name) + "}",
		})
	}

	return want
}

func modelChoice(a *ir.Agent) string {
	var list []string
	add := func(set bool, field string) {
		if set {
			list = append(list, field)
		}
	}
	add(a.Call.Role.Value != "", "Role: "+strconv.Quote(a.Call.Role.Value))
	add(a.Call.Name.Value != "", "Name: "+strconv.Quote(a.Call.Name.Value))
	add(a.Call.Temperature != nil, "Temperature: &"+names.Temperature(a.Name.Value))
	add(a.Call.MaxTokens != nil, "MaxTokens: &"+names.MaxTokens(a.Name.Value))

	return strings.Join(list, ", ")
}

// callTexts compares what the fields name: the prompt, the schema of the value, the settings of the model.
func (r *reader) callTexts(a *ir.Agent, output *ir.Schema) {
	name := a.Name.Value
	if a.Prompt.Value != "" {
		r.textOf(names.Prompt(name), a.Prompt.Value)
	}
	if output != nil {
		r.textOf(names.OutputSchema(name), output.JSON)
	}
	r.settings(names.Temperature(name), names.MaxTokens(name), a.Call.Temperature, a.Call.MaxTokens)
}

// settings compares the variables that a model's settings point to.
func (r *reader) settings(temperatureName, maxTokensName string, temperature *float64, maxTokens *int) {
	if temperature != nil {
		r.numberOf(temperatureName, *temperature)
	}
	if maxTokens != nil {
		r.numberOf(maxTokensName, float64(*maxTokens))
	}
}

// entry compares the exported method that runs the agent as an entry point.
func (r *reader) entry() {
	run, runAt := names.Run(r.agent), names.RunAt(r.agent)
	r.writtenFunc("App."+run, `func (a *App) `+run+`(fx runtime.Effects, input string) (runtime.Finish, error) {
		return a.`+runAt+`(fx, input, runtime.Free)
	}`)
}

// runAt compares the inner method of an agent that calls a model.
func (r *reader) runAt(place, call string) {
	name := names.RunAt(r.agent)
	r.writtenFunc("App."+name, "func (a *App) "+name+
		"(fx runtime.Effects, input string, "+place+" runtime.Place) (runtime.Finish, error) { return "+call+" }")
}

// info compares what the program tells of an agent. Whether there is a picture of a machine is not the program's to say.
func (r *reader) info(a *ir.Agent) {
	name := a.Name.Value
	want := []field{{"Name", strconv.Quote(name)}}
	if a.Description.Value != "" {
		want = append(want, field{"Description", strconv.Quote(a.Description.Value)})
	}
	want = append(want, field{"Pattern", strconv.Quote(a.Node.Pattern())})
	m, isMachine := a.Node.(*ir.Machine)
	if !isMachine {
		want = append(want, field{"Model", names.Spec(name) + ".Model"})
	} else if inner := contained(m); len(inner) > 0 {
		want = append(want, field{"Contains", textList(inner)})
	}
	if env := envOf(a); len(env) > 0 {
		want = append(want, field{"Env", textList(env)})
	}
	if !isMachine || !m.External {
		want = append(want, field{"Run", "a." + names.Run(name)})
	}

	r.head("App."+names.Info(name), "func (a *App) "+names.Info(name)+"() runtime.AgentInfo")
	results := r.results(names.Info(name), 1, r.function("App."+names.Info(name))...)
	if r.err != nil {
		return
	}
	literal, isLiteral := results[0].(*ast.CompositeLit)
	if isMachine && isLiteral {
		literal = r.withoutPicture(literal)
		results[0] = literal
	}
	r.fields(names.Info(name), "runtime.AgentInfo", want, results[0])
}

// withoutPicture returns a literal without the field of the picture.
func (r *reader) withoutPicture(literal *ast.CompositeLit) *ast.CompositeLit {
	rest := *literal
	rest.Elts = slices.DeleteFunc(slices.Clone(literal.Elts), func(e ast.Expr) bool {
		pair, isPair := e.(*ast.KeyValueExpr)
		return isPair && ident(pair.Key) == "Graph" && ident(pair.Value) == names.Graph(r.agent)
	})

	return &rest
}

// contained returns the agents that run in a machine, sorted.
func contained(m *ir.Machine) []string {
	var inner []string
	for _, s := range m.States {
		if s.Agent != nil && !slices.Contains(inner, s.Agent.Name.Value) {
			inner = append(inner, s.Agent.Name.Value)
		}
	}
	slices.Sort(inner)

	return inner
}

// envOf returns the variables that an agent needs, and then those of its skills.
func envOf(a *ir.Agent) []string {
	var env []string
	add := func(list []ir.Text) {
		for _, name := range values(list) {
			if !slices.Contains(env, name) {
				env = append(env, name)
			}
		}
	}
	add(a.Env)
	if react, isReact := a.Node.(*ir.React); isReact {
		for _, use := range react.Uses {
			add(use.Skill.Env)
		}
	}

	return env
}

func typedTools(react *ir.React) bool {
	for _, use := range react.Uses {
		for _, tool := range use.Skill.Tools {
			if tool.Tool != nil {
				return true
			}
		}
	}

	return false
}

func values(list []ir.Text) []string {
	var texts []string
	for _, t := range list {
		texts = append(texts, t.Value)
	}

	return texts
}

// textList is how a list of texts is written.
func textList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = strconv.Quote(text)
	}

	return "[]string{" + strings.Join(quoted, ", ") + "}"
}
