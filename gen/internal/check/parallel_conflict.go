package check

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// parallelConflict finds context fields that two branches of a parallel step, or the items of a map,
// write without a rule or a strategy for that. Only writes with a fixed path are considered; the
// runtime finds the others.
var parallelConflict = Pass{Name: "parallel-conflict", run: func(u *unit) {
	u.eachTask(func(w *ir.Flow, t *ir.Task) {
		rules := w.Context.FieldRules()
		fork, isFork := t.Do.(*ir.Parallel)
		if isFork && fork.Merge == ir.MergeUpdate {
			u.reportConflicts(t, fork, rules)
		}
		loop, isLoop := t.Do.(*ir.Loop)
		if isLoop && loop.ItemsPath() != nil {
			u.reportItemWrites(t, loop, w.Context)
		}
		if isFork && fork.Merge != ir.MergeNone || isLoop && loop.RunsApart() {
			u.reportReplacements(t, rules)
		}
	})
}}

// hasRule reports whether a rule combines the values that are written to a path.
func hasRule(rules ir.FieldRules, path string) bool {
	return slices.ContainsFunc(rules, func(r ir.FieldRule) bool { return isInside(path, strings.Join(r.Path, ".")) })
}

// adviseRule is the advice to give a field a rule.
const adviseRule = "choose how its values are combined, in its schema in context: merge: append, union, first, last, sum, max or error"

// reportItemWrites reports context fields that the items of a list write: each into its own copy of
// the context, or one after another without a look at the value of the previous one. Fields that a
// declared context lacks have been reported.
func (u *unit) reportItemWrites(t *ir.Task, loop *ir.Loop, context *ir.Schema) {
	reported, rules := map[string]bool{}, context.FieldRules()
	reads := contextReads(loop.Body)
	for _, w := range writesOf(loop.Body) {
		_, isLiteral := literalOf(w.value)
		isRead := func(read contextRead) bool { return isInside(read.path, w.path) || isInside(w.path, read.path) }
		isAccumulated := !loop.RunsApart() && slices.ContainsFunc(reads, isRead)
		if isLiteral || isAccumulated || reported[w.path] || hasRule(rules, w.path) {
			continue
		}
		if lacksField(context, w.path) {
			continue
		}
		reported[w.path] = true
		d := diag.New(diag.ParallelConflict, w.at, "the items of map %q all write context.%s, and no rule combines their values",
			t.Name.Value, w.path).
			WithHint("%s; or let the last step of the body give the value, and read the list of steps.%s", adviseRule, t.Name.Value)
		if !loop.RunsApart() { // the value of the last item is left
			d.Warn()
		}
		u.report(d)
	}
}

// lacksField reports whether a declared context has no field for a path.
func lacksField(context *ir.Schema, path string) bool {
	name, _, _ := strings.Cut(path, ".")

	return context != nil && context.Additional == nil && context.Property(name) == nil
}

// reportReplacements reports steps in branches, or in items that run in branches, that replace the
// value of a field with a rule, and so what others write.
func (u *unit) reportReplacements(t *ir.Task, rules ir.FieldRules) {
	bodies := t.Pipelines()
	for i, body := range bodies {
		b := sharedBody{of: t, body: body, others: slices.Delete(slices.Clone(bodies), i, i+1), called: "branches"}
		if len(bodies) == 1 {
			b.others, b.called = bodies, "items"
		}
		for _, w := range writesOf(body) {
			path := strings.Split(w.path, ".")
			if w.replaces && !rules.Of(path).ReplacesValue() && b.isShared(path) {
				u.report(diag.New(diag.ParallelConflict, w.at, "context_set replaces context.%s, which other %s of step %q write, too", w.path, b.called, t.Name.Value).
					WithHint("write it with sink_to or updates_context, which follow its merge rule"))
			}
		}
		for _, inside := range ir.OpsOf[*ir.Task](body.Ops()) {
			u.reportLostRules(b, inside, rules)
		}
	}
}

// sharedBody is a branch of a task, or what its items run.
type sharedBody struct {
	of   *ir.Task
	body *ir.Pipeline
	// others are the other branches, or what the other items run; called is the word for them.
	others []*ir.Pipeline
	called string
}

// isShared reports whether others may write a field, too.
func (b sharedBody) isShared(field []string) bool {
	return slices.ContainsFunc(b.others, func(body *ir.Pipeline) bool { return mayWrite(body, field) })
}

// reportLostRules reports an import that inherits a field with a rule, and writes it by another rule:
// what it copies back replaces what others write.
func (u *unit) reportLostRules(b sharedBody, t *ir.Task, rules ir.FieldRules) {
	do, isImport := t.Do.(*ir.Import)
	child := importedWorkflow(t)
	if !isImport || !do.Inherit || !t.UpdatesContext || child == nil {
		return
	}
	for _, rule := range rules {
		from := copiedFrom(do, rule.Path)
		isKept := rule.Merge.ReplacesValue() || from == nil || child.Context.FieldRules().Of(from) == rule.Merge
		if isKept || !mayWrite(child.Body, from) || !b.isShared(rule.Path) {
			continue
		}
		name := do.Agent.Agent.Name.Value
		d := diag.New(diag.ParallelConflict, t.UpdatesAt, "workflow %q replaces context.%s, which other %s of step %q write, too: there the field lacks its rule",
			name, strings.Join(rule.Path, "."), b.called, b.of.Name.Value).
			WithHint("give it merge: %s in the context of workflow %q", rule.Merge, name)
		if child.Context != nil {
			d.Note(child.Context.Span, "that context is declared here")
		}
		u.report(d)
	}
}

// importedWorkflow returns the workflow that a task imports; nil if it imports none that is known.
func importedWorkflow(t *ir.Task) *ir.Flow {
	do, isImport := t.Do.(*ir.Import)
	if !isImport || do.Agent.Agent == nil {
		return nil
	}
	w, isWorkflow := ir.WorkflowOf(do.Agent.Agent.Node)
	if !isWorkflow || w.Partial {
		return nil
	}

	return w
}

// copiedFrom returns the path in the context of an imported workflow that is copied to a path here;
// nil if none is.
func copiedFrom(do *ir.Import, path []string) []string {
	if do.All {
		return path
	}
	out := ir.First(do.Outputs, func(out ir.ImportOutput) bool { return slices.Equal(ir.Values(out.Parent.Path), path) })
	if out.Child == nil {
		return nil
	}

	return ir.Values(out.Child.Path)
}

// mayWrite reports whether a step may write a field of the context.
func mayWrite(body *ir.Pipeline, field []string) bool {
	return slices.ContainsFunc(ir.OpsOf[*ir.Task](body.Ops()), func(t *ir.Task) bool {
		if do, copies := t.Do.(*ir.Import); copies && do.All && t.UpdatesContext {
			child := importedWorkflow(t)
			return child == nil || mayWrite(child.Body, field)
		}
		return slices.ContainsFunc(t.ContextWrites(), func(w ir.ContextWrite) bool { return w.MayWrite(field) })
	})
}

// write is a context field that a step writes.
type write struct {
	path string
	at   source.Span
	// value is the literal value, or nil.
	value *ir.Datum
	// branch is the name of the step's branch.
	branch string
	// replaces reports whether the step is a context_set.
	replaces bool
}

func (u *unit) reportConflicts(t *ir.Task, fork *ir.Parallel, rules ir.FieldRules) {
	first := map[string]write{}
	reported := map[string]bool{}
	for _, arm := range fork.Branches {
		for _, w := range writesOf(arm.Body) {
			w.branch = arm.Name.Value
			if !arm.WritesBack(strings.Split(w.path, ".")) || hasRule(rules, w.path) {
				continue
			}
			before, known := first[w.path]
			switch {
			case !known:
				first[w.path] = w
			case before.branch != w.branch && !reported[w.path] && !isSameValue(before, w):
				reported[w.path] = true
				u.report(diag.New(diag.ParallelConflict, w.at, "branches %q and %q of step %q both write context.%s, and no rule combines the values",
					before.branch, w.branch, t.Name.Value, w.path).
					WithHint("let them write different places, or %s; or give step %q a merge_strategy: OVERWRITE, KEEP_FIRST or ERROR_ON_CONFLICT",
						adviseRule, t.Name.Value).
					Note(before.at, "branch %q writes it here", before.branch))
			}
		}
	}
}

// isSameValue reports whether two writes put the same literal value.
func isSameValue(a, b write) bool {
	x, isLiteral := literalOf(a.value)
	y, both := literalOf(b.value)

	return isLiteral && both && x == y
}

func literalOf(d *ir.Datum) (text string, ok bool) {
	switch {
	case d == nil:
	case d.Kind == ir.DatumJSON:
		return d.JSON, true
	case d.Kind == ir.DatumText && d.Text != nil:
		text, ok = d.Text.Constant()
		return "text " + text, ok
	}

	return "", false
}

// writesOf returns the context fields that the steps of a pipeline write, in source order.
func writesOf(p *ir.Pipeline) []write {
	var writes []write
	for _, t := range p.Steps() {
		for ; t != nil; t = t.Fallback {
			writes = append(writes, writesOfTask(t)...)
			if fork, isFork := t.Do.(*ir.Parallel); isFork && fork.Merge == ir.MergeNone {
				continue
			}
			writes = append(writes, ir.FlatMap(t.Pipelines(), writesOf)...)
		}
	}

	return writes
}

func writesOfTask(t *ir.Task) []write {
	var writes []write
	for _, w := range t.ContextWrites() {
		if w.Path == nil {
			continue
		}
		path := joinPath(w.Path.Path)
		below := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
		switch {
		case !w.Merge:
			_, isBuiltin := t.Do.(*ir.UseBuiltin)
			writes = append(writes, write{path: path, at: w.At, value: w.Value, replaces: w.Replaces && isBuiltin})
		case w.Value != nil:
			for _, f := range w.Value.Fields {
				writes = append(writes, write{path: below(f.Name.Value), at: f.Name.Span, value: f.Value})
			}
		case w.Schema != nil:
			for _, p := range w.Schema.Properties {
				writes = append(writes, mergedFields(below(p.Name.Value), p.Schema, w.At)...)
			}
		}
	}

	return writes
}

// mergedFields returns the writes of a value that is merged into a field: those of the members of an
// object with known ones, which are merged one by one.
func mergedFields(path string, value *ir.Schema, at source.Span) []write {
	isClosed := value != nil && value.Kind == ir.SchemaObject && value.Additional == nil
	if !isClosed || len(value.Properties) == 0 {
		return []write{{path: path, at: at}}
	}

	return ir.FlatMap(value.Properties, func(p *ir.Property) []write { return mergedFields(path+"."+p.Name.Value, p.Schema, at) })
}

func joinPath(path []ir.Text) string { return strings.Join(ir.Values(path), ".") }
