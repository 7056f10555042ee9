package expr

import (
	"strconv"
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

	return stepsName + "[" + strconv.Quote(name) + "]"
}

// stepOutput goes on from `steps`.
func (r *reader) stepOutput(p path, next part) path {
	if step, ok := r.scope.Steps.Step(next.name); ok {
		return r.ofStep(p, step, next)
	}
	names := r.scope.Steps.StepNames()
	d := r.report(diag.UndefinedStepOutput, next.place, r.words().noStep, next.name).Suggest(next.name, names)
	if d.Hint == "" && len(names) > 0 {
		d.Note(noSpan, "%s are %s", r.words().steps, diag.Listed(names))
	}

	return path{place: p.place, bad: true}
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
	notInName := func(c rune) bool { return !isNamePart(c) }
	before := place{p.start, p.start + strings.IndexFunc(r.text.Value[p.start:]+" ", notInName)}
	if p.same { // up to the sign before the part
		before.end = strings.LastIndexAny(r.text.Value[:next.start], ".[")
	}
	d.WithHint("write %s", r.stepPath(next.name))
	r.fix(d, "write "+r.stepPath(next.name), edit{before, stepsName})

	return r.ofStep(p, step, next)
}
