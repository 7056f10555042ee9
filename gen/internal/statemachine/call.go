package statemachine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// The prefixes of the value of uses.
const (
	agentsPrefix   = "agents."
	importsPrefix  = "imports."
	projectPrefix  = "agent:"
	builtinsRoot   = "flujo."
	builtinsPrefix = builtinsRoot + "builtins."
)

// reference is the value of uses or agent in a step.
type reference struct {
	ir.Text
	// params are its named arguments, or nil.
	params *yamldoc.Field
	// id is true for the text of agent.id, where every word that is not a builtin is a function.
	id bool
}

// namedArguments returns the named arguments of a reference.
func (r reference) namedArguments() []*yamldoc.Field {
	if r.params == nil {
		return nil
	}

	return r.params.Value.Members()
}

// lowerCall lowers a step of kind step.
func (s *step) lowerCall() {
	ref, given := referenceOf(s.node)
	if uses, agent := s.node.Field("uses"), s.node.Field("agent"); uses != nil && agent != nil {
		s.report(diag.New(diag.UnusedField, agent.Key.Span, "field %q is not used beside uses", agent.Key.Text))
	}
	name, below := strings.CutPrefix(strings.Replace(ref.Value, "flujo.builtins:", builtinsPrefix, 1), builtinsPrefix)
	b, isBuiltin := builtin.StepByName(name)
	if !isBuiltin { // a builtin may have its arguments in the input
		s.lowerInput()
	}
	switch {
	case isBuiltin:
		s.useBuiltin(ref, b)
	case !given:
		s.lowerPassOn()
	case ref.Value == "": // the schema has reported it
	case strings.HasPrefix(ref.Value, agentsPrefix):
		s.useAgent(ref)
	case strings.HasPrefix(ref.Value, importsPrefix):
		s.useImport(ref)
	case strings.HasPrefix(ref.Value, projectPrefix):
		s.useContained(ref)
	case below || strings.HasPrefix(name, builtinsRoot):
		s.report(undefinedBuiltinDiagnostic(ref, name))
	case !ref.id && s.reportMisplaced(ref):
	case !functionName.MatchString(name):
		s.report(diag.New(diag.BadValue, ref.Span, "%q is not the name of a function", ref.Value).
			WithHint("a function is called like pkg.mod:func"))
	default:
		s.useFunction(ref)
	}
	if s.task.Do != nil {
		s.reportUnusedWait()
	}
	if _, isFunc := s.task.Do.(*ir.UseFunc); !isFunc && s.task.Do != nil {
		s.reportUnusedSchemas()
		s.reportUnusedTraits()
	}
}

// referenceOf returns the value of uses or agent; given is false without both. uses takes
// precedence.
func referenceOf(n *yamldoc.Node) (ref reference, given bool) {
	uses, agent := n.Field("uses"), n.Value("agent")
	switch {
	case uses != nil:
		return reference{Text: textOf(uses.Value)}, true
	case agent.IsNull():
		return reference{}, false
	case agent.Kind != yamldoc.Map:
		return reference{Text: textOf(agent)}, true
	case agent.Field("path") != nil:
		return reference{Text: textOf(agent.Value("path")), params: agent.Field("params")}, true
	}

	return reference{Text: textOf(agent.Value("id")), params: agent.Field("params"), id: true}, true
}

// lowerPassOn lowers a step that returns its input.
func (s *step) lowerPassOn() {
	do := &ir.PassOn{}
	if wait := s.node.Field("wait"); wait != nil {
		s.lowerWait(do, wait.Value)
	}
	s.task.Do = do
	s.task.Type = withoutOwner(s.data)
}

// lowerWait lowers how long a step waits: a duration, or a text that renders to one or to a time.
func (s *step) lowerWait(do *ir.PassOn, wait *yamldoc.Node) {
	text := textOf(wait)
	_, notTime := time.Parse(time.RFC3339, text.Value)
	hasPlaceholder := strings.Contains(text.Value, "{{")
	switch {
	case hasPlaceholder || notTime == nil:
	case strings.Contains(text.Value, "T"): // no unit of a duration has one
		s.report(diag.New(diag.BadValue, text.Span, "%s is not a time", text.Value).WithHint("write a time such as 2026-05-01T08:00:00Z"))
		return
	case frontend.IsNoTime(text.Value):
		s.report(diag.New(diag.BadValue, text.Span, "step %q does not wait: its wait is %s", s.task.Name.Value, text.Value).
			WithHint("write a longer one, or remove the field"))
		return
	default:
		do.Wait = s.set.project.ReadDuration(wait)
		return
	}
	do.WaitText = &ir.Template{Text: text} // until its names are known
	s.later = append(s.later, func() {
		parsed := s.parseTemplate(text, s.scopeAt(s.at))
		if parsed == nil {
			return
		}
		do.WaitText = parsed
		s.checkWait(parsed)
	})
}

// checkWait reports a wait that is a single placeholder whose value is never a duration or a time.
func (s *step) checkWait(wait *ir.Template) {
	if len(wait.Parts) != 1 {
		return
	}
	placeholder, isPlaceholder := wait.Parts[0].(*ir.Placeholder)
	if !isPlaceholder || len(placeholder.Values) != 1 || len(placeholder.Filters) > 0 {
		return
	}
	access, isAccess := placeholder.Values[0].(*ir.Access)
	if !isAccess || access.Type.Schema == nil {
		return
	}
	switch kind := access.Type.Schema.Resolved().Kind; kind {
	case ir.SchemaInteger, ir.SchemaNumber:
		s.report(diag.New(diag.BadValue, wait.Text.Span, "the wait of step %q is a number without a unit", s.task.Name.Value).
			WithHint("write %sh for hours, or s, m or d", wait.Text.Value))
	case ir.SchemaBoolean, ir.SchemaArray, ir.SchemaObject:
		s.report(diag.New(diag.BadValue, wait.Text.Span, "the wait of step %q is never a duration or a time", s.task.Name.Value).
			WithHint("a duration is a text such as 30s, 1h30m, 7d or 2 weeks"))
	}
}

// reportUnusedWait reports the wait of a step that does something else.
func (s *step) reportUnusedWait() {
	wait := s.node.Field("wait")
	_, passesOn := s.task.Do.(*ir.PassOn)
	if wait == nil || passesOn && s.node.Field("uses") == nil && s.node.Field("agent") == nil {
		return
	}
	s.report(diag.New(diag.UnusedField, wait.Key.Span, "field %q is not used: step %q does something else",
		wait.Key.Text, s.task.Name.Value).WithHint("write a step of its own before it: {name: pause, wait: %s}", wait.Value.Text))
}

// useAgent lowers a step that calls an agent of the workflow.
func (s *step) useAgent(ref reference) {
	s.reportUnusedParams(ref)
	name := strings.TrimPrefix(ref.Value, agentsPrefix)
	agent := s.agents[name]
	if agent == nil {
		d := diag.New(diag.UndefinedAgent, ref.Span, "agent %q is not declared in this workflow", name)
		s.report(s.suggestName(d, ref, agentsPrefix, slices.Sorted(maps.Keys(s.agents)), "the agents are"))
		return
	}
	s.task.Do, s.task.Type = &ir.Run{Step: agent}, textType
	if schema := agent.Output(); schema != nil {
		s.task.Type = ir.Type{Schema: schema, Owner: ir.OwnerConversation, OwnerName: agent.Label(s.workflowName())}
	}
}

// suggestName adds the known names to the diagnostic of an unknown one. The prefix, which all of them
// have, makes none more like another.
func (s *step) suggestName(d *diag.Diagnostic, ref reference, prefix string, names []string, the string) *diag.Diagnostic {
	name := strings.TrimPrefix(ref.Value, prefix)
	near, isNear := diag.Nearest(name, names)
	span, stands := diag.Literally(ref.Span, ref.Value)
	if isNear && stands && diag.IsCertain(name, near, names) {
		d.WithFix(fmt.Sprintf("replace %q with %q", ref.Value, prefix+near), span, prefix+near)
	}
	if isNear {
		d.WithHint("did you mean %q?", prefix+near)
	}
	if len(names) > 0 {
		d.Note(source.Span{}, "%s %s", the, strings.Join(names, ", "))
	}

	return d
}

// useContained lowers a step that runs an agent or another workflow of the project. The checks
// report an undefined one.
func (s *step) useContained(ref reference) {
	s.reportUnusedParams(ref)
	name := strings.TrimSpace(strings.TrimPrefix(ref.Value, projectPrefix))
	if name == "" {
		s.report(diag.New(diag.BadValue, ref.Span, "%q names no agent", ref.Value).WithHint("write agent:NAME"))
		return
	}
	start := strings.LastIndex(ref.Value, name)
	at := yamldoc.NewPositions(ref.Span, ref.Value).Span(start, start+len(name))
	agent := s.set.project.FindAgent(name)
	s.task.Do = &ir.Run{Agent: &ir.AgentRef{Text: ir.Text{Value: name, Span: at}, Agent: agent}}
	s.task.Type = agent.ValueType()
}

// reportUnusedParams reports named arguments of a step that has none.
func (s *step) reportUnusedParams(ref reference) {
	if ref.params != nil && !ref.params.Value.IsNull() {
		s.report(diag.New(diag.UnusedField, ref.params.Key.Span, "field %q is not used by %q", "params", ref.Value).
			WithHint("write what it is given as input, beside agent"))
	}
}

// reportUnusedSchemas reports schemas of a step that does not call a function.
func (s *step) reportUnusedSchemas() {
	hint := "only functions have schemas of their own"
	if asksModel(s.task.Do) {
		hint = "the output of an agent is described where the agent is: agents.NAME.output_schema"
	}
	for _, name := range []string{"input_schema", "output_schema"} {
		if f := s.node.Field(name); f != nil {
			s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by step %q", name, s.task.Name.Value).
				WithHint("%s", hint))
		}
	}
}

// reportUnusedTraits reports what a step that does not call a function declares about calls.
func (s *step) reportUnusedTraits() {
	for _, name := range append(slices.Clip(traitFields), "context") {
		if f := s.node.Field(name); f != nil {
			s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by step %q", name, s.task.Name.Value).
				WithHint("only functions pkg.mod:func have it"))
		}
	}
}

// defaultKey is the default key for an input that is not an object in the context of an import.
const defaultKey = "initial_input"

// useImport lowers a step that runs another workflow.
func (s *step) useImport(ref reference) {
	s.reportUnusedParams(ref)
	alias := strings.TrimPrefix(ref.Value, importsPrefix)
	child, declared := s.document.imports[alias]
	if !declared {
		d := diag.New(diag.UndefinedImport, ref.Span, "import %q is not declared in this workflow", alias)
		s.report(s.suggestName(d, ref, importsPrefix, slices.Sorted(maps.Keys(s.document.imports)), "the imports are"))
		return
	}
	if child == nil {
		return // a missing file has been reported
	}

	config := s.node.Value("config")
	do := &ir.Import{
		Agent:     &ir.AgentRef{Text: ref.Text, Agent: child.agent},
		Inherit:   frontend.Bool(config.Value("inherit_context")),
		InputTo:   inputPlaces[frontend.Text(config.Value("input_to")).Value],
		Key:       defaultKey,
		OnFailure: failures[frontend.Text(config.Value("on_failure")).Value],
	}
	if key := textOf(config.Value("input_scratchpad_key")); key.Value != "" {
		do.Key = key.Value
	}
	s.lowerImportOutputs(do, child, config.Field("outputs"))
	s.task.Do = do
	if child.stage != lowered {
		return // a cycle of imports, which the checks report
	}
	do.Next = do.All && (child.next.hasAny() || do.InputTo != ir.InputToPrompt)
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

// lowerImportOutputs lowers the fields that are copied back from the context of the import.
func (s *step) lowerImportOutputs(do *ir.Import, child *document, f *yamldoc.Field) {
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
		from, _ := s.resolvePath(pair.child, child)
		to, _ := s.resolvePath(pair.parent, s.document)
		if from != nil && to != nil {
			do.Outputs = append(do.Outputs, ir.ImportOutput{Child: from, Parent: to})
		}
	}
}

// outputPair is a context path of the import and one of the importing workflow.
type outputPair struct{ child, parent ir.Text }

// outputPairs returns the pairs of outputs in all its forms: {child: parent}, [{child, parent}],
// [{from, to}], [[child, parent]].
func outputPairs(n *yamldoc.Node) []outputPair {
	pairs := ir.Map(n.Fields, func(f *yamldoc.Field) outputPair { return outputPair{frontend.Key(f), textOf(f.Value)} })
	for _, item := range n.Items {
		if item.Kind == yamldoc.Seq {
			if texts := frontend.Texts(item); len(texts) == 2 {
				pairs = append(pairs, outputPair{texts[0], texts[1]})
			}
			continue
		}
		pairs = append(pairs, outputPair{firstText(item, "child", "from"), firstText(item, "parent", "to")})
	}

	return pairs
}

// firstText returns the text of field, or the text of the older field.
func firstText(n *yamldoc.Node, field, older string) ir.Text {
	if text := textOf(n.Value(field)); text.Value != "" {
		return text
	}

	return textOf(n.Value(older))
}
