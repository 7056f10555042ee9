package can

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// talk is a conversation with a model.
type talk struct {
	agent *ir.Agent
	label string
	step  *ir.Step
}

// moment is where a conversation is: the state of its gate, nil without one, and whether its model has read untrusted text.
type moment struct {
	state *flow.State
	bad   bool
}

// chat is the interpretation of one conversation.
type chat struct {
	*analysis
	talk  talk
	from  fact
	tools []tool
	gate  *ir.Gate
	// turns is how many replies of the model there are at most.
	turns int
	// ways are the calls by which moments are reached, in the order in which they are reached.
	ways  map[moment][]Call
	order []moment
}

// conversation returns what comes of a conversation.
func (x *analysis) conversation(of talk, from fact) *result {
	key := seed{label: of.label, from: from}
	if known := x.known[key]; known != nil {
		return known
	}
	c := &chat{analysis: x, talk: of, from: from, tools: toolsOf(of.step), turns: 1, ways: map[moment][]Call{}}
	begin := moment{bad: from == given}
	if react, isReact := of.step.Node.(*ir.React); isReact {
		c.turns, c.gate = react.MaxIter, react.Gate
	}
	if c.gate != nil {
		if m := x.facts.Machine(c.gate.Machine); m != nil {
			begin.state = m.Start
		}
	}
	c.ways[begin], c.order = nil, []moment{begin}
	r := newResult()
	for i := 0; i < len(c.order); i++ {
		c.look(r, c.order[i])
	}
	c.finish(r, begin)
	x.known[key] = r

	return r
}

// look makes each call that is possible at a moment.
func (c *chat) look(r *result, at moment) {
	before := c.ways[at]
	for _, t := range c.tools {
		next := c.behind(at.state, t.name)
		if len(next) == 0 {
			continue
		}
		made := Call{Tool: t.name, Bad: at.bad, Source: c.source(t), tool: t}
		way := append(slices.Clip(before), made)
		if at.bad || c.all {
			r.call(call{use{c.talk.label, t.name}, c.step(Step{Calls: way}), t})
		}
		if at.bad && !t.confirm {
			c.store(r, t, at, way)
		}
		if c.gate != nil && made.Source != "" && t.source != tools && !t.recalls { // it may fail, which leaves the gate where it is
			failed := made
			failed.Fails = true
			c.arrive(moment{at.state, at.bad || c.turns > 1}, append(slices.Clip(before), failed))
		}
		for _, state := range next {
			// A model reads a result only if it has another turn.
			c.arrive(moment{state, at.bad || made.Source != "" && c.turns > 1}, way)
		}
	}
}

// arrive keeps the calls by which a moment is first reached.
func (c *chat) arrive(at moment, way []Call) {
	if _, known := c.ways[at]; !known {
		c.ways[at] = way
		c.order = append(c.order, at)
	}
}

// store notes what a call by a model that has read untrusted text leaves behind.
func (c *chat) store(r *result, t tool, at moment, way []Call) {
	var left fact
	switch {
	case t.remembers:
		left = memory
	case t.changes:
		left = world
	default:
		return
	}
	for _, state := range c.behind(at.state, t.name) {
		if end, ends := c.end(state); ends {
			way = append(slices.Clip(way), end...)
			break
		}
	}
	r.exit("", left, c.step(Step{Calls: way}))
}

// source is the class of the untrusted text in the results of a tool; "" if there is none.
func (c *chat) source(t tool) string {
	switch {
	case c.from == memory && t.recalls:
		return string(memory.slot)
	case t.source != "" && (c.from == world || c.from == reached && c.untrusted[t.source]):
		return t.source
	}

	return ""
}

func (c *chat) step(s Step) *trace {
	s.Do, s.Agent, s.Given, s.talk = "run", c.talk.label, c.from == given, &c.talk

	return new(trace).then(s)
}

// behind returns the states of the gate that follow a call; without a gate its only one, and none if the call is not possible.
func (c *chat) behind(state *flow.State, action string) []*flow.State {
	if c.gate == nil || slices.ContainsFunc(c.gate.Ungated, func(t ir.Text) bool { return t.Value == action }) {
		return []*flow.State{state}
	}
	if state == nil {
		return nil
	}
	possible := ir.Where(state.Moves, func(move *flow.Move) bool {
		return move.Dead == flow.Alive && move.Row != nil && (move.Row.Key.Value == action || move.Row.IsCatchAll())
	})

	return ir.Map(possible, func(move *flow.Move) *flow.State { return move.To })
}

// finish notes what comes of the conversation when it ends.
func (c *chat) finish(r *result, begin moment) {
	tail, ends := c.end(begin.state)
	if ends && c.from != given && c.from != value {
		r.exit("", c.from, c.step(Step{Calls: tail}))
	}
	for _, at := range c.order {
		if !at.bad {
			continue
		}
		tail, ends := c.end(at.state)
		if !ends {
			continue
		}
		for i := range tail {
			tail[i].Bad = true
		}
		way := slices.Concat(c.ways[at], tail)
		if c.fails() {
			r.exit("", failure, c.step(Step{Calls: way, Gives: true, Fails: true}))
		}
		if !closed(c.talk.step.Output()) {
			r.exit("", value, c.step(Step{Calls: way, Gives: true}))
		}
	}
}

// fails reports whether the conversation can fail with an error that repeats what its model has written: a value that does not fit, or a
// key that is not possible.
func (c *chat) fails() bool {
	step := c.talk.step
	list := step.List()
	unfit := step.Output() != nil || list != nil && list.Kind == ir.ListItems
	react, isReact := step.Node.(*ir.React)
	if !isReact {
		return unfit
	}
	turns := react.Repair + 1
	if c.from != given {
		turns++ // in the first one it reads the text
	}

	refusesKeys := react.Keys != nil || len(c.facts.UsesOfStep(c.talk.agent, c.talk.step).Keys()) > 0

	return turns <= react.MaxIter && (unfit || refusesKeys)
}

// end returns the fewest calls behind which the gate lets the conversation finish.
func (c *chat) end(from *flow.State) (calls []Call, ends bool) {
	ways := map[*flow.State][]Call{from: nil}
	for order := []*flow.State{from}; len(order) > 0; order = order[1:] {
		at := order[0]
		if len(c.behind(at, ir.FinishAction)) > 0 {
			return slices.Clone(ways[at]), true
		}
		for _, t := range c.tools {
			for _, next := range c.behind(at, t.name) {
				if _, known := ways[next]; !known {
					ways[next] = append(slices.Clip(ways[at]), Call{Tool: t.name, tool: t})
					order = append(order, next)
				}
			}
		}
	}

	return nil, false
}
