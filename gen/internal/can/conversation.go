package can

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// conversation is a conversation with a model.
type conversation struct {
	agent *ir.Agent
	label string
	step  *ir.Step
}

// moment is a point of a conversation: the state of its gate, nil without one, and whether its
// model has read untrusted text.
type moment struct {
	state   *flow.State
	hasRead bool
}

// conversationRun is the interpretation of one conversation.
type conversationRun struct {
	*analysis
	conversation conversation
	from         fact
	tools        []tool
	gate         *ir.Gate
	// maxTurns is the maximal number of replies.
	maxTurns int
	// callsTo are the calls before each moment. order has the moments in the order in which they
	// are reached.
	callsTo map[moment][]Call
	order   []moment
}

// analyzeConversation returns the result of a conversation.
func (x *analysis) analyzeConversation(of conversation, from fact) *result {
	key := seed{label: of.label, from: from}
	if known := x.results[key]; known != nil {
		return known
	}
	c := &conversationRun{analysis: x, conversation: of, from: from, tools: conversationTools(of.step), maxTurns: 1, callsTo: map[moment][]Call{}}
	begin := moment{hasRead: from == givenFact}
	if react, isReact := of.step.Node.(*ir.React); isReact {
		c.maxTurns, c.gate = react.MaxIter, react.Gate
	}
	if c.gate != nil {
		if m := x.facts.Machine(c.gate.Machine); m != nil {
			begin.state = m.Start
		}
	}
	c.callsTo[begin], c.order = nil, []moment{begin}
	r := newResult()
	for i := 0; i < len(c.order); i++ {
		c.makeCalls(r, c.order[i])
	}
	c.recordEnds(r, begin)
	x.results[key] = r

	return r
}

// makeCalls makes each call that is possible at a moment.
func (c *conversationRun) makeCalls(r *result, at moment) {
	before := c.callsTo[at]
	for _, t := range c.tools {
		next := c.statesAfter(at.state, t.name)
		if len(next) == 0 {
			continue
		}
		made := Call{Tool: t.name, Bad: at.hasRead, Source: c.untrustedSource(t), tool: t}
		way := append(slices.Clip(before), made)
		if at.hasRead || c.countsAllCalls {
			r.addCall(reachedCall{toolUse{c.conversation.label, t.name}, c.traceTo(Step{Calls: way}), t})
		}
		if at.hasRead && !t.confirm {
			c.recordStored(r, t, at, way)
		}
		if c.gate != nil && made.Source != "" && t.source != tools && !t.readsMemory { // a failed call leaves the gate in its state
			failed := made
			failed.Fails = true
			c.reachMoment(moment{at.state, at.hasRead || c.maxTurns > 1}, append(slices.Clip(before), failed))
		}
		for _, state := range next {
			// A model reads a result only if it has another turn.
			c.reachMoment(moment{state, at.hasRead || made.Source != "" && c.maxTurns > 1}, way)
		}
	}
}

// reachMoment records the calls by which a moment is first reached.
func (c *conversationRun) reachMoment(at moment, way []Call) {
	if _, known := c.callsTo[at]; !known {
		c.callsTo[at] = way
		c.order = append(c.order, at)
	}
}

// recordStored records what a call stores, by a model that has read untrusted text.
func (c *conversationRun) recordStored(r *result, t tool, at moment, way []Call) {
	var left fact
	switch {
	case t.writesMemory:
		left = memoryFact
	case t.changesWorld:
		left = worldFact
	default:
		return
	}
	for _, state := range c.statesAfter(at.state, t.name) {
		if end, ends := c.callsToFinish(state); ends {
			way = append(slices.Clip(way), end...)
			break
		}
	}
	r.addExit("", left, c.traceTo(Step{Calls: way}))
}

// untrustedSource returns the class of the untrusted text in the results of a tool; "" if there is
// none.
func (c *conversationRun) untrustedSource(t tool) string {
	switch {
	case c.from == memoryFact && t.readsMemory:
		return string(memoryFact.slot)
	case t.source != "" && (c.from == worldFact || c.from == reachedFact && c.untrusted[t.source]):
		return t.source
	}

	return ""
}

func (c *conversationRun) traceTo(s Step) *trace {
	s.Do, s.Agent, s.Given, s.conversation = "run", c.conversation.label, c.from == givenFact, &c.conversation

	return new(trace).withStep(s)
}

// statesAfter returns the states of the gate after a call. Without a gate it is its only state.
// There are none if the call is not possible.
func (c *conversationRun) statesAfter(state *flow.State, action string) []*flow.State {
	if c.gate == nil || c.gate.Permits(action) {
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

// recordEnds records the results of the conversation.
func (c *conversationRun) recordEnds(r *result, begin moment) {
	tail, ends := c.callsToFinish(begin.state)
	if ends && c.from != givenFact && c.from != valueFact {
		r.addExit("", c.from, c.traceTo(Step{Calls: tail}))
	}
	for _, at := range c.order {
		if !at.hasRead {
			continue
		}
		tail, ends := c.callsToFinish(at.state)
		if !ends {
			continue
		}
		for i := range tail {
			tail[i].Bad = true
		}
		way := slices.Concat(c.callsTo[at], tail)
		if c.canRepeatText() {
			r.addExit("", failureFact, c.traceTo(Step{Calls: way, Gives: true, Fails: true}))
		}
		if !isClosed(c.conversation.step.Output()) {
			r.addExit("", valueFact, c.traceTo(Step{Calls: way, Gives: true}))
		}
	}
}

// canRepeatText reports whether the conversation can fail with an error that repeats a text of its
// model: a value that does not fit, or a key that is not legal.
func (c *conversationRun) canRepeatText() bool {
	step := c.conversation.step
	list := step.List()
	unfit := step.Output() != nil || list != nil && list.Kind == ir.ListItems
	react, isReact := step.Node.(*ir.React)
	if !isReact {
		return unfit
	}
	turns := react.Repair + 1
	if c.from != givenFact {
		turns++ // it reads the text in the first one
	}

	refusesKeys := react.Keys != nil || len(c.facts.UsesOfStep(c.conversation.agent, c.conversation.step).LegalKeys()) > 0

	return turns <= react.MaxIter && (unfit || refusesKeys)
}

// callsToFinish returns the fewest calls after which the gate permits a finish.
func (c *conversationRun) callsToFinish(from *flow.State) (calls []Call, ends bool) {
	ways := map[*flow.State][]Call{from: nil}
	for order := []*flow.State{from}; len(order) > 0; order = order[1:] {
		at := order[0]
		if len(c.statesAfter(at, ir.FinishAction)) > 0 {
			return slices.Clone(ways[at]), true
		}
		for _, t := range c.tools {
			for _, next := range c.statesAfter(at, t.name) {
				if _, known := ways[next]; !known {
					ways[next] = append(slices.Clip(ways[at]), Call{Tool: t.name, tool: t})
					order = append(order, next)
				}
			}
		}
	}

	return nil, false
}
