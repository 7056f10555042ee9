package expr

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// stepsName is the name below which the outputs of all steps are.
const stepsName = "steps"

// isStep reports whether a step has the name.
func (r *reader) isStep(name string) bool {
	if r.scope.Steps == nil {
		return false
	}
	_, ok := r.scope.Steps.Step(name)

	return ok
}

// stepPath is how the output of a step is written.
func (r *reader) stepPath(name string) string {
	if isIdentifier(name) {
		return stepsName + "." + name
	}

	return stepsName + "[" + quoteText(name) + "]"
}

// stepOutput goes on from `steps`.
func (r *reader) stepOutput(p path, next part) path {
	step, ok := r.scope.Steps.Step(next.name)
	if !ok {
		r.noStep(next)
		return path{place: p.place, bad: true}
	}

	return r.ofStep(p, step, next)
}

// noStep reports the name of a step that does not exist.
func (r *reader) noStep(next part) {
	names := r.scope.Steps.StepNames()
	d := r.report(diag.UndefinedStepOutput, next.place, r.words().noStep, next.name).Suggest(next.name, names)
	if d.Hint == "" && len(names) > 0 {
		d.Note(noSpan, "%s are %s", r.words().steps, diag.Listed(names))
	}
}

// ofStep goes on to the output of a step.
func (r *reader) ofStep(p path, step StepName, next part) path {
	if step.Ran == RanNever {
		d := r.report(diag.UnreadBeforeWritten, next.place,
			"%s %q cannot have run when its output is read here", r.words().step, next.name)
		if step.Output != nil && step.Output.Name.Span.IsValid() {
			d.Note(step.Output.Name.Span, "%s %q is here", r.words().step, next.name)
		}
		return path{place: p.place, bad: true}
	}
	access := &ir.Access{Root: ir.RootStep, Output: step.Output, Maybe: step.Ran != RanAlways}
	if step.Output != nil {
		access.Type = step.Output.Type
	}

	return path{place: p.place, access: access, step: true}
}

// stepOfName goes on from the context to the output of a step, and reports that.
func (r *reader) stepOfName(p path, step StepName, next part) path {
	d := r.report(diag.DeprecatedForm, next.place,
		"%q is a step, and its output is not part of the %s", next.name, p.name.Name)
	before := place{p.start, r.wordEnd(p.start)}
	if p.same {
		before.end = r.partEnd(next)
	}
	d.WithHint("write %s", r.stepPath(next.name))
	r.fix(d, "write "+r.stepPath(next.name), edit{before, stepsName})

	return r.ofStep(p, step, next)
}

// wordEnd returns where the word that begins at i ends.
func (r *reader) wordEnd(i int) int {
	n := strings.IndexFunc(r.text.Value[i:], func(c rune) bool { return !isNamePart(c) })
	if n < 0 {
		return len(r.text.Value)
	}

	return i + n
}

// partEnd returns the place of the sign before a part of a path.
func (r *reader) partEnd(next part) int {
	return strings.LastIndexAny(r.text.Value[:next.start], ".[")
}
