package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/runtime/model"
)

// conversation emits the specification of one conversation with a model: an agent's own, or a
// step's.
type conversation struct {
	*ir.Step
	// label is its name: the agent, or agent/step.
	label string
}

func conversationsOf(a *ir.Agent) []conversation {
	return ir.Map(a.Conversations(), func(s *ir.Step) conversation { return conversation{s, s.Label(a.Name.Value)} })
}

// emitCaller emits the methods of an agent that is a single conversation.
func (c conversation) emitCaller(f *jen.File, a agent) {
	does := ""
	if !c.isReact() {
		does = "It makes one call of a model and finishes with done."
	}
	at := jen.Id("at").Op("...")
	m := a.MachineOf()
	if m == nil {
		emitRunMethod(f, a, does, func(g *jen.Group) { g.Return(c.callCode(jen.Id("input"), at)) })
		return
	}
	gate := newMachine(a, m)
	gate.emitMachine(f)
	emitRunMethod(f, a, does, func(g *jen.Group) {
		gate.addGate(g)
		g.Return(jen.Id(names.Spec(c.label)).Dot("RunGated").Call(jen.Id("fx"), c.toolCallerCode(), jen.Id("input"), jen.Id("gate"), at))
	})
}

func (c conversation) isReact() bool {
	_, isReact := c.Node.(*ir.React)

	return isReact
}

// callCode returns the call that runs the conversation. A oneshot always finishes with done.
func (c conversation) callCode(input jen.Code, at ...jen.Code) *jen.Statement {
	run := jen.Id(names.Spec(c.label)).Dot("Run")
	if !c.isReact() {
		return run.Call(jen.Id("fx"), input)
	}

	return run.Call(append([]jen.Code{jen.Id("fx"), c.toolCallerCode(), input}, at...)...)
}

// toolCallerCode returns the code that runs the typed tools.
func (c conversation) toolCallerCode() *jen.Statement {
	if slices.ContainsFunc(c.Skills(), func(use ir.SkillRef) bool { return slices.ContainsFunc(use.Skill.Tools, ir.ToolRef.IsTyped) }) {
		return jen.Id("a").Dot("callTool")
	}

	return jen.Nil()
}

// emitSpecification emits the specification and the constants that it refers to.
func (c conversation) emitSpecification(f *jen.File) {
	c.emitSpec(f)
	value := c.label + "'s value"
	emitSchema(f, names.Output(c.label), value, c.Output(), false)
	emitSchemaText(f, names.OutputSchema(c.label), value, c.Output())
	c.emitPrompt(f)
}

func (c conversation) emitSpec(f *jen.File) {
	var output *jen.Statement
	if c.Output() != nil {
		output = jen.Op("&").Add(outputSpecCode(names.OutputSchema(c.label), names.Output(c.label)))
	}
	l := newFields(
		"Agent", jen.Lit(c.label),
		"Model", c.modelChoiceCode(),
		"Prompt", codeIf(c.hasFixedPrompt(), jen.Id(names.Prompt(c.label))),
		"Output", output,
		"List", listSpecCode(c.List()))
	kind := "rt.OneshotSpec"
	switch n := c.Node.(type) {
	case *ir.React:
		kind = "rt.ReactSpec"
		keys := jen.Index().String().Values(wrapItems(quoteTexts(ir.Values(n.Keys))))
		l = append(l, newFields("MaxIter", jen.Lit(n.MaxIter), "Repair", jen.Lit(n.Repair), "Stuck", jen.Lit(n.Stuck),
			"Keys", codeIf(n.Keys != nil, keys))...)
		if n.Gate != nil {
			l = append(l, newFields("Ungated", n.Gate.Ungated)...)
		}
	case *ir.Oneshot:
		l = append(l, newFields("Repair", jen.Lit(n.Repair), "Timeout", c.Timeout)...)
	}
	skills := ir.Map(c.Skills(), func(use ir.SkillRef) jen.Code { return jen.Op("&").Id(names.Skill(use.Skill.Name.Value)) })
	l = append(l, newFields("Skills", codeIf(len(skills) > 0, jen.Index().Op("*").Add(inRuntime("rt.SkillSpec")).Values(skills...)))...)

	emitVar(f, names.Spec(c.label), "describes "+c.label+" to the runtime", inRuntime(kind).Add(l.onLines()))
}

// listKinds are the names of list formats in the runtime.
var listKinds = map[ir.ListKind]string{ir.ListItems: "items", ir.ListPlan: "plan", ir.ListClaims: "claims"}

// listSpecCode returns the rule of a list value on one line; nil without a rule.
func listSpecCode(rule *ir.ListRule) *jen.Statement {
	if rule == nil {
		return nil
	}

	return jen.Op("&").Add(inRuntime("rt.ListSpec")).
		Add(newFields("Kind", listKinds[rule.Kind], "Key", rule.Key, "Max", jen.Lit(rule.Max)).onOneLine())
}

// modelChoiceCode returns the model and its settings. If there are many they are on lines of their
// own; the length of the user's texts does not matter.
func (c conversation) modelChoiceCode() *jen.Statement {
	whom, how := newFields("Role", c.Call.Role, "Name", c.Call.Name), settingFields(c.Call.Settings)
	l := append(whom, newFields("Settings", settingsCode(c.Call.Settings))...)
	choice := jen.Op("&").Add(inRuntime("model.Choice"))
	if len(whom)+len(how) > 2 {
		return choice.Add(l.onLines())
	}

	return choice.Add(l.onOneLine())
}

// settingsCode returns the settings of a model as a value, on lines of their own if they are many;
// nil without settings.
func settingsCode(s model.Settings) *jen.Statement {
	l := settingFields(s)
	switch {
	case len(l) == 0:
		return nil
	case len(l) > 2:
		return inRuntime("model.Settings").Add(l.onLines())
	}

	return inRuntime("model.Settings").Add(l.onOneLine())
}

// settingFields returns the settings that are set.
func settingFields(s model.Settings) (l fields) {
	for _, setting := range model.SettingTable() {
		if value := setting.Value(s); value != nil {
			l = append(l, keyedField(setting.Field, inRuntime("Pointer").Call(settingLiteral(value))))
		}
	}

	return l
}

// settingLiteral returns the value of a setting.
func settingLiteral(value any) *jen.Statement {
	switch value := value.(type) {
	case []string:
		return jen.Index().String().ValuesFunc(func(g *jen.Group) {
			for _, text := range value {
				g.Lit(text)
			}
		})
	case model.Object:
		return inRuntime("model.Object").Call(jen.Lit(string(value)))
	}

	return jen.Lit(value)
}

// outputSpecCode returns the specification of a value with a schema.
func outputSpecCode(schema, typ string) *jen.Statement {
	return inRuntime("rt.OutputSpec").Add(newFields("Schema", jen.Id(schema), "Check", checkFunc(typ)).onLines())
}

func (c conversation) emitPrompt(f *jen.File) {
	if c.hasFixedPrompt() {
		emitConst(f, names.Prompt(c.label), "is the system prompt of "+c.label, textLiteral(c.Prompt.Value))
	}
}

// hasFixedPrompt reports whether there is a prompt without placeholders.
func (c conversation) hasFixedPrompt() bool { return c.Prompt.Value != "" && c.Template == nil }
