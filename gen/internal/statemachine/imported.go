package statemachine

import (
	"maps"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

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

// importOnly warns of settings that are those of imports in a step that uses none.
func (s *step) importOnly(config *yamldoc.Node) {
	for _, name := range []string{"inherit_context", "input_to", "input_scratchpad_key", "outputs", "on_failure"} {
		if f := config.Get(name); f != nil {
			s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by a step without an import", name))
		}
	}
}
