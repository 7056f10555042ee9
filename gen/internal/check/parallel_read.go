package check

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// parallelRead finds context fields that one branch of a parallel step reads and another one
// writes, and those that an item of a map in branches reads and the other items write. Each branch
// has a copy of the context, so the reader gets the value from before the step.
var parallelRead = Pass{Name: "parallel-read", run: func(u *unit) {
	u.eachTask(func(_ *ir.Flow, t *ir.Task) {
		if fork, isFork := t.Do.(*ir.Parallel); isFork {
			u.reportSiblingReads(t, fork)
		}
		if loop, isLoop := t.Do.(*ir.Loop); isLoop && loop.RunsApart() {
			u.reportItemReads(t, loop)
		}
	})
}}

func (u *unit) reportSiblingReads(t *ir.Task, fork *ir.Parallel) {
	writes := ir.Map(fork.Branches, func(arm *ir.Arm) []write { return writesOf(arm.Body) })
	for i, arm := range fork.Branches {
		for _, read := range contextReads(arm.Body) {
			if _, own := overlapping(writes[i], read.path); own {
				continue
			}
			for j, sibling := range fork.Branches {
				if w, ok := overlapping(writes[j], read.path); ok && i != j {
					u.report(diag.New(diag.ParallelRead, read.at,
						"branch %q of step %q writes context.%s, and branch %q reads the value from before the step",
						sibling.Name.Value, t.Name.Value, w.path, arm.Name.Value).
						WithHint("read it after step %q, or write it before", t.Name.Value).
						Note(w.at, "branch %q writes it here", sibling.Name.Value))
					break
				}
			}
		}
	}
}

// reportItemReads reports context fields that the items of a map in branches read before they write
// them: none of them sees what other items write.
func (u *unit) reportItemReads(t *ir.Task, loop *ir.Loop) {
	all := writesOf(loop.Body)
	var written []write
	ir.WalkTasks(loop.Body, func(inside *ir.Task) {
		for _, read := range ownContextReads(inside) {
			_, isOwn := overlapping(written, read.path)
			w, isShared := overlapping(all, read.path)
			if !isShared || isOwn {
				continue
			}
			u.report(diag.New(diag.ParallelRead, read.at,
				"the items of map %q write context.%s, and each reads the value from before the step", t.Name.Value, w.path).
				WithHint("read it after step %q, or handle one item at a time: without max_concurrency and on_item_failure", t.Name.Value).
				Note(w.at, "each item writes it here"))
		}
		written = append(written, writesOfTask(inside)...)
	})
}

// contextRead is a context field that an expression reads.
type contextRead struct {
	path string
	at   source.Span
}

// contextReads returns the context fields that the steps of a pipeline read, in source order.
func contextReads(p *ir.Pipeline) []contextRead {
	var reads []contextRead
	ir.WalkTasks(p, func(t *ir.Task) { reads = append(reads, ownContextReads(t)...) })

	return reads
}

// ownContextReads returns the context fields that the expressions of a step itself read.
func ownContextReads(t *ir.Task) (reads []contextRead) {
	t.WalkOwnReads(func(access *ir.Access) {
		if access.Root == ir.RootContext && len(access.Path) > 0 {
			reads = append(reads, contextRead{path: strings.Join(access.PathNames(), "."), at: access.Span})
		}
	})

	return reads
}

// overlapping returns the first write to the field at path, to a part of it, or to a field around
// it.
func overlapping(writes []write, path string) (write, bool) {
	for _, w := range writes {
		if isInside(w.path, path) || isInside(path, w.path) {
			return w, true
		}
	}

	return write{}, false
}

// isInside reports whether a path is equal to outer or inside it.
func isInside(path, outer string) bool {
	return path == outer || strings.HasPrefix(path, outer+".")
}
