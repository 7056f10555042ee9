package agentmd

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Older projects lack step files that later ones need. They compile with a warning, but not where a file of the folder
// has nearly the name that is missing: that one is misspelled.

// actor is the step of a reflexion that acts: act.md; in its older form the body of AGENT.md, as if it was in act.md.
func (b *flowBuilder) actor() *ir.Step {
	switch {
	case b.document.has("act.md"):
		if f := b.field("call").Get("uses"); f != nil {
			b.loader.List.Add(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by a reflexion with act.md", "uses").
				WithHint("write it into the frontmatter of the step that has the skills"))
		}
		return b.step("act")
	case !b.lacks("act") || blank(b.document.agent.Prompt):
		return b.step("act")
	}

	b.olderForm("a reflexion acts with act.md, which is missing: the body of AGENT.md is used instead").
		WithHint("move the body to %q", b.document.path("act.md"))
	loop := b.loop(defaultMaxIter)
	if len(loop.Uses) == 0 {
		s := b.body(b.answer())
		s.Call = withRole(b.written, ir.OneshotRole)
		return s
	}
	s := b.body(loop)
	s.Call = withRole(b.written, ir.ReactRole)

	return s
}

// joinsResults reports whether a scatter has no reduce.md, as its older form allows: the results are joined then, which
// makes a text that no schema of the value fits.
func (b *flowBuilder) joinsResults() bool {
	if !b.lacks("reduce") || b.field("output") != nil {
		return false
	}
	b.olderForm("a scatter ends with reduce.md, which is missing: the results of the workers are joined as they are").
		WithHint("add %q with a prompt that combines them", b.document.path("reduce.md"))

	return true
}

// lacks reports whether there is neither the step file nor one that was meant to be.
func (b *flowBuilder) lacks(step string) bool {
	_, misnamed := b.misnamedStep(step)

	return !misnamed && !b.document.has(step+".md")
}

func (b *flowBuilder) olderForm(message string) *diag.Diagnostic {
	d := diag.New(diag.DeprecatedForm, b.document.agent.PatternAt.Span, "%s", message)
	b.loader.List.Add(d)
	b.document.older = true

	return d
}

// olderName is the name that the key done had in older projects when it came from agents of one pattern.
type olderName struct {
	pattern string
	key     string
	// ends remembers which agents can finish with that key, and with no key that is really called so.
	ends map[*ir.Agent]bool
}

// olderKeys finds rows that route an agent by the older name of its key and makes them rows of the key that it has: where
// the agent runs, and where a machine or a debate runs that ends with its key.
func (l *loader) olderKeys() {
	names := []olderName{
		{pattern: "oneshot", key: ir.ResultKey, ends: map[*ir.Agent]bool{}},
		{pattern: "parallel", key: parallelKey, ends: map[*ir.Agent]bool{}},
	}
	var older []olderRow
	others := map[source.Span]bool{} // of rows with such a key: an alias makes rows of several states of one
	for _, b := range l.machines {
		for _, state := range b.machine.States {
			for _, row := range state.Rows {
				i := slices.IndexFunc(names, func(n olderName) bool { return n.key == row.Key.Value })
				switch {
				case i < 0:
				case b.gated == nil && names[i].endOf(state.Agent) && !slices.ContainsFunc(state.Rows, func(row *ir.Row) bool { return row.Key.Value == ir.DoneKey }):
					older = append(older, olderRow{row, names[i]})
				default:
					others[row.Key.Span] = true
				}
			}
		}
	}
	for _, o := range older {
		d := diag.New(diag.DeprecatedForm, o.Key.Span,
			"%q is the older name of the key with which a %s finishes", o.name.key, o.name.pattern).
			WithHint("write %q", ir.DoneKey)
		if !others[o.Key.Span] { // no other row has its key from the same text
			d.WithFix(fmt.Sprintf("replace %q with %q", o.name.key, ir.DoneKey), o.Key.Span, ir.DoneKey)
		}
		l.List.Add(d)
		o.Key.Value = ir.DoneKey
	}
}

// olderRow is a row of an older name. Rows are renewed when all are known, so that two rows of a state with two older
// names become two rows of one key, which is a mistake: which of them was meant is not known.
type olderRow struct {
	*ir.Row
	name olderName
}

// endOf reports whether a can finish with the key of an agent of the pattern.
func (o olderName) endOf(a *ir.Agent) bool {
	if a == nil || a.Node == nil {
		return false
	}
	if known, seen := o.ends[a]; seen {
		return known
	}
	o.ends[a] = false // what a circle of agents adds is found elsewhere in the circle

	switch node := a.Node.(type) {
	case *ir.Machine:
		o.ends[a] = node != nil && o.endOfMachine(node)
	case *ir.Flow:
		_, own := node.Ends() // a oneshot that is a step has always had the newer key
		ends := func(run *ir.Run) bool { return run.Agent != nil && o.endOf(run.Agent.Agent) }
		o.ends[a] = node.Kind == o.pattern || slices.ContainsFunc(own, ends)
	default:
		o.ends[a] = node.Pattern() == o.pattern
	}

	return o.ends[a]
}

func (o olderName) endOfMachine(m *ir.Machine) bool {
	found := false
	for _, s := range m.States {
		if s.Place().Kind == ir.PlaceOuter || s.Place().Kind == ir.PlaceOr {
			found = found || o.endOf(s.Agent)
		}
		for _, row := range s.Rows {
			if !row.Leaves() || row.Key.Value != ir.DoneKey && row.Key.Value != o.key {
				continue
			}
			if row.Key.Value == o.key && !o.endOf(s.Agent) {
				return false // here an agent really finishes with that key
			}
			found = found || o.endOf(s.Agent)
		}
	}

	return found
}
