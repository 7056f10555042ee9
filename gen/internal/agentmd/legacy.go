package agentmd

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Older projects lack step files that later ones need. They compile with a warning, but not where a file of the folder
// has nearly the name that is missing: that one is misspelled.

// actor is the step of a reflexion that acts: act.md; in its older form the body of AGENT.md, as if it was in act.md.
func (b *flowBuilder) actor() *ir.Step {
	switch {
	case b.document.has("act.md"):
		b.usesUnused()
		return b.step("act")
	case !b.lacks("act") || blank(b.document.agent.Prompt):
		return b.step("act")
	}

	b.olderForm("a reflexion acts with act.md, which is missing: the body of AGENT.md is used instead").
		WithHint("move the body to %q", b.document.path("act.md"))
	loop := b.loop(defaultMaxIter)
	if len(loop.Uses) == 0 {
		s := b.body(b.answer())
		s.Call = withRole(b.written, oneshotRole)
		return s
	}
	s := b.body(loop)
	s.Call = withRole(b.written, reactRole)

	return s
}

// usesUnused warns of skills in the AGENT.md of a reflexion whose body is no prompt.
func (b *flowBuilder) usesUnused() {
	if f := b.field("call").Get("uses"); f != nil {
		b.loader.List.Add(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by a reflexion with act.md", "uses").
			WithHint("write it into the frontmatter of the step that has the skills"))
	}
}

// joinsResults reports whether a scatter has no reduce.md, as its older form allows: the results are joined then, which
// makes a text that no schema of the value fits.
func (b *flowBuilder) joinsResults() bool {
	if !b.lacks("reduce") || b.field("output") != nil {
		return false
	}
	b.olderForm("a scatter ends with reduce.md, which is missing: the results of the workers are joined as they are").
		WithHint("add %q, which says what is made of them", b.document.path("reduce.md"))

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
