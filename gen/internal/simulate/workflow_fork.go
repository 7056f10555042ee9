package simulate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Fork handles each path alone.
func (s *workSearch) Fork(t *ir.Task, in paths) []paths {
	return ir.Map(s.mergeAlike(t, 1, in), func(p *workPath) paths { return paths{p} })
}

// enterBranch returns a path at the beginning of a new node for a branch.
func (s *workSearch) enterBranch(p *workPath, b interp.Block) *workPath {
	next := p.clone()
	next.trail, next.node = trail{}, newNode(b.Arm.Name.Value, p.node.place)
	next.run.BeginBranch()

	return next
}

// Share returns the paths before the branches, which do not see each other's results.
func (*workSearch) Share(_ *ir.Task, start paths, _ []ends) paths { return start }

// Merge returns the paths after the branches, one for each combination of their ends.
func (s *workSearch) Merge(t *ir.Task, start paths, arms []ends) (e ends) {
	before := start[0]
	together := []armEnds{{deviations: before.deviations}}
	for i, arm := range arms {
		together = s.combine(together, armPosition{i, t.Do, before}, slices.Concat(arm.Done, arm.Failed))
	}
	if len(together) == 0 { // some branches were not searched
		before.endInFailure(before.node)
	}
	s.ways += len(together)
	for _, ended := range together {
		next := ended.joinBranches(t, before)
		if next.err != nil && !ended.hasFailed() {
			next = s.failForValue(t, next, next.err)
		}
		switch {
		case next.leavesState:
			e.Paused = append(e.Paused, next)
		case next.err != nil:
			e.Failed = append(e.Failed, next)
		default:
			e.Done = append(e.Done, next)
		}
	}

	return e
}

// armEnds is how some branches ended together.
type armEnds struct {
	ends       paths
	items      []item
	deviations int
}

// hasFailed reports whether a branch failed.
func (a armEnds) hasFailed() bool {
	return slices.ContainsFunc(a.ends, func(p *workPath) bool { return p.err != nil })
}

// armPosition is the position of a branch's items.
type armPosition struct {
	number int
	group  ir.Op
	before *workPath
}

// combine returns each combination of how the previous branches ended and how one more does.
func (s *workSearch) combine(together []armEnds, at armPosition, armEnded paths) []armEnds {
	if len(armEnded) == 0 {
		return nil
	}
	n, outcomes := s.completeArm(armEnded, at.group)
	var all []armEnds
	for i, end := range outcomes {
		ran := item{kind: kindRun, node: n, outcomes: []int{i}, group: at.group}
		ran.branch = append(slices.Clip(at.before.branch), at.number)
		for _, others := range together {
			all = append(all, armEnds{
				ends:       append(slices.Clip(others.ends), end),
				items:      append(slices.Clip(others.items), ran),
				deviations: others.deviations + end.deviations - at.before.deviations,
			})
		}
	}
	allowed := max(1, (s.maxWays-s.ways)/2)
	if len(all) > allowed {
		s.n.cut = tooMany
		slices.SortStableFunc(all, func(a, b armEnds) int { return cmp.Compare(a.deviations, b.deviations) })
		all = all[:allowed]
	}

	return all
}

// completeArm completes the node of a branch, and returns it with a path for each of its outcomes.
func (s *workSearch) completeArm(ended paths, where any) (*node, paths) {
	n := ended[0].node
	known := map[string]int{}
	for i, p := range ended {
		key := fmt.Sprint(p.pointKeyAt(where).key, p.err != nil, p.leavesState)
		if _, isKnown := known[key]; !isKnown {
			known[key] = i
		}
		n.addFinish(&edge{from: p.from, items: p.items, open: p.open}, outcome{value: unknown, end: known[key]})
	}
	n.complete()
	s.completed = append(s.completed, n)

	return n, ir.Map(n.outcomes, func(o outcome) *workPath { return ended[o.end] })
}

// joinBranches returns the path after branches that ended.
func (a armEnds) joinBranches(t *ir.Task, before *workPath) *workPath {
	do := t.Do.(*ir.Parallel)
	next := before.clone()
	next.items, next.deviations = slices.Concat(next.items, a.items), a.deviations
	next.leavesState = slices.ContainsFunc(a.ends, func(p *workPath) bool { return p.leavesState })
	branches := make([]workflow.Branch[workRun], len(do.Branches))
	for i, arm := range do.Branches {
		branches[i] = workflow.Branch[workRun]{Name: arm.Name.Value, Fields: writtenFields(arm)}
		branches[i].Run = func(in *workRun, _ workflow.Value) (workflow.Value, error) {
			*in = *a.ends[i].run
			return a.ends[i].value, a.ends[i].err
		}
	}
	p := workflow.Parallel{Step: t.Name.Value, Isolated: do.Merge == ir.MergeNone, Keep: do.Merge.Winner(), Ignore: do.Failed == ir.FailureIgnored}
	ran, err := workflow.Fork(next.run, p, before.value, branches...)
	if err != nil {
		return next.withError(err)
	}
	for _, branch := range ran {
		arm := ir.First(do.Branches, func(arm *ir.Arm) bool { return arm.Name.Value == branch.Name })
		ir.WalkTasks(arm.Body, func(t *ir.Task) {
			if v, there := branch.Run.outputs[t.Output]; there {
				next.run.setOutput(t.Output, v)
			}
		})
	}
	switch do.Reduce {
	case ir.ReduceKeys:
		next.value = ran.Names()
	case ir.ReduceFirst:
		next.value = ran.First()
	case ir.ReduceLast:
		next.value = ran.Last()
	case ir.ReduceObject:
		next.value = ran.Outputs()
	case ir.ReduceUnion:
		next.value, next.err = ran.Values().Union()
	case ir.ReduceConcat:
		next.value, next.err = ran.Values().Flatten()
	case ir.ReduceMajority:
		next.value = ran.Values().Majority()
	default:
		next.value = ran.Values()
	}

	return next
}

// writtenFields returns the paths that a branch writes back; nil for all.
func writtenFields(arm *ir.Arm) [][]string {
	if !arm.Only {
		return nil
	}

	return ir.Map(arm.Fields, pathNames)
}
