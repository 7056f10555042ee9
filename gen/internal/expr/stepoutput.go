package expr

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// stepsName is the name that contains the outputs of all steps.
const stepsName = "steps"

// hasStep reports whether a step has the name.
func (r *reader) hasStep(name string) bool {
	if r.scope.Steps == nil {
		return false
	}
	_, ok := r.scope.Steps.Step(name)

	return ok
}

// stepPath returns the expression for the output of a step.
func (r *reader) stepPath(name string) string {
	if isIdentifier(name) {
		return stepsName + "." + name
	}

	return stepsName + "[" + strconv.Quote(name) + "]"
}

// resolveStep extends the path `steps`.
func (r *reader) resolveStep(p path, next part) path {
	if step, ok := r.scope.Steps.Step(next.name); ok {
		return r.outputOfStep(p, step, next)
	}
	names := r.scope.Steps.StepNames()
	d := r.report(diag.UndefinedStepOutput, next.place, r.vocabulary().noStep, next.name).Suggest(next.name, names)
	if d.Hint == "" && len(names) > 0 {
		d.Note(noSpan, "%s are %s", r.vocabulary().steps, diag.JoinNames(names))
	}

	return path{place: p.place, bad: true}
}

// outputOfStep returns the path of a step's output.
func (r *reader) outputOfStep(p path, step StepName, next part) path {
	if step.Ran == RanNever {
		d := r.report(diag.UnreadBeforeWritten, next.place,
			"%s %q cannot have run when its output is read here", r.vocabulary().step, next.name)
		if step.Output != nil && step.Output.Name.Span.IsValid() {
			d.Note(step.Output.Name.Span, "%s %q is here", r.vocabulary().step, next.name)
		}
		return path{place: p.place, bad: true}
	}
	access := &ir.Access{Root: ir.RootStep, Output: step.Output, MayBeNone: step.Ran != RanAlways}
	if step.Output != nil {
		access.Type = step.Output.Type
	}

	return path{place: p.place, access: access, step: true}
}

// resolveContextStep returns the path of a step that is named like a context field, and reports it.
func (r *reader) resolveContextStep(p path, step StepName, next part) path {
	d := r.report(diag.DeprecatedForm, next.place,
		"%q is a step, and its output is not part of the %s", next.name, p.name.Name)
	notInName := func(c rune) bool { return !isNamePart(c) }
	before := place{p.start, p.start + strings.IndexFunc(r.text.Value[p.start:]+" ", notInName)}
	if p.same { // up to the character before the part
		before.end = strings.LastIndexAny(r.text.Value[:next.start], ".[")
	}
	d.WithHint("write %s", r.stepPath(next.name))
	r.addFix(d, "write "+r.stepPath(next.name), edit{before, stepsName})

	return r.outputOfStep(p, step, next)
}
