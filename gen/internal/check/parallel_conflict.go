package check

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// parallelConflict finds context fields that two branches of a parallel step write without a
// strategy to choose between them, and fields that the items of a map write that run in branches. Only writes with a fixed path are considered; the runtime finds
// the others.
var parallelConflict = Pass{Name: "parallel-conflict", run: func(u *unit) {
	u.eachTask(func(_ *ir.Flow, t *ir.Task) {
		if fork, isFork := t.Do.(*ir.Parallel); isFork && fork.Merge == ir.MergeUpdate {
			u.reportConflicts(t, fork)
		}
		if loop, isLoop := t.Do.(*ir.Loop); isLoop && loop.ItemsPath() != nil && loop.RunsApart() {
			u.reportItemWrites(t, loop)
		}
	})
}}

// reportItemWrites reports context fields that the items of a list write, each into its own copy of
// the context.
func (u *unit) reportItemWrites(t *ir.Task, loop *ir.Loop) {
	reported := map[string]bool{}
	for _, w := range writesOf(loop.Body) {
		if _, isLiteral := literalOf(w.value); isLiteral || reported[w.path] {
			continue
		}
		reported[w.path] = true
		u.report(diag.New(diag.ParallelConflict, w.at, "the items of map %q all write context.%s, each into its own copy of the context",
			t.Name.Value, w.path).
			WithHint("let the last step of the body give the value, and read the list of steps.%s", t.Name.Value))
	}
}

// write is a context field that a step writes.
type write struct {
	path string
	at   source.Span
	// value is the literal value, or nil.
	value *ir.Datum
	// branch is the name of the step's branch.
	branch string
}

func (u *unit) reportConflicts(t *ir.Task, fork *ir.Parallel) {
	first := map[string]write{}
	reported := map[string]bool{}
	for _, arm := range fork.Branches {
		for _, w := range writesOf(arm.Body) {
			w.branch = arm.Name.Value
			if !arm.WritesBack(strings.Split(w.path, ".")) {
				continue
			}
			before, known := first[w.path]
			switch {
			case !known:
				first[w.path] = w
			case before.branch != w.branch && !reported[w.path] && !isSameValue(before, w):
				reported[w.path] = true
				u.report(diag.New(diag.ParallelConflict, w.at, "branches %q and %q of step %q both write context.%s, and no strategy chooses between them",
					before.branch, w.branch, t.Name.Value, w.path).
					WithHint("let them write different places, or give step %q a merge_strategy: OVERWRITE, KEEP_FIRST or ERROR_ON_CONFLICT", t.Name.Value).
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
			writes = append(writes, write{path: path, at: w.At, value: w.Value})
		case w.Value != nil:
			for _, f := range w.Value.Fields {
				writes = append(writes, write{path: below(f.Name.Value), at: f.Name.Span, value: f.Value})
			}
		case w.Schema != nil:
			for _, p := range w.Schema.Properties {
				writes = append(writes, write{path: below(p.Name.Value), at: w.At})
			}
		}
	}

	return writes
}

func joinPath(path []ir.Text) string { return strings.Join(ir.Values(path), ".") }
