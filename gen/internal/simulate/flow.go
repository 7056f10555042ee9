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

// asked is what a flow asks about the result of a run: whether its value says done, and how its key compares with some.
type asked struct {
	judged bool
	keys   []string
}

// askedIn returns what the operations of a flow ask about results, those that become the flow's and those that are lists included.
func askedIn(body []ir.Op) map[string]*asked {
	all := map[string]*asked{}
	of := func(name string) *asked {
		if all[name] == nil {
			all[name] = &asked{}
		}
		return all[name]
	}
	listed := func(list *ir.List) {
		if list != nil {
			of(list.Of)
		}
	}
	ir.Walk(body, func(op ir.Op) {
		switch op := op.(type) {
		case *ir.Branch:
			switch cond := op.Cond.(type) {
			case ir.KeyIs:
				of(cond.Var).keys = append(of(cond.Var).keys, cond.Key)
			case ir.SaysDone:
				of(cond.Var).judged = true
			}
		case *ir.Parallel:
			listed(op.List)
		case *ir.Loop:
			listed(op.List)
		case *ir.Return:
			of(op.Var)
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
	asked map[string]*asked
	// results are those on which something depends, and counters how often loops have gone round.
	results  map[string]outcome
	counters map[string]int
}

// flow makes n a flow.
func (b *builder) flow(n *node, a *ir.Agent, f *ir.Flow) {
	x := newExplorer(n)
	x.explore(mostFlowPoints, func() (outcome, bool) {
		r := &flowRun{
			builder: b, x: x, agent: a, place: n.place, asked: askedIn(f.Body),
			results: map[string]outcome{}, counters: map[string]int{},
		}
		ret := r.ops(f.Body)
		if ret == nil {
			return outcome{}, false
		}
		return r.finish(ret)
	})
}

// mostFlowPoints bounds the choices of a flow.
const mostFlowPoints = 50_000

// ops does operations and returns the end, if they reach it.
func (r *flowRun) ops(body []ir.Op) *ir.Return {
	for _, op := range body {
		if end := r.op(op); end != nil {
			return end
		}
	}

	return nil
}

func (r *flowRun) op(op ir.Op) *ir.Return {
	defer r.x.inside(op)()
	switch op := op.(type) {
	case *ir.Run:
		r.run(op)
	case *ir.Parallel:
		r.group(op)
	case *ir.Ask:
		r.x.note(item{kind: kindAnswer, name: r.agent.Name.Value, turn: Turn{Say: saidYes}})
	case *ir.Loop:
		return r.loop(op)
	case *ir.Branch:
		if r.holds(op.Cond) {
			return r.ops(op.Then())
		}
	case *ir.Return:
		return op
	}

	return nil
}

// loop repeats its body: for each item of a list, so often, or until it returns.
func (r *flowRun) loop(op *ir.Loop) *ir.Return {
	times, endless := op.Times, op.Times == 0 && op.List == nil
	if op.List != nil {
		times = r.items(op.List)
	}
	for n := 1; endless || n <= times; n++ {
		if endless && n > r.rounds {
			r.x.n.cut = max(r.x.n.cut, tooLong)
			panic(stopped{})
		}
		r.counters[op.Counter] = n
		end := r.x.inside(op, strconv.Itoa(n))
		ret := r.ops(op.Body.Body)
		if end(); ret != nil {
			return ret
		}
	}

	return nil
}

// group runs something in branches beside each other: it makes no difference how they end.
func (r *flowRun) group(op *ir.Parallel) {
	times := max(op.N, 1)
	if op.List != nil {
		times = r.items(op.List)
	}
	for n := range times {
		for i, run := range op.Runs() { // one of them alone is done several times
			r.x.beside(n+i, func() {
				inner := r.node(run)
				r.x.note(item{kind: kindRun, runs: inner, outcomes: inner.all(), group: op})
			})
		}
	}
}

// run runs a step or an agent, with one of its outcomes if something is asked about it.
func (r *flowRun) run(op *ir.Run) {
	n := r.node(op)
	it := item{kind: kindRun, runs: n, outcomes: n.all()}
	if r.asked[op.Var] != nil {
		if len(n.outcomes) == 0 {
			r.x.note(it)
		}
		i := r.x.choose(len(n.outcomes), r.key)
		r.results[op.Var] = n.outcomes[i]
		it.outcomes = []int{i}
	}
	r.x.note(it)
}

// key is the same where the results are.
func (r *flowRun) key() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.results)) {
		o := r.results[name]
		fmt.Fprintf(&b, "%s %q %t %t,", name, ir.FoldKey(o.key), o.done, o.list)
	}

	return b.String()
}

func (r *flowRun) node(op *ir.Run) *node {
	place := op.At.Within(r.place)
	var n *node
	if op.Step == nil {
		n = r.builder.agent(op.Agent.Agent, place)
	} else {
		about := cmp.Or(r.asked[op.Var], &asked{})
		n = r.builder.node(op.Step, op.Step.Label(r.agent.Name.Value), place, func(n *node) { r.converse(n, r.agent, op.Step, about) })
	}
	r.x.n.cut = max(r.x.n.cut, n.cut)

	return n
}

// items returns how many items a list has. What is no list is none as an array, and one step or claim.
func (r *flowRun) items(list *ir.List) int {
	if o, known := r.results[list.Of]; known && (o.list || list.Kind != ir.ListItems) {
		return 1
	}

	return 0
}

func (r *flowRun) holds(cond ir.Cond) bool {
	switch cond := cond.(type) {
	case ir.KeyIs:
		o, known := r.results[cond.Var]
		return known && sameKey(o.key, cond.Key) != cond.Not
	case ir.SaysDone:
		return r.results[cond.Var].done
	case ir.AtLimit:
		return r.counters[cond.Counter] == cond.N
	}

	return false
}

// finish returns the outcome of an end; ok is false if the flow fails there.
func (r *flowRun) finish(ret *ir.Return) (o outcome, ok bool) {
	o = outcome{key: ir.DoneKey, value: unknown}
	value, known := r.results[ret.Var]
	o.done = known && ret.Form == ir.FormValue && value.done
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
