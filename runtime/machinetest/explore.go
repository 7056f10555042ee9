package machinetest

import (
	"container/heap"
	"errors"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
)

// maxAnswers bounds what the agents of all runs of a machine answer.
const maxAnswers = 30_000

// explorer runs a machine, each time with other answers, until nothing new can happen. Where a run stands when an agent has a
// choice is a position: the states of the machine and of those within it, and what was answered since they were entered.
// Routing depends on nothing else but the number of steps, so each position is gone on from once, from where it took the fewest.
type explorer struct {
	*reporter
	plan  *plan
	start func(fx runtime.Effects, input string) (runtime.Finish, error)
	// spent counts what agents have answered. stuck is why runs could not go on.
	spent int
	stuck map[string]bool
	// guarded says that the machine has guards, asked are the named ones of all machines that runs have asked.
	guarded bool
	asked   map[string]bool
	// taken are the rows that were taken, by state and key.
	taken map[string]map[string]bool
}

func (x *explorer) all() {
	x.t.Helper()
	x.taken, x.stuck, x.asked = map[string]map[string]bool{}, map[string]bool{}, map[string]bool{}
	x.explore()
	x.report()
}

// explore is Dijkstra's algorithm over positions.
func (x *explorer) explore() {
	x.t.Helper()
	var open frontier
	done := map[string]bool{}
	number := 0
	visit := func(choices []int) {
		number++
		if p := x.try(choices); p != nil {
			p.number = number
			heap.Push(&open, p)
		}
	}

	visit(nil)
	for len(open) > 0 {
		p := heap.Pop(&open).(*position)
		if done[p.name] {
			continue
		}
		done[p.name] = true
		for i := range p.options {
			if x.spent >= maxAnswers {
				x.stuck["there are too many ways to go on"] = true

				return
			}
			visit(append(p.choices[:len(p.choices):len(p.choices)], i))
		}
	}
}

// try makes one run with these choices, and returns where the next one has to be made; nil if the run ends before.
func (x *explorer) try(choices []int) *position {
	x.t.Helper()
	r := &run{explorer: x, choices: choices, expected: x.plan.initial}
	fin, err := x.start(r, input)
	x.spent += r.answers
	switch {
	case r.stopped != nil && !errors.Is(err, r.stopped):
		r.problem("a run ends%s with the error %v, but its agent failed with %v", r.after(), err, r.stopped)
	case r.stopped == errChoice:
		return &position{name: r.position(), choices: choices, options: r.options, steps: r.steps()}
	case r.stopped != nil:
	case err != nil:
		r.failed(err)
	default:
		r.ended(fin)
	}

	return nil
}

// report says which rows no run has taken.
func (x *explorer) report() {
	x.t.Helper()
	for _, reason := range sortedKeys(x.stuck) {
		x.log("not all rows could be run: %s", reason)
	}
	rows, ran := 0, 0
	for _, s := range x.plan.sorted() {
		for _, row := range s.rows {
			rows++
			switch key := row.key(); {
			case x.taken[s.name][key]:
				ran++
			case len(x.stuck) > 0, x.guarded:
				x.log("%s was not run", rowName(s.name, key))
			case x.plan.partly:
				x.log("no run takes %s", rowName(s.name, key))
			default:
				x.problem("no run takes %s", rowName(s.name, key))
			}
		}
	}
	x.log("%d of %d rows were run, in %d answers", ran, rows, x.spent)
}

func rowName(state, key string) string {
	if key == Always {
		return "the row of " + short(state)
	}

	return "the row " + short(key) + " of " + short(state)
}

// position is where a run stands when an agent has a choice.
type position struct {
	name    string
	choices []int
	options int
	// steps are the agents that ran in the machine, in the one within it that is running, and so on. number is the run's.
	steps  []int
	number int
}

// frontier holds the positions that are not gone on from yet, those with the fewest steps first.
type frontier []*position

func (f frontier) Len() int      { return len(f) }
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f frontier) Less(i, j int) bool {
	if order := slices.Compare(f[i].steps, f[j].steps); order != 0 {
		return order < 0
	}

	return f[i].number < f[j].number
}

// Push adds a position.
func (f *frontier) Push(p any) { *f = append(*f, p.(*position)) }

// Pop takes the last position out.
func (f *frontier) Pop() any {
	last := len(*f) - 1
	p := (*f)[last]
	*f = (*f)[:last]

	return p
}

// failed judges how a run failed. That a limit is reached, and that guards say no, belongs to the machines.
func (r *run) failed(err error) {
	r.t.Helper()
	var steps *runtime.StepLimitError
	var cycles *runtime.CycleLimitError
	var rejected *runtime.GuardRejectedError
	switch {
	case errors.As(err, &rejected):
		r.rejected(rejected)
	case !errors.As(err, &steps) && !errors.As(err, &cycles):
		r.problem("a run fails%s: %v", r.after(), err)
	}
}

// take remembers a row that a run has taken.
func (x *explorer) take(state, key string) {
	if x.taken[state] == nil {
		x.taken[state] = map[string]bool{}
	}
	x.taken[state][key] = true
}
