package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// workPath is a run of a workflow, or all runs that continue alike. Neither the path nor its run
// changes after it was copied.
type workPath struct {
	trail
	// node is the node with the graph of the trail.
	node *node
	run  *workRun
	// frame is the innermost operation around the path.
	frame *frame
	// value is the output of the last step, or the input of the next one. err is why the path
	// failed, or that it leaves its state for an answer.
	value workflow.Value
	err   error
	// leavesState is set if the path leaves its state for an answer. failedTask is the task whose
	// attempts all failed last.
	leavesState bool
	failedTask  *ir.Task
	// lateTask is the step around the path whose time is over; nil if none is. waited is how long the
	// path has waited in steps whose time is limited.
	lateTask *ir.Task
	waited   time.Duration
	// verdict is the result of the deciding function, and turn the number of the turn after which
	// it decides.
	verdict workflow.Value
	turn    int
	// nextState is the next state of the machine; nil if it ends or fails.
	nextState *ir.State
	// isDoubtful is set if the guard of a row that was tried in a state is unknown.
	isDoubtful bool
	// deviations are the earlier choices that are not the first one.
	deviations int
}

// paths are paths at one point of the program.
type paths = []*workPath

// frame is an operation around a path, with the state of the path before it.
type frame struct {
	outer *frame
	// subject is a task, a body, a loop over a list, a machine or an import.
	subject any
	// key is equal for frames with the same continuations, if their inside is the same.
	key string
	// run and value are those before the operation.
	run   *workRun
	value workflow.Value
	// attempt is the number of the attempt of a task, and waited how long the path had waited before
	// the first one. isApart is set for a body that runs in a branch.
	attempt int
	waited  time.Duration
	isApart bool
	// items are the items of a loop over a list, and outputs its outputs for the first of them.
	items, outputs []workflow.Value
	// ends are the paths at the ends of items that run in branches.
	ends paths
	// machine is the state of a machine, steps how many states have run, and state the running one.
	machine *workflow.Machine[stateID]
	steps   int
	state   *ir.State
}

// clone returns a copy of the path with a copy of its run.
func (p *workPath) clone() *workPath {
	next, run := *p, *p.run
	next.run = &run

	return &next
}

// withError returns a copy of the path that failed.
func (p *workPath) withError(err error) *workPath {
	next := *p
	next.err = err

	return &next
}

// withItems returns a copy of the path after some items.
func (p *workPath) withItems(items ...item) *workPath {
	next := *p
	next.trail = p.trail.withItems(items...)

	return &next
}

// asOpen returns a copy of the path that depends on values that are only known in a run.
func (p *workPath) asOpen() *workPath {
	next := *p
	next.open = onGiven

	return &next
}

// asOpenIf returns asOpen if isOpen is true, otherwise the path itself.
func (p *workPath) asOpenIf(isOpen bool) *workPath {
	if isOpen {
		return p.asOpen()
	}

	return p
}

// enterFrame returns a copy of the path inside of a frame. distinction distinguishes it from other
// frames of the subject.
func (p *workPath) enterFrame(f frame, distinction ...string) *workPath {
	next := *p
	f.outer, f.run, f.value = p.frame, p.run, p.value
	f.key = strings.Join(append(distinction, strconv.Itoa(p.run.search.frameNumber(f.subject))), "\x02")
	if f.outer != nil {
		f.key = f.outer.key + "\x00" + f.key
	}
	next.frame = &f

	return &next
}

// frameOf returns the innermost frame of a subject.
func (p *workPath) frameOf(subject any) *frame {
	f := p.frame
	for f.subject != subject {
		f = f.outer
	}

	return f
}

// leaveFrame returns a copy of the path after a subject, with the pipeline, the map and
// the turn around it.
func (p *workPath) leaveFrame(subject any) *workPath {
	next, f := p.clone(), p.frameOf(subject)
	next.frame = f.outer
	next.run.input, next.run.this, next.run.turn = f.run.input, f.run.this, f.run.turn
	next.run.SetCaughtError(f.run.CaughtError())
	if next.waited > 0 && next.nextDeadline().task == nil {
		next.waited = 0
	}

	return next
}

// frameNumber returns a number for a subject or a choice.
func (s *workSearch) frameNumber(subject any) int {
	number, isKnown := s.numbers[subject]
	if !isKnown {
		number = len(s.numbers)
		s.numbers[subject] = number
	}

	return number
}

// pointKey is equal for paths in a node that continue alike.
type pointKey struct {
	n   *node
	key string
}

// pointKeyAt returns the key of a path at a choice.
func (p *workPath) pointKeyAt(where any) pointKey {
	around := ""
	if p.frame != nil {
		around = p.frame.key
	}
	key := fmt.Sprint(p.run.search.frameNumber(where), "\x01", around, "\x01", p.turn, p.value.JSON(), "\x01", p.verdict.JSON(), "\x01", p.isDoubtful, p.run.stateKey(), p.timeKey())

	return pointKey{p.node, key}
}

// mergeAlike leads paths that choose one of n continuations to a point for all that continue alike.
// It returns one path for each new point.
func (s *workSearch) mergeAlike(where any, n int, in paths) paths {
	var merged paths
	for _, p := range in {
		at, key := *p, p.pointKeyAt(where)
		point, isKnown := s.points[key]
		if !isKnown {
			point = p.node.addPoint()
			s.points[key] = point
			merged = append(merged, &at)
		}
		at.leadTo(p.node, point)
	}

	return s.limitPaths(n, merged)
}

// limitPaths drops paths if there are too many, each with n continuations. It keeps those with the
// fewest deviations, so that complete runs are among them.
func (s *workSearch) limitPaths(n int, in paths) paths {
	s.choices++
	share := (s.maxWays - s.ways) / 2
	if s.share > 0 {
		share = s.share
	}
	allowed := max(1, share/max(1, n))
	if s.ways > maxOverrun*s.maxWays {
		allowed = 0
	}
	if len(in) > allowed {
		s.n.cut = tooMany
		slices.SortStableFunc(in, func(a, b *workPath) int { return cmp.Compare(a.deviations, b.deviations) })
		in = in[:allowed]
	}
	s.ways += n * len(in)

	return in
}

// split returns n copies of a path, one for each continuation.
func (p *workPath) split(n int) paths {
	ways := make(paths, n)
	for i := range ways {
		way := *p
		way.deviations += min(i, 1)
		ways[i] = &way
	}

	return ways
}

// judgedPath is a path with the truth of a condition.
type judgedPath struct {
	*workPath
	truth workflow.Truth
}

// decideCondition evaluates a condition about a result. It is unknown if a value is missing. A
// condition that only a run can decide is both true and false.
func (s *workSearch) decideCondition(where any, in paths, f *ir.Formula, result func(*workPath) workflow.Value) []judgedPath {
	var all []judgedPath
	var open paths
	for _, p := range in {
		about := *p.run
		about.result = result(p)
		truth, isOpen := about.evaluateCondition(f.Root)
		if isOpen {
			open = append(open, p)
		} else {
			all = append(all, judgedPath{p, truth})
		}
	}
	for _, p := range s.mergeAlike(where, 2, open) {
		ways := p.split(2)
		all = append(all, judgedPath{ways[0].asOpen(), workflow.Known(true)}, judgedPath{ways[1].asOpen(), workflow.Known(false)})
	}

	return all
}

// judgeAll returns paths with one truth.
func judgeAll(truth workflow.Truth, in paths) []judgedPath {
	return ir.Map(in, func(p *workPath) judgedPath { return judgedPath{p, truth} })
}

// withCase returns the path after a case of a step, if the step has it.
func (p *workPath) withCase(t *ir.Task, kind CaseKind, name string) *workPath {
	if c := p.run.search.cases[caseKey{t, kind, name}]; c != nil {
		return p.withItems(item{kind: kindCase, takes: c})
	}

	return p
}
