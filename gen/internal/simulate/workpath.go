package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// workPath is a run of a workflow, or all runs that can go on as it does. Neither it nor its run is
// changed once another one is made of it.
type workPath struct {
	trail
	// n is the node in whose graph the trail is.
	n   *node
	run *workRun
	// around is what the path is inside of.
	around *frame
	// value is what the newest step gave, or what the next one is given. err is why the path failed, or
	// that it leaves its state for an answer.
	value workflow.Value
	err   error
	// leaves says that the path leaves its state for an answer, and settled is the task that failed
	// last in all of its tries.
	leaves  bool
	settled *ir.Task
	// verdict is what the function says that decides, and turn the number of the turn behind which it
	// decides.
	verdict workflow.Value
	turn    int
	// to is the state of the machine that is next; nil where the machine ends, or fails.
	to *ir.State
	// isDoubtful says that a guard was unknown of the rows that have been tried in a state.
	isDoubtful bool
	// others are the choices on the way here that are not the first one.
	others int
}

// paths are paths at one point of the program.
type paths = []*workPath

// frame is something that a path is inside of, with what was before it.
type frame struct {
	outer *frame
	// of is a task, a body, a loop over a list, a machine or an import.
	of any
	// key is the same where the same can follow, if the same is inside.
	key string
	// run and value are those before it.
	run   *workRun
	value workflow.Value
	// try is the number of the try of a task.
	try int
	// items are those of a loop over a list, and outputs what it has given for the first of them.
	items, outputs []workflow.Value
	// machine is what is known of a machine, steps how many states have run, and state the one that
	// runs.
	machine *workflow.Machine[stateID]
	steps   int
	state   *ir.State
}

// copied returns a copy of the path with a copy of its run.
func (p *workPath) copied() *workPath {
	next, run := *p, *p.run
	next.run = &run

	return &next
}

// failing returns a copy of the path that failed.
func (p *workPath) failing(err error) *workPath {
	next := *p
	next.err = err

	return &next
}

// with returns a copy of the path behind something that happens.
func (p *workPath) with(items ...item) *workPath {
	next := *p
	next.trail = p.trail.with(items...)

	return &next
}

// depending returns a copy of the path on which something decides that is only known in a run.
func (p *workPath) depending() *workPath {
	next := *p
	next.open = onGiven

	return &next
}

// dependingIf is depending where isOpen is true, and else the path itself.
func (p *workPath) dependingIf(isOpen bool) *workPath {
	if isOpen {
		return p.depending()
	}

	return p
}

// inside returns a copy of the path inside of something. what distinguishes it, beside the thing
// itself.
func (p *workPath) inside(f frame, what ...string) *workPath {
	next := *p
	f.outer, f.run, f.value = p.around, p.run, p.value
	f.key = strings.Join(append(what, strconv.Itoa(p.run.search.number(f.of))), "\x02")
	if f.outer != nil {
		f.key = f.outer.key + "\x00" + f.key
	}
	next.around = &f

	return &next
}

// frameOf returns the innermost frame of something.
func (p *workPath) frameOf(of any) *frame {
	f := p.around
	for f.of != of {
		f = f.outer
	}

	return f
}

// behind returns a copy of the path behind something that it was inside of. The pipeline and the map
// around it are as before.
func (p *workPath) behind(of any) *workPath {
	next, f := p.copied(), p.frameOf(of)
	next.around = f.outer
	next.run.input, next.run.this = f.run.input, f.run.this

	return next
}

// number returns a number of something that paths can be inside of, or where they choose.
func (s *workSearch) number(of any) int {
	number, isKnown := s.numbers[of]
	if !isKnown {
		number = len(s.numbers)
		s.numbers[of] = number
	}

	return number
}

// pointKey is the same for paths in a node that go on alike.
type pointKey struct {
	n   *node
	key string
}

// keyAt is the key of a path that chooses somewhere.
func (p *workPath) keyAt(where any) pointKey {
	around := ""
	if p.around != nil {
		around = p.around.key
	}
	key := fmt.Sprint(p.run.search.number(where), "\x01", around, "\x01", p.turn, p.value.JSON(), "\x01", p.verdict.JSON(), "\x01", p.isDoubtful, p.run.key())

	return pointKey{p.n, key}
}

// merge leads paths that choose one of n ways somewhere to a point for all that go on alike. It returns
// one for each point that is new.
func (s *workSearch) merge(where any, n int, in paths) paths {
	var merged paths
	for _, p := range in {
		at, key := *p, p.keyAt(where)
		point, isKnown := s.points[key]
		if !isKnown {
			point = p.n.point()
			s.points[key] = point
			merged = append(merged, &at)
		}
		at.lead(p.n, point)
	}

	return s.narrow(n, merged)
}

// narrow returns fewer paths where there are too many: those that take the first choice most often,
// so that whole runs are among them. Each of them goes on in n ways.
func (s *workSearch) narrow(n int, in paths) paths {
	allowed := max(1, (s.most-s.ways)/(2*max(1, n)))
	if s.ways > mostOverrun*s.most {
		allowed = 0
	}
	if len(in) > allowed {
		s.n.cut = tooMany
		slices.SortStableFunc(in, func(a, b *workPath) int { return cmp.Compare(a.others, b.others) })
		in = in[:allowed]
	}
	s.ways += n * len(in)

	return in
}

// split returns a path once for each of n ways to go on.
func (p *workPath) split(n int) paths {
	ways := make(paths, n)
	for i := range ways {
		way := *p
		way.others += min(i, 1)
		ways[i] = &way
	}

	return ways
}

// judged is a path with what is decided on it.
type judged struct {
	*workPath
	truth workflow.Truth
}

// decide returns on which paths a condition about a result holds, or is unknown because something is
// missing. What is only known in a run is either true or false.
func (s *workSearch) decide(where any, in paths, f *ir.Formula, result func(*workPath) workflow.Value) []judged {
	var all []judged
	var open paths
	for _, p := range in {
		about := *p.run
		about.result = result(p)
		truth, isOpen := about.condition(f.Root)
		if isOpen {
			open = append(open, p)
		} else {
			all = append(all, judged{p, truth})
		}
	}
	for _, p := range s.merge(where, 2, open) {
		ways := p.split(2)
		all = append(all, judged{ways[0].depending(), workflow.Known(true)}, judged{ways[1].depending(), workflow.Known(false)})
	}

	return all
}

// judgedAs returns paths on which the same is decided.
func judgedAs(truth workflow.Truth, in paths) []judged {
	return ir.Map(in, func(p *workPath) judged { return judged{p, truth} })
}

// taking returns the path behind a case of a step, if the step has it.
func (p *workPath) taking(t *ir.Task, kind CaseKind, name string) *workPath {
	if c := p.run.search.cases[caseKey{t, kind, name}]; c != nil {
		return p.with(item{kind: kindCase, of: c})
	}

	return p
}
