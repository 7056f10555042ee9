package statemachine

import (
	"maps"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
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
	name, below := strings.CutPrefix(strings.Replace(ref.Value, "flujo.builtins:", builtinsPrefix, 1), builtinsPrefix)
	b, isBuiltin := builtin.StepByName(name)
	if !isBuiltin { // which may have its arguments there
		s.input()
	}
	switch {
	case isBuiltin:
		s.useBuiltin(ref, b)
	case !given:
		s.passOn()
	case ref.Value == "": // the schema has said that it is missing
	case strings.HasPrefix(ref.Value, agentsPrefix):
		s.useAgent(ref)
	case strings.HasPrefix(ref.Value, importsPrefix):
		s.useImport(ref)
	case strings.HasPrefix(ref.Value, projectPrefix):
		s.useContained(ref)
	case below || strings.HasPrefix(name, builtinsRoot):
		s.report(undefinedBuiltin(ref, name))
	case !ref.id && s.misplaced(ref):
	case !functionName.MatchString(name):
		s.report(diag.New(diag.BadValue, ref.Span, "%q is not the name of a function", ref.Value).
			WithHint("a function is called like pkg.mod:func"))
	default:
		s.useFunction(ref)
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

// defaultKey is what an input that is not an object is called in the context of an import.
const defaultKey = "initial_input"

// useImport lowers a step that runs another workflow.
func (s *step) useImport(ref reference) {
	s.paramsUnused(ref)
	alias := strings.TrimPrefix(ref.Value, importsPrefix)
	child, declared := s.document.imports[alias]
	if !declared {
		d := diag.New(diag.UndefinedImport, ref.Span, "import %q is not declared in this workflow", alias)
		s.report(s.suggest(d, ref, importsPrefix, slices.Sorted(maps.Keys(s.document.imports)), "the imports are"))
		return
	}
	if child == nil {
		return // that it names no file has been reported
	}

	config := s.node.Value("config")
	do := &ir.Import{
		Agent:     &ir.AgentRef{Text: ref.Text, Agent: child.agent},
		Inherit:   frontend.Bool(config.Value("inherit_context")),
		InputTo:   inputPlaces[frontend.Text(config.Value("input_to")).Value],
		Key:       defaultKey,
		Given:     s.data.Schema,
		OnFailure: failures[frontend.Text(config.Value("on_failure")).Value],
	}
	if key := textIn(config.Value("input_scratchpad_key")); key.Value != "" {
		do.Key = key.Value
	}
	s.importOutputs(do, child, config.Get("outputs"))
	s.task.Do = do
	if child.stage != lowered {
		return // the two import each other, which is a diagnostic of the checks
	}
	do.Next = do.All && (child.next.any() || do.InputTo != ir.InputToPrompt)
	if do.OnFailure == ir.FailureAbort {
		s.task.Type = child.output
	}
}

var inputPlaces = map[string]ir.ImportInput{
	"initial_prompt": ir.InputToPrompt, "import_artifacts": ir.InputToContext, "both": ir.InputToBoth,
}

var failures = map[string]ir.ImportFailure{
	"abort": ir.FailureAbort, "skip": ir.FailureSkip, "continue_with_default": ir.FailureDefault,
}

// importOutputs takes what is copied back from the context of the import.
func (s *step) importOutputs(do *ir.Import, child *document, f *yamldoc.Field) {
	if f == nil || f.Value.IsNull() {
		do.All = true
		return
	}
	if !frontend.Bool(s.node.Value("updates_context")) {
		s.report(diag.New(diag.UnusedField, f.Key.Span,
			"field %q is not used: outputs are copied only with updates_context: true", "outputs"))
	}
	for _, pair := range outputPairs(f.Value) {
		if pair.child.Value == "" || pair.parent.Value == "" {
			continue
		}
		from, _ := s.place(pair.child, child)
		to, _ := s.place(pair.parent, s.document)
		if from != nil && to != nil {
			do.Outputs = append(do.Outputs, ir.ImportOutput{Child: from, Parent: to})
		}
	}
}

// outputPair is a place in the context of an import, and one in that of the workflow which runs it, as they are
// written.
type outputPair struct{ child, parent ir.Text }

// outputPairs returns what `outputs` says in any of its forms: {child: parent}, [{child, parent}], [{from, to}],
// [[child, parent]].
func outputPairs(n *yamldoc.Node) []outputPair {
	pairs := ir.Map(n.Fields, func(f *yamldoc.Field) outputPair { return outputPair{frontend.Key(f), textIn(f.Value)} })
	for _, item := range n.Items {
		if item.Kind == yamldoc.Seq {
			if texts := frontend.Texts(item); len(texts) == 2 {
				pairs = append(pairs, outputPair{texts[0], texts[1]})
			}
			continue
		}
		pairs = append(pairs, outputPair{either(item, "child", "from"), either(item, "parent", "to")})
	}

	return pairs
}

// either returns the first of two fields that is there.
func either(n *yamldoc.Node, field, older string) ir.Text {
	if text := textIn(n.Value(field)); text.Value != "" {
		return text
	}

	return textIn(n.Value(older))
}
