package agentmd

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Older projects lack step files that newer ones need. They compile with a warning, unless a file
// of the folder has a similar name: that file is misspelled.
//
// actorStep adds the acting step of a reflexion: act.md, or in the older form the body of AGENT.md.

// actorStep is the step of a reflexion that acts: act.md; in its older form the body of AGENT.md,
// as if it was in act.md.
func (b *flowBuilder) actorStep() *ir.Step {
	switch {
	case b.document.hasFile("act.md"):
		if f := b.fieldValue("call").Field("uses"); f != nil {
			b.loader.List.Add(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by a reflexion with act.md", "uses").
				WithHint("write it into the frontmatter of the step that has the skills"))
		}
		return b.addStep("act")
	case !b.lacksStep("act") || isBlank(b.document.agent.Prompt):
		return b.addStep("act")
	}

	b.reportOlderForm("a reflexion acts with act.md, which is missing: the body of AGENT.md is used instead").
		WithHint("move the body to %q", b.document.filePath("act.md"))
	loop := b.bodyLoop(defaultMaxIter)
	if len(loop.Uses) == 0 {
		s := b.addBodyStep(b.bodyOneshot())
		s.Call = withDefaultRole(b.written, ir.OneshotRole)
		return s
	}
	s := b.addBodyStep(loop)
	s.Call = withDefaultRole(b.written, ir.ReactRole)

	return s
}

// joinsResults reports whether a scatter of the older form has no reduce.md. The results are then
// joined to a text, which fits no schema of the value.
func (b *flowBuilder) joinsResults() bool {
	if !b.lacksStep("reduce") || b.fieldValue("output") != nil {
		return false
	}
	b.reportOlderForm("a scatter ends with reduce.md, which is missing: the results of the workers are joined as they are").
		WithHint("add %q with a prompt that combines them", b.document.filePath("reduce.md"))

	return true
}

// lacksStep reports whether there is no step file with the name or a similar one.
func (b *flowBuilder) lacksStep(step string) bool {
	_, misnamed := b.misnamedStep(step)

	return !misnamed && !b.document.hasFile(step+".md")
}

func (b *flowBuilder) reportOlderForm(message string) *diag.Diagnostic {
	d := diag.New(diag.DeprecatedForm, b.document.agent.PatternAt.Span, "%s", message)
	b.loader.List.Add(d)
	b.document.older = true

	return d
}

// olderName is the former name of the key done of a pattern.
type olderName struct {
	pattern string
	key     string
	// ends caches which agents can finish with that key, and with no other key of that name.
	ends map[*ir.Agent]bool
}

// renameOlderKeys renames the keys of rows that route an agent by the former name of its key. The
// agent may also be the last of a machine or a debate.
func (l *loader) renameOlderKeys() {
	names := []olderName{
		{pattern: "oneshot", key: ir.ResultKey, ends: map[*ir.Agent]bool{}},
		{pattern: "parallel", key: parallelKey, ends: map[*ir.Agent]bool{}},
	}
	var older []olderRow
	others := map[source.Span]bool{} // spans with a row that keeps its key: an alias shares rows between states
	for _, b := range l.machines {
		for _, state := range b.machine.States {
			for _, row := range state.Rows {
				i := slices.IndexFunc(names, func(n olderName) bool { return n.key == row.Key.Value })
				if i < 0 {
					continue
				}
				if b.gated == nil && names[i].endsWith(state.Agent) && !routesDone(state) {
					older = append(older, olderRow{row, names[i]})
				} else {
					others[row.Key.Span] = true
				}
			}
		}
	}
	for _, o := range older {
		d := diag.New(diag.DeprecatedForm, o.Key.Span,
			"%q is the older name of the key with which a %s finishes", o.name.key, o.name.pattern).
			WithHint("write %q", ir.DoneKey)
		if !others[o.Key.Span] { // no other row shares the text
			d.WithFix(fmt.Sprintf("replace %q with %q", o.name.key, ir.DoneKey), o.Key.Span, ir.DoneKey)
		}
		l.List.Add(d)
		o.Key.Value = ir.DoneKey
	}
}

// olderRow is a row with a former name. Rows are renamed at the end: two former names in one state
// become two rows of one key, which is a mistake, because either may be meant.
type olderRow struct {
	*ir.Row
	name olderName
}

// endsWith reports whether a can finish with the former key of an agent of the pattern.
func (o olderName) endsWith(a *ir.Agent) bool {
	if a == nil || a.Node == nil {
		return false
	}
	if known, seen := o.ends[a]; seen {
		return known
	}
	o.ends[a] = false // for a cycle of agents

	switch node := a.Node.(type) {
	case *ir.Machine:
		o.ends[a] = node != nil && o.machineEndsWith(node)
	case *ir.Flow:
		_, own := node.FinishKeys() // a oneshot as a step never had the former key
		ends := func(run *ir.Run) bool { return run.Agent != nil && o.endsWith(run.Agent.Agent) }
		o.ends[a] = node.Kind == o.pattern || slices.ContainsFunc(own, ends)
	default:
		o.ends[a] = node.Pattern() == o.pattern
	}

	return o.ends[a]
}

func (o olderName) machineEndsWith(m *ir.Machine) bool {
	found := false
	for _, s := range m.States {
		if s.Place().Kind == ir.PlaceOuter || s.Place().Kind == ir.PlaceOr {
			found = found || o.endsWith(s.Agent)
		}
		for _, row := range s.Rows {
			if !row.EndsMachine() || row.Key.Value != ir.DoneKey && row.Key.Value != o.key {
				continue
			}
			if row.Key.Value == o.key && !o.endsWith(s.Agent) {
				return false // another agent uses that key for itself
			}
			found = found || o.endsWith(s.Agent)
		}
	}

	return found
}

// routesDone reports whether a state has a row for the key done.
func routesDone(s *ir.State) bool {
	return slices.ContainsFunc(s.Rows, func(row *ir.Row) bool { return row.Key.Value == ir.DoneKey })
}
