package walk

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// flow is a body of operations.
type flow struct {
	agent string
	code  []instruction
	// rounds bounds a loop that goes on until it returns.
	rounds int
	// exhausted says that the key exhausted has a row where the flow stands.
	exhausted bool
	// slots number what a configuration has to know: results on which something depends, and counters.
	slots map[string]int
	// results are those on which something depends, by name.
	results map[string]*result
	// configs are the configurations to which some run comes, each behind the one from which it is reached with the
	// fewest turns.
	configs []config
}

// result is what is asked about the result of a run.
type result struct {
	runs *node
	// own says that its key can become the flow's, judged that its value is asked for the word done, and told that its
	// value can become the flow's.
	own, judged, told bool
	// keys are those that it is compared with.
	keys []string
}

// instruction is an operation that runs something, or what decides which one is next.
type instruction struct {
	kind instructionKind
	// doing, runs, times and name are for one that runs something: the nodes of its branches, how often the only one
	// is run, and the result. list is the list of a run for each item.
	runs  []*node
	times int
	name  string
	list  *ir.List
	// cond, name and most are for one that decides: to is where it goes on if the condition does not hold, the list is
	// empty or the loop is over.
	cond ir.Cond
	most int
	to   int
	// ret is the end.
	ret *ir.Return
}

type instructionKind uint8

const (
	runOne    instructionKind = iota // run something where the flow runs
	runGroup                         // run something in branches
	runList                          // run something in a branch for each item
	askPerson                        // wait for a person
	begin                            // set the counter name to 1
	again                            // go back to to, unless the counter has come to most; 0: without a limit
	unless                           // go to to unless cond holds
	empty                            // go to to if the list has no items
	end                              // the flow ends
)

// running reports whether an instruction takes turns.
func (i *instruction) running() bool { return i.kind <= askPerson }

// flow makes n a flow.
func (b *builder) flow(n *node, a *ir.Agent, f *ir.Flow) {
	x := &flow{
		agent: a.Name.Value, rounds: b.rounds, slots: map[string]int{}, results: map[string]*result{},
		exhausted: routes(n.place, ir.ExhaustedKey),
	}
	n.body = x
	x.ask(f.Body)
	c := &compiler{builder: b, flow: x, of: a, place: n.place}
	c.ops(f.Body)
	for i := range x.code {
		for _, runs := range x.code[i].runs {
			n.cut = n.cut || runs.cut
		}
	}
}

// routes reports whether a key is among those that are known at a place.
func routes(p ir.Place, key string) bool {
	for _, known := range p.Keys {
		if ir.FoldKey(known) == ir.FoldKey(key) {
			return true
		}
	}

	return false
}

// ask notes what the operations want to know about results.
func (x *flow) ask(body []ir.Op) {
	of := func(name string) *result {
		if x.results[name] == nil {
			x.results[name] = &result{}
			x.slots[name] = len(x.slots)
		}
		return x.results[name]
	}
	ir.Walk(body, func(op ir.Op) {
		switch op := op.(type) {
		case *ir.If:
			switch cond := op.Cond.(type) {
			case ir.KeyIs:
				of(cond.Var).keys = append(of(cond.Var).keys, cond.Key)
			case ir.SaysDone:
				of(cond.Var).judged = true
			}
		case *ir.Group:
			if op.List != nil {
				of(op.List.Of)
			}
		case *ir.Return:
			of(op.Var).told = true
			of(op.Var).own = of(op.Var).own || op.Key == ir.KeyOwn
		case *ir.Loop:
			if op.List != nil {
				of(op.List.Of)
			}
			if op.Counter != "" {
				x.slots[op.Counter] = len(x.slots)
			}
		}
	})
}

// same reports whether nothing that the flow does can depend on which of two outcomes the result has.
func (r *result) same(a, b *outcome) bool {
	if r.own && !a.is(b.key) || (r.judged || r.told) && a.done != b.done || a.list != b.list {
		return false
	}
	for _, key := range r.keys {
		if a.is(key) != b.is(key) {
			return false
		}
	}

	return true
}

// compiler makes instructions of operations.
type compiler struct {
	*builder
	flow  *flow
	of    *ir.Agent
	place ir.Place
	// loops counts the loops without a counter.
	loops int
}

func (c *compiler) add(i instruction) int {
	c.flow.code = append(c.flow.code, i)

	return len(c.flow.code) - 1
}

// here is where the next instruction will stand.
func (c *compiler) here() int { return len(c.flow.code) }

func (c *compiler) ops(body []ir.Op) {
	for _, op := range body {
		c.op(op)
	}
}

func (c *compiler) op(op ir.Op) {
	switch op := op.(type) {
	case *ir.Run:
		c.run(op)
	case *ir.Group:
		c.group(op)
	case *ir.Ask:
		c.add(instruction{kind: askPerson})
	case *ir.Loop:
		c.loop(op)
	case *ir.If:
		skip := c.add(instruction{kind: unless, cond: op.Cond})
		c.ops(op.Then)
		c.flow.code[skip].to = c.here()
	case *ir.Return:
		c.add(instruction{kind: end, ret: op})
	}
}

func (c *compiler) run(op *ir.Run) {
	n := c.node(op)
	if asked := c.flow.results[op.Var]; asked != nil {
		asked.runs = n
	}
	c.add(instruction{kind: runOne, runs: []*node{n}, times: 1, name: op.Var})
}

func (c *compiler) group(op *ir.Group) {
	group := instruction{kind: runGroup, times: max(op.N, 1)}
	if op.List != nil {
		group.kind, group.list = runList, op.List
	}
	for _, run := range op.Runs {
		group.runs = append(group.runs, c.node(run))
	}
	c.add(group)
}

func (c *compiler) node(op *ir.Run) *node {
	place := op.At.Within(c.place)
	if op.Step == nil {
		return c.agent(op.Agent.Agent, place)
	}

	return c.step(c.of, op.Step, c.flow.results[op.Var], place)
}

func (c *compiler) loop(op *ir.Loop) {
	if op.List != nil {
		skip := c.add(instruction{kind: empty, list: op.List})
		c.ops(op.Body)
		c.flow.code[skip].to = c.here()
		return
	}
	counter := op.Counter
	if counter == "" {
		c.loops++
		counter = fmt.Sprintf("loop %d", c.loops) // no name has a space
		c.flow.slots[counter] = len(c.flow.slots)
	}
	c.add(instruction{kind: begin, name: counter})
	body := c.here()
	c.ops(op.Body)
	c.add(instruction{kind: again, name: counter, most: op.Times, to: body})
}
