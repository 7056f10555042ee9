package verify

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// conversation is a conversation with a model: an agent's own, or that of a step.
type conversation struct {
	*ir.Step
	// of is what it is called: the agent, or agent/step.
	of string
}

func conversations(a *ir.Agent) []conversation {
	var all []conversation
	for _, s := range a.Conversations() {
		all = append(all, conversation{s, s.Label(a.Name.Value)})
	}

	return all
}

// call returns the call that holds the conversation. A oneshot is not told where it stands.
func (c conversation) call(input, at string) string {
	if _, isReact := c.Node.(*ir.React); !isReact {
		return "runtime.Oneshot(fx, &" + names.Spec(c.of) + ", " + input + ")"
	}

	return "runtime.React(fx, &" + names.Spec(c.of) + ", " + c.tools() + ", " + input + ", " + at + ")"
}

// gatedCall returns the call that holds the conversation of a gated agent.
func (c conversation) gatedCall(g *gate) string {
	return "runtime.ReactGated(fx, &" + names.Spec(c.of) + ", " + c.tools() + ", input, at, " + g.begun() + ")"
}

// tools is what runs the typed tools.
func (c conversation) tools() string {
	if callsTools(c.Step) {
		return "a.callTool"
	}

	return "nil"
}

// callsTools reports whether a skill of the step has a typed tool.
func callsTools(s *ir.Step) bool {
	for _, use := range s.Skills() {
		for _, tool := range use.Skill.Tools {
			if tool.IsTyped() {
				return true
			}
		}
	}

	return false
}

// caller compares the methods of an agent that is a conversation.
func (r *reader) caller(a *ir.Agent) {
	name, c := names.RunAt(r.agent), conversations(a)[0]
	place := "_"
	if _, isReact := c.Node.(*ir.React); isReact {
		place = "at"
	}
	call := c.call("input", "at")
	if g := r.gateOf(a); g != nil {
		g.all()
		call = c.gatedCall(g)
	}
	r.entry()
	r.writtenFunc("App."+name, runHead(name, place)+" { "+limits(a)+"\n return "+call+" }")
}

// told compares what the runtime is told of a conversation, and the texts and numbers that this names.
func (r *reader) told(c conversation) {
	typ, spec := "runtime.OneshotSpec", names.Spec(c.of)
	if _, isReact := c.Node.(*ir.React); isReact {
		typ = "runtime.ReactSpec"
	}
	r.fields(spec, typ, c.fields(), r.values[spec])
	if c.fixedPrompt() {
		r.textOf(names.Prompt(c.of), c.Prompt.Value)
	}
	if output := c.Output(); output != nil {
		r.textOf(names.OutputSchema(c.of), output.JSON)
	}
	r.settings(names.Temperature(c.of), names.MaxTokens(c.of), c.Call.Temperature, c.Call.MaxTokens)
}

// fields are those of the specification.
func (c conversation) fields() []field {
	var want []field
	add := func(set bool, name, value string) {
		if set {
			want = append(want, field{name, value})
		}
	}
	add(true, "Agent", strconv.Quote(c.of))
	add(true, "Model", "&runtime.ModelChoice{"+c.modelChoice()+"}")
	add(c.fixedPrompt(), "Prompt", names.Prompt(c.of))
	add(c.Output() != nil, "Output",
		"&runtime.OutputSpec{Schema: "+names.OutputSchema(c.of)+", Check: check"+names.Output(c.of)+"}")
	add(c.List() != nil, "List", listSpec(c.List()))
	switch n := c.Node.(type) {
	case *ir.React:
		add(true, "MaxIter", strconv.Itoa(n.MaxIter))
		add(true, "Repair", strconv.Itoa(n.Repair))
		add(true, "Stuck", strconv.Itoa(n.Stuck))
		add(n.Keys != nil, "Keys", textList(values(n.Keys)))
		if n.Gate != nil {
			add(len(n.Gate.Ungated) > 0, "Ungated", textList(values(n.Gate.Ungated)))
		}
	case *ir.Oneshot:
		add(true, "Repair", strconv.Itoa(n.Repair))
		add(c.Timeout > 0, "Timeout", duration(c.Timeout))
	}
	var skills []string
	for _, use := range c.Skills() {
		skills = append(skills, "&"+names.Skill(use.Skill.Name.Value))
	}
	add(len(skills) > 0, "Skills", "[]*runtime.SkillSpec{"+strings.Join(skills, ", ")+"}")

	return want
}

// fixedPrompt reports whether the prompt is a constant: the run fills nothing in.
func (c conversation) fixedPrompt() bool { return c.Prompt.Value != "" && c.Template == nil }

// duration is how a duration is written: in the largest unit of which it is a whole number.
func duration(d time.Duration) string {
	units := []struct {
		name string
		of   time.Duration
	}{
		{"Hour", time.Hour}, {"Minute", time.Minute}, {"Second", time.Second},
		{"Millisecond", time.Millisecond}, {"Microsecond", time.Microsecond}, {"Nanosecond", time.Nanosecond},
	}
	fits := slices.IndexFunc(units, func(u struct {
		name string
		of   time.Duration
	}) bool {
		return d%u.of == 0
	})

	return strconv.FormatInt(int64(d/units[fits].of), 10) + " * time." + units[fits].name
}

// listSpec is how the rule of a list is written; empty without one.
func listSpec(rule *ir.ListRule) string {
	if rule == nil {
		return ""
	}
	kind := map[ir.ListKind]string{ir.ListItems: "ListItems", ir.ListPlan: "ListPlan", ir.ListClaims: "ListClaims"}[rule.Kind]
	key := ""
	if rule.Key != "" {
		key = "Key: " + strconv.Quote(rule.Key) + ", "
	}

	return "&runtime.ListSpec{Kind: runtime." + kind + ", " + key + "Max: " + strconv.Itoa(rule.Max) + "}"
}

func (c conversation) modelChoice() string {
	var list []string
	add := func(set bool, field string) {
		if set {
			list = append(list, field)
		}
	}
	add(c.Call.Role.Value != "", "Role: "+strconv.Quote(c.Call.Role.Value))
	add(c.Call.Name.Value != "", "Name: "+strconv.Quote(c.Call.Name.Value))
	add(c.Call.Temperature != nil, "Temperature: &"+names.Temperature(c.of))
	add(c.Call.MaxTokens != nil, "MaxTokens: &"+names.MaxTokens(c.of))

	return strings.Join(list, ", ")
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
