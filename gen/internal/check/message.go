package check

import (
	"fmt"
	"strconv"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// maxListed is the maximum number of names in a message.
const maxListed = 12

// quoted writes names with quotes and "and": `"a", "b" and "c"`.
func quoted(names []string) string { return quotedWith(names, "and") }

// quotedOr writes names with quotes and "or".
func quotedOr(names []string) string { return quotedWith(names, "or") }

func quotedWith(names []string, word string) string {
	return words.List(ir.Map(names, strconv.Quote), word, maxListed)
}

// conversation describes the owner of a conversation: a step file or an agent.
func conversation(a *ir.Agent, step *ir.Step) string {
	if step.Name.Value == "" {
		return fmt.Sprintf("agent %q", a.Name.Value)
	}
	if _, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
		return fmt.Sprintf("agent %q of workflow %q", step.Name.Value, a.Name.Value)
	}

	return fmt.Sprintf("step %q of agent %q", step.Name.Value, a.Name.Value)
}

// declarer describes what declares the text at a span: a step, or the agent that the step inherits
// from.
func declarer(a *ir.Agent, step *ir.Step, at source.Span) string {
	if at.File == a.File {
		return fmt.Sprintf("agent %q", a.Name.Value)
	}

	return conversation(a, step)
}

func stateNames(states []*ir.State) []string {
	return ir.Map(states, func(s *ir.State) string { return s.Name.Value })
}

// pickNames returns the names at some indexes.
func pickNames(names []string, at []int) []string {
	return ir.Map(at, func(i int) string { return names[i] })
}

// noteEach adds a note for each item. Of many items it adds the first ones and a count of the rest.
func noteEach[T any](d *diag.Diagnostic, all []T, more string, note func(T)) *diag.Diagnostic {
	for i, one := range all {
		if i == maxListed {
			return d.Note(noSpan, more, len(all)-i)
		}
		note(one)
	}

	return d
}

// noteAll adds a note that lists all names of a kind, or nothing without names.
func noteAll(d *diag.Diagnostic, at source.Span, kind string, names []string) *diag.Diagnostic {
	if len(names) == 0 {
		return d
	}

	return d.Note(at, "the %s %s", plural(len(names), "only "+kind+" is", kind+"s are"), diag.JoinNames(names))
}

// plural returns one for a count of 1, and many otherwise.
func plural(count int, one, many string) string {
	if count == 1 {
		return one
	}

	return many
}

// noSpan is the span of a note without a position.
var noSpan source.Span
