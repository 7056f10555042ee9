package statemachine

import (
	"maps"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// The beginnings of what a step can use.
const (
	agentsPrefix   = "agents."
	importsPrefix  = "imports."
	projectPrefix  = "agent:"
	builtinsRoot   = "flujo."
	builtinsPrefix = builtinsRoot + "builtins."
)

// reference is what a step uses, and how it names it.
type reference struct {
	ir.Text
	// params are its named arguments; nil without.
	params *yamldoc.Field
	// id says that the text is an id, of which every word that is not a builtin is a function.
	id bool
}

// named are the arguments of a reference that has some.
func (r reference) named() []*yamldoc.Field {
	if r.params == nil {
		return nil
	}

	return r.params.Value.Members()
}

// call lowers a step of kind step.
func (s *step) call() {
	ref, given := referenceOf(s.node)
	if uses, agent := s.node.Get("uses"), s.node.Get("agent"); uses != nil && agent != nil {
		s.report(diag.New(diag.UnusedField, agent.Key.Span, "field %q is not used beside uses", agent.Key.Text))
	}
	text := ref.Value
	switch {
	case !given:
		s.input()
		s.passOn()
	case text == "":
		s.input() // the schema has said that it is missing
	case strings.HasPrefix(text, agentsPrefix):
		s.input()
		s.useAgent(ref)
	case strings.HasPrefix(text, importsPrefix):
		s.input()
		s.useImport(ref)
	case strings.HasPrefix(text, projectPrefix):
		s.input()
		s.useContained(ref)
	default:
		s.useCode(ref)
	}
	if _, isFunc := s.task.Do.(*ir.UseFunc); !isFunc && s.task.Do != nil {
		s.schemasUnused()
	}
}

// referenceOf returns what a step uses; given is false if it uses nothing. `uses` wins over `agent`.
func referenceOf(n *yamldoc.Node) (ref reference, given bool) {
	uses, agent := n.Get("uses"), n.Value("agent")
	switch {
	case uses != nil:
		return reference{Text: textIn(uses.Value)}, true
	case agent.IsNull():
		return reference{}, false
	case agent.Kind != yamldoc.Map:
		return reference{Text: textIn(agent)}, true
	case agent.Get("path") != nil:
		return reference{Text: textIn(agent.Value("path")), params: agent.Get("params")}, true
	}

	return reference{Text: textIn(agent.Value("id")), params: agent.Get("params"), id: true}, true
}

// passOn lowers a step that gives on what it is given.
func (s *step) passOn() {
	s.task.Do = &ir.PassOn{}
	s.task.Type = dynamic(s.data)
}

// useAgent lowers a step that asks an agent of the workflow.
func (s *step) useAgent(ref reference) {
	s.paramsUnused(ref)
	name := strings.TrimPrefix(ref.Value, agentsPrefix)
	agent := s.agents[name]
	if agent == nil {
		d := diag.New(diag.UndefinedAgent, ref.Span, "agent %q is not declared in this workflow", name)
		s.report(s.suggest(d, ref, agentsPrefix, slices.Sorted(maps.Keys(s.agents)), "the agents are"))
		return
	}
	s.task.Do, s.task.Type = &ir.Run{Step: agent}, textType
	if schema := agent.Output(); schema != nil {
		s.task.Type = ir.Type{Schema: schema, Owner: ir.OwnerConversation, Of: agent.Label(s.name())}
	}
}

// suggest completes the diagnostic of an unknown name, with those that are.
func (s *step) suggest(d *diag.Diagnostic, ref reference, prefix string, names []string, the string) *diag.Diagnostic {
	full := ir.Map(names, func(name string) string { return prefix + name })
	if d.Suggest(ref.Value, full); len(names) > 0 {
		d.Note(source.Span{}, "%s %s", the, strings.Join(names, ", "))
	}

	return d
}

// useContained lowers a step that runs an agent of the project, or another workflow of it. That there is none is a
// diagnostic of the checks.
func (s *step) useContained(ref reference) {
	s.paramsUnused(ref)
	name := strings.TrimSpace(strings.TrimPrefix(ref.Value, projectPrefix))
	if name == "" {
		s.report(diag.New(diag.BadValue, ref.Span, "%q names no agent", ref.Value).WithHint("write agent:NAME"))
		return
	}
	start := strings.LastIndex(ref.Value, name)
	at := yamldoc.NewInside(ref.Span, ref.Value).Span(start, start+len(name))
	agent := s.set.project.Agent(name)
	s.task.Do = &ir.Run{Agent: &ir.AgentRef{Text: ir.Text{Value: name, Span: at}, Agent: agent}}
	s.task.Type = agent.ValueType()
}

// paramsUnused warns of named arguments for what has none.
func (s *step) paramsUnused(ref reference) {
	if ref.params != nil && !ref.params.Value.IsNull() {
		s.report(diag.New(diag.UnusedField, ref.params.Key.Span, "field %q is not used by %q", "params", ref.Value).
			WithHint("write what it is given as input, beside agent"))
	}
}

// schemasUnused warns of schemas that describe what is described elsewhere, or nothing.
func (s *step) schemasUnused() {
	hint := "only functions have schemas of their own"
	if asksModel(s.task.Do) {
		hint = "the output of an agent is described where the agent is: agents.NAME.output_schema"
	}
	for _, name := range []string{"input_schema", "output_schema"} {
		if f := s.node.Get(name); f != nil {
			s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by step %q", name, s.task.Name.Value).
				WithHint("%s", hint))
		}
	}
}
