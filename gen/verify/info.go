package verify

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// info compares what the program tells of an agent. Whether there is a picture is not the program's to say.
func (r *reader) info(a *ir.Agent) {
	name := names.Info(a.Name.Value)
	r.head("App."+name, "func (a *App) "+name+"() runtime.AgentInfo")
	results := r.results(name, 1, r.function("App."+name)...)
	if r.err != nil {
		return
	}
	if literal, isLiteral := results[0].(*ast.CompositeLit); isLiteral && hasPicture(a) {
		results[0] = r.withoutPicture(literal)
	}
	r.fields(name, "runtime.AgentInfo", infoFields(a), results[0])
}

func infoFields(a *ir.Agent) []field {
	var want []field
	add := func(set bool, name, value string) {
		if set {
			want = append(want, field{name, value})
		}
	}
	inner, env, steps := contained(a), envOf(a), conversations(a)
	several := hasSteps(a)
	add(true, "Name", strconv.Quote(a.Name.Value))
	add(a.Description.Value != "", "Description", strconv.Quote(a.Description.Value))
	add(true, "Pattern", strconv.Quote(a.Node.Pattern()))
	add(len(inner) > 0, "Contains", textList(inner))
	add(len(steps) > 0 && !several, "Model", names.Spec(a.Name.Value)+".Model")
	add(len(steps) > 0 && several, "Steps", stepInfos(steps))
	add(len(env) > 0, "Env", textList(env))
	add(len(a.Questions()) > 0, "Questions", textList(a.Questions()))
	add(a.Budget != nil, "Budget", "&"+names.Budget(a.Name.Value))
	if w, isWorkflow := a.Node.(*ir.Workflow); isWorkflow {
		priced := w.Priced(a.Name.Value)
		add(len(priced) > 0, "Priced", textList(priced))
	}
	add(!driven(a), "Run", "a."+names.Run(a.Name.Value))
	if w, isWorkflow := a.Node.(*ir.Workflow); isWorkflow {
		add(true, "Context", contextSpec(a.Name.Value, w))
	}

	return want
}

// hasSteps reports whether an agent tells of its conversations one by one.
func hasSteps(a *ir.Agent) bool {
	switch a.Node.(type) {
	case *ir.Flow, *ir.Workflow:
		return true
	}

	return false
}

// contextSpec is what is told of the context of a workflow.
func contextSpec(name string, w *ir.Workflow) string {
	schema, check := "", "workflow.CheckContext"
	if w.Context != nil {
		schema, check = "Schema: "+names.ContextSchema(name)+", ", "workflow.Declared(check"+names.Context(name)+")"
	}

	return "&runtime.ContextSpec{" + schema + "Check: " + check + ", Run: a." + names.RunWith(name) + "}"
}

// stepInfos is how the models of a flow's steps are listed.
func stepInfos(steps []conversation) string {
	var list []string
	for _, c := range steps {
		list = append(list, "{Name: "+strconv.Quote(c.of)+", Model: "+names.Spec(c.of)+".Model}")
	}

	return "[]runtime.StepInfo{" + strings.Join(list, ", ") + "}"
}

// driven reports whether an agent is a machine that others drive, which nothing runs.
func driven(a *ir.Agent) bool {
	m, isMachine := a.Node.(*ir.Machine)

	return isMachine && m.External
}

// hasPicture reports whether an agent can be drawn: a conversation alone is not, but one with a gate is.
func hasPicture(a *ir.Agent) bool {
	switch a.Node.(type) {
	case *ir.Machine, *ir.Flow, *ir.Workflow:
		return true
	}

	return a.MachineOf() != nil
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

// contained returns the agents that an agent runs itself, sorted, each once.
func contained(a *ir.Agent) []string {
	var inner []string
	for _, ref := range a.Contained() {
		inner = append(inner, ref.Agent.Name.Value)
	}
	slices.Sort(inner)

	return slices.Compact(inner)
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
	for _, s := range a.Conversations() {
		for _, use := range s.Skills() {
			add(use.Skill.Env)
		}
	}

	return env
}
