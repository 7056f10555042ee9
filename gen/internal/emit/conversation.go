package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/runtime/model"
)

// conversation emits what the runtime knows of one conversation with a model: an agent's own, or
// that of a step.
type conversation struct {
	*ir.Step
	// of is what it is called: the agent, or agent/step.
	of string
}

func conversations(a *ir.Agent) []conversation {
	return ir.Map(a.Conversations(), func(s *ir.Step) conversation { return conversation{s, s.Label(a.Name.Value)} })
}

// caller emits the methods of an agent that is a single conversation.
func (c conversation) caller(f *jen.File, a agent) {
	does := ""
	if !c.loops() {
		does = "It makes one call of a model and finishes with done."
	}
	at := jen.Id("at").Op("...")
	m := a.MachineOf()
	if m == nil {
		runMethod(f, a, does, func(g *jen.Group) { g.Return(c.call(jen.Id("input"), at)) })
		return
	}
	gate := newMachine(a, m)
	gate.emit(f)
	runMethod(f, a, does, func(g *jen.Group) {
		gate.gate(g)
		g.Return(jen.Id(names.Spec(c.of)).Dot("RunGated").Call(jen.Id("fx"), c.tools(), jen.Id("input"), jen.Id("gate"), at))
	})
}

func (c conversation) loops() bool {
	_, isReact := c.Node.(*ir.React)

	return isReact
}

// call returns the call that holds the conversation. A oneshot always finishes with done, wherever
// it runs.
func (c conversation) call(input jen.Code, at ...jen.Code) *jen.Statement {
	run := jen.Id(names.Spec(c.of)).Dot("Run")
	if !c.loops() {
		return run.Call(jen.Id("fx"), input)
	}

	return run.Call(append([]jen.Code{jen.Id("fx"), c.tools(), input}, at...)...)
}

// tools returns what runs the typed tools.
func (c conversation) tools() *jen.Statement {
	if slices.ContainsFunc(c.Skills(), func(use ir.SkillRef) bool { return slices.ContainsFunc(use.Skill.Tools, ir.ToolRef.IsTyped) }) {
		return jen.Id("a").Dot("callTool")
	}

	return jen.Nil()
}

// declare emits the specification and what it names.
func (c conversation) declare(f *jen.File) {
	c.spec(f)
	value := c.of + "'s value"
	emitSchema(f, names.Output(c.of), value, c.Output(), false)
	schemaText(f, names.OutputSchema(c.of), value, c.Output())
	c.prompt(f)
}

func (c conversation) spec(f *jen.File) {
	var output *jen.Statement
	if c.Output() != nil {
		output = jen.Op("&").Add(outputSpec(names.OutputSchema(c.of), names.Output(c.of)))
	}
	l := fieldsOf(
		"Agent", jen.Lit(c.of),
		"Model", c.modelChoice(),
		"Prompt", wanted(c.fixedPrompt(), jen.Id(names.Prompt(c.of))),
		"Output", output,
		"List", listSpec(c.List()))
	kind := "rt.OneshotSpec"
	switch n := c.Node.(type) {
	case *ir.React:
		kind = "rt.ReactSpec"
		keys := jen.Index().String().Values(list(literals(ir.Values(n.Keys))))
		l = append(l, fieldsOf("MaxIter", jen.Lit(n.MaxIter), "Repair", jen.Lit(n.Repair), "Stuck", jen.Lit(n.Stuck),
			"Keys", wanted(n.Keys != nil, keys))...)
		if n.Gate != nil {
			l = append(l, fieldsOf("Ungated", n.Gate.Ungated)...)
		}
	case *ir.Oneshot:
		l = append(l, fieldsOf("Repair", jen.Lit(n.Repair), "Timeout", c.Timeout)...)
	}
	skills := ir.Map(c.Skills(), func(use ir.SkillRef) jen.Code { return jen.Op("&").Id(names.Skill(use.Skill.Name.Value)) })
	l = append(l, fieldsOf("Skills", wanted(len(skills) > 0, jen.Index().Op("*").Add(in("rt.SkillSpec")).Values(skills...)))...)

	declareVar(f, names.Spec(c.of), "describes "+c.of+" to the runtime", in(kind).Add(l.braces()))
}

// listKinds are the names by which the runtime knows the formats of lists.
var listKinds = map[ir.ListKind]string{ir.ListItems: "items", ir.ListPlan: "plan", ir.ListClaims: "claims"}

// listSpec returns what is said of a value that is a list, on one line; nil without a rule.
func listSpec(rule *ir.ListRule) *jen.Statement {
	if rule == nil {
		return nil
	}

	return jen.Op("&").Add(in("rt.ListSpec")).
		Add(fieldsOf("Kind", listKinds[rule.Kind], "Key", rule.Key, "Max", jen.Lit(rule.Max)).line())
}

// modelChoice returns which model is asked, and how. What is said of it has a line each where that
// is much: texts of the user do not decide it.
func (c conversation) modelChoice() *jen.Statement {
	whom, how := fieldsOf("Role", c.Call.Role, "Name", c.Call.Name), settingFields(c.Call.Settings)
	l := append(whom, fieldsOf("Settings", settings(c.Call.Settings))...)
	choice := jen.Op("&").Add(in("model.Choice"))
	if len(whom)+len(how) > 2 {
		return choice.Add(l.braces())
	}

	return choice.Add(l.line())
}

// settings returns the settings of a model as a value, with a line each where they are many; nil if
// none is set.
func settings(s model.Settings) *jen.Statement {
	l := settingFields(s)
	switch {
	case len(l) == 0:
		return nil
	case len(l) > 2:
		return in("model.Settings").Add(l.braces())
	}

	return in("model.Settings").Add(l.line())
}

// settingFields returns the settings that are set.
func settingFields(s model.Settings) (l fields) {
	for _, setting := range model.SettingTable() {
		if value := setting.Value(s); value != nil {
			l = append(l, keyed(setting.Field, in("Pointer").Call(jen.Lit(value))))
		}
	}

	return l
}

// outputSpec returns what the runtime knows of a value that has a schema.
func outputSpec(schema, typ string) *jen.Statement {
	return in("rt.OutputSpec").Add(fieldsOf("Schema", jen.Id(schema), "Check", checkOf(typ)).braces())
}

func (c conversation) prompt(f *jen.File) {
	if c.fixedPrompt() {
		declareConst(f, names.Prompt(c.of), "is the system prompt of "+c.of, text(c.Prompt.Value))
	}
}

// fixedPrompt reports whether there is a prompt, and the run fills nothing in.
func (c conversation) fixedPrompt() bool { return c.Prompt.Value != "" && c.Template == nil }
