package simulate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// asked is what a flow asks about the result of a run: whether its value says done, and how its key
// compares with some.
type asked struct {
	judged bool
	keys   []string
}

// askedIn returns what the tasks of a flow ask about results, those that become the flow's and
// those that are lists included.
func askedIn(body *ir.Pipeline) map[*ir.Output]*asked {
	all := map[*ir.Output]*asked{}
	of := func(o *ir.Output) *asked {
		if all[o] == nil {
			all[o] = &asked{}
		}
		return all[o]
	}
	ir.WalkTasks(body, func(t *ir.Task) {
		switch op := t.Do.(type) {
		case *ir.Branch:
			if test, isKey := ir.KeyTestOf(op.Condition()); isKey {
				of(test.Of).keys = append(of(test.Of).keys, test.Key)
			}
			if says, isSays := op.Condition().(*ir.SaysDone); isSays {
				of(ir.OutputOf(says.X)).judged = true
			}
		case *ir.Loop:
			if list, isList := op.Over.(*ir.ListOf); isList {
				of(list.Of)
			}
		case *ir.Return:
			of(ir.OutputOf(t.Value()))
		}
	})

	return all
}

// flowRun is a run of a flow.
type flowRun struct {
	*builder
	x     *explorer
	agent *ir.Agent
	place ir.Place
	asked map[*ir.Output]*asked
	// results are those on which something depends, and counters how often loops have gone round.
	results  map[*ir.Output]outcome
	counters map[*ir.Output]int
}

// flow makes n a flow.
func (b *builder) flow(n *node, a *ir.Agent, f *ir.Flow) {
	x := newExplorer(n)
	x.explore(mostFlowPoints, func() (outcome, bool) {
		r := &flowRun{
			builder: b, x: x, agent: a, place: n.place, asked: askedIn(f.Body),
			results: map[*ir.Output]outcome{}, counters: map[*ir.Output]int{},
		}
		ret := r.tasks(f.Body)
		if ret == nil {
			return outcome{}, false
		}
		return r.finish(ret)
	})
}

// mostFlowPoints bounds the choices of a flow.
const mostFlowPoints = 50_000

// tasks does tasks and returns the end, if they reach it.
func (r *flowRun) tasks(p *ir.Pipeline) *ir.Task {
	for _, t := range p.Steps() {
		if end := r.task(t); end != nil {
			return end
		}
	}

	return nil
}

func (r *flowRun) task(t *ir.Task) *ir.Task {
	defer r.x.inside(t)()
	switch op := t.Do.(type) {
	case *ir.Run:
		r.run(op, t.Output)
	case *ir.Parallel:
		for i, arm := range op.Branches {
			r.beside(i, arm.Body, op)
		}
	case *ir.Ask:
		r.x.note(item{kind: kindAnswer, name: r.agent.Name.Value, turn: Turn{Say: saidYes}})
	case *ir.Loop:
		if op.Reduce != ir.ReduceResults {
			return r.loop(t, op)
		}
		r.takeItems(t, op)
		for n := range r.turns(op) {
			r.beside(n, op.Body, op)
		}
	case *ir.Branch:
		if r.holds(op.Condition()) {
			r.take(r.x, t, CaseBranch, ir.Holds)
			return r.tasks(op.Then())
		}
		r.take(r.x, t, CaseDefault, "")
	case *ir.Return:
		return t
	case *ir.PassOn:
	case *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine:
		panic(fmt.Sprintf("no pattern has a %T", op))
	}

	return nil
}

// turns is how many turns a loop has that is bounded.
func (r *flowRun) turns(op *ir.Loop) int {
	if list, isList := op.Over.(*ir.ListOf); isList {
		return r.items(list)
	}

	return op.Max
}

// loop repeats its body: for each item of a list, so often, or until it returns.
func (r *flowRun) loop(t *ir.Task, op *ir.Loop) *ir.Task {
	times, endless := r.turns(op), op.EndsByReturn()
	r.takeItems(t, op)
	for n := 1; endless || n <= times; n++ {
		if endless && n > r.rounds {
			r.x.n.cut = max(r.x.n.cut, tooLong)
			panic(stopped{})
		}
		r.counters[op.Turn] = n
		end := r.x.inside(op, strconv.Itoa(n))
		ret := r.tasks(op.Body)
		if end(); ret != nil {
			r.take(r.x, t, endOfTurn(n), "")
			return ret
		}
	}
	r.take(r.x, t, CaseBound, "")

	return nil
}

// takeItems notes how many items a loop over a list has.
func (r *flowRun) takeItems(t *ir.Task, op *ir.Loop) {
	if list, isList := op.Over.(*ir.ListOf); isList {
		r.take(r.x, t, caseOfItems(r.items(list)), "")
	}
}

// beside does the one run of a branch or a turn of a group: it makes no difference how it ends.
func (r *flowRun) beside(number int, p *ir.Pipeline, group ir.Op) {
	r.x.beside(number, func() {
		inner := r.node(p.Tasks[0].Do.(*ir.Run), nil)
		r.x.note(item{kind: kindRun, runs: inner, outcomes: inner.all(), group: group})
	})
}

// run runs a step or an agent, with one of its outcomes if something is asked about it.
func (r *flowRun) run(op *ir.Run, result *ir.Output) {
	n := r.node(op, result)
	it := item{kind: kindRun, runs: n, outcomes: n.all()}
	if r.asked[result] != nil {
		if len(n.outcomes) == 0 {
			r.x.note(it)
		}
		i := r.x.choose(len(n.outcomes), r.key)
		r.results[result] = n.outcomes[i]
		it.outcomes = []int{i}
	}
	r.x.note(it)
}

// key is the same where the results are.
func (r *flowRun) key() string {
	var b strings.Builder
	for _, result := range slices.SortedFunc(maps.Keys(r.results), byName) {
		o := r.results[result]
		fmt.Fprintf(&b, "%s %q %t %d,", result.Name.Value, ir.FoldKey(o.key), o.done, o.items)
	}

	return b.String()
}

func byName(a, b *ir.Output) int { return strings.Compare(a.Name.Value, b.Name.Value) }

// node is what runs for a result, which is nil where nothing can ask about it.
func (r *flowRun) node(op *ir.Run, result *ir.Output) *node {
	place := op.At.Within(r.place)
	var n *node
	if op.Step == nil {
		n = r.builder.agent(op.Agent.Agent, place)
	} else {
		about := cmp.Or(r.asked[result], &asked{})
		n = r.builder.node(op.Step, op.Step.Label(r.agent.Name.Value), place, func(n *node) { r.converse(n, r.agent, op.Step, about) })
	}
	r.x.n.cut = max(r.x.n.cut, n.cut)

	return n
}

// items returns how many items a list has. What is no list is none as an array, and one step or
// claim.
func (r *flowRun) items(list *ir.ListOf) int {
	o, known := r.results[list.Of]
	if known && o.items == 0 && list.Kind != ir.ListItems {
		return 1
	}

	return o.items
}

func (r *flowRun) holds(x ir.Expression) bool {
	if says, isSays := x.(*ir.SaysDone); isSays {
		return r.results[ir.OutputOf(says.X)].done
	}
	if test, isKey := ir.KeyTestOf(x); isKey {
		o, known := r.results[test.Of]
		return known && sameKey(o.key, test.Key) != test.Not
	}
	limit, isLimit := ir.TurnTestOf(x)

	return isLimit && r.counters[limit.Turn] == limit.N
}

// finish returns the outcome of an end; ok is false if the flow fails there.
func (r *flowRun) finish(t *ir.Task) (o outcome, ok bool) {
	ret := t.Do.(*ir.Return)
	o = outcome{key: ir.DoneKey, value: unknown}
	value, known := r.results[ir.OutputOf(t.Value())]
	_, isWhole := t.Value().(*ir.Access)
	o.done = known && isWhole && value.done
	switch ret.Key {
	case ir.KeyOwn:
		o.key = value.key
		return o, known
	case ir.KeyExhausted, ir.KeyUnfinished:
		if slices.ContainsFunc(r.place.Keys, func(key string) bool { return sameKey(key, ir.ExhaustedKey) }) {
			o.key = ir.ExhaustedKey
			return o, true
		}
	}

	return o, ret.Key != ir.KeyUnfinished
}
