package simulate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Why says why no run takes a row, or why none that does ends.
type Why struct {
	Reason Reason
	// Text is a sentence about it: lower case, no full stop.
	Text string
}

// Reason is a kind of reason.
type Reason string

// The reasons.
const (
	// NeverRun: no run reaches the machine.
	NeverRun Reason = "never-run"
	// Unreached: no run reaches the state.
	Unreached Reason = "unreached"
	// NoKey: what runs in the state never finishes with a key that takes the row.
	NoKey Reason = "no-key"
	// NoEnd: runs take the row, but none of them ends.
	NoEnd Reason = "no-end"
	// Bound: the runs that take it are longer than the bound, or not all were looked at.
	Bound Reason = "bound"
	// Guards: what guards say decides, and no script can say it; or they never let a run take it.
	Guards Reason = "guards"
)

// whyEndless says why no run that begins with an agent ends, which is a node.
func (b *builder) whyEndless(a *ir.Agent, n *node) Why {
	switch {
	case b.gaveUp:
		return notAll
	case n.cheapest().isPossible(), n.cut == tooLong:
		return Why{Bound, "the runs that do are longer than the bound"}
	case n.cut == tooMany:
		return Why{Bound, "not all runs were looked at"}
	}

	return Why{NoEnd, cmp.Or(b.whyBlocked(a), n.problem)}
}

// whyBlocked says which step of a workflow is known not to end well, and the failure of which other
// one would end it; "" where that is not known.
func (b *builder) whyBlocked(a *ir.Agent) string {
	w, isWorkflow := ir.WorkflowOf(a.Node)
	if !isWorkflow {
		return ""
	}
	blocked := b.facts.Blocked(w)
	if len(blocked) == 0 {
		return ""
	}
	t := blocked[0]
	cause := b.facts.FailureThatEnds(w, t)
	if cause == nil {
		return fmt.Sprintf("step %q never ends well", t.Name.Value)
	}

	return fmt.Sprintf("step %q ends well only if step %q fails, and no answer that was tried brings that", t.Name.Value, cause.Name.Value)
}

// notAll is why no run takes a row of a program of which not all was looked at.
var notAll = Why{Bound, "not everything was looked at: the agents of the program run at too many places"}

// why says why no run takes a row, or none that ends; open says that one may all the same.
func (b *builder) why(row *Row) (why Why, open bool) {
	switch {
	case b.gaveUp:
		return notAll, false
	case !row.Taken && row.found.begun.isWithin():
		return Why{Guards, b.dependsOn(row)}, true
	case !row.Ends && row.found.total.isWithin():
		return Why{Guards, "whether one ends then depends on " + row.unknowns()}, true
	case row.Machine.Step != nil:
		return b.whyStep(row)
	}

	return b.whyAgent(row), false
}

// dependsOn says what decides whether a row is taken.
func (b *builder) dependsOn(row *Row) string {
	state := row.State.Name.Value
	switch f := row.found; {
	case f.total.isWithin() && f.at.edge.open != "":
		return "it depends on " + f.at.edge.open
	case row.State.Reached:
		return fmt.Sprintf("whether what runs in state %q ends depends on %s", state, row.unknowns())
	}

	return fmt.Sprintf("whether one reaches state %q depends on %s", state, row.unknowns())
}

// unknowns are what decides in runs of a machine and is not known before.
func (r *Row) unknowns() string {
	return onWhat(r.Machine.Step == nil)
}

// onGuards is what runs depend on that take rows of agents.
const onGuards = "guards or gates"

// whyAgent is why for a machine of agents, or a gate.
func (b *builder) whyAgent(row *Row) Why {
	name := row.Machine.Agent.Name.Value
	entered, runs := false, (*ran)(nil)
	for _, n := range row.Machine.nodes {
		if n.entered.isPossible() {
			entered = true
			if at := n.ran[row.State.State]; runs == nil && at != nil && n.ahead[byCost][at.point].isPossible() {
				runs = at
			}
		}
	}
	f, bound := row.found, limit(row.Machine.machine, b.maxSteps)
	isBound := f.total.isPossible() || f.begun.isPossible() && !row.Taken
	_, isGate := row.Machine.Agent.Node.(*ir.React)
	switch {
	case isGate:
		return Why{Guards, "no calls that a script can make are known to take it and lead to finish"}
	case isBound && f.steps > bound:
		return Why{Bound, fmt.Sprintf("machine %q has to run %d agents in a run that takes it, and the bound is %d", name, f.steps, bound)}
	case isBound && slices.ContainsFunc(b.order, (*node).isBudgeted):
		return Why{Bound, "the runs that take it call models more often than a budget allows, or are longer than a bound"}
	case isBound:
		return Why{Bound, fmt.Sprintf("the runs that take it need more agents around machine %q than the bound allows", name)}
	case row.Taken:
		return Why{NoEnd, "no run that takes it ends"}
	case !entered:
		return Why{NeverRun, fmt.Sprintf("no run reaches machine %q", name)}
	case runs == nil:
		return Why{Unreached, fmt.Sprintf("no run reaches state %q", row.State.Name.Value)}
	}

	return b.noKey(row, runs)
}

// noKey says what an agent finishes with instead.
func (b *builder) noKey(row *Row, runs *ran) Why {
	agent := fmt.Sprintf("agent %q", runs.label)
	_, dead := b.dead(row)
	switch {
	case runs.cut == tooMany:
		return Why{Bound, fmt.Sprintf("not all runs of %s were looked at", agent)}
	case runs.cut == tooLong:
		return Why{Bound, fmt.Sprintf("%s does not finish with it within %d rounds, which is the bound", agent, b.rounds)}
	case len(runs.outcomes) == 0:
		return Why{NoKey, fmt.Sprintf("%s never finishes: %s", agent, runs.problem)}
	case dead == flow.NoGuard || dead == flow.NoWay || dead == flow.Shadowed:
		return Why{Guards, "the guards of its key never let it be taken"}
	case row.Row.IsCatchAll():
		return Why{NoKey, fmt.Sprintf("%s finishes here only with keys that have a row: %s", agent, keyList(runs.keys))}
	}

	return Why{NoKey, fmt.Sprintf("%s never finishes with it here, only with %s", agent, keyList(runs.keys))}
}

// dead says why a row is taken in none of the states that have it, by what is known without runs,
// and whether a run reaches one.
func (b *builder) dead(row *Row) (reached bool, dead flow.Dead) {
	led := false
	dead = flow.NoKey
	for _, s := range b.facts.Machine(row.Machine.machine).States {
		for _, move := range s.Moves {
			if move.Row == row.Row && move.Row != nil {
				reached = reached || row.Machine.states[s.State].Reached
				if !led || move.Dead < dead {
					led, dead = true, move.Dead
				}
			}
		}
	}

	return reached, dead
}

// whyStep is why for a machine of a workflow.
func (b *builder) whyStep(row *Row) (why Why, open bool) {
	cut := slices.ContainsFunc(b.order, func(n *node) bool { return n.cut != 0 })
	reached, dead := b.dead(row)
	switch {
	case cut && (row.Taken || dead == flow.Alive):
		return Why{Bound, "not all runs were looked at"}, true
	case row.Taken:
		return Why{NoEnd, "no run that takes it ends"}, false
	case dead != flow.Alive:
		return Why{NoKey, never(row, dead)}, false
	case !reached && b.isReachable(row):
		return Why{Guards, fmt.Sprintf("whether one reaches state %q depends on answers that were not tried", row.State.Name.Value)}, true
	case !reached && row.Row.IsFromAny():
		return Why{Unreached, fmt.Sprintf("no run reaches machine %q", row.Machine.Name())}, false
	case !reached:
		return Why{Unreached, fmt.Sprintf("no run reaches state %q", row.Row.From.Value)}, false
	case row.Row.When != nil:
		return Why{NoKey, "its guard holds with none of the values that were tried"}, true
	}

	return Why{NoKey, fmt.Sprintf("no answer that was tried brings a %s", row.Key().Value)}, true
}

// isReachable reports whether rows that are not known to be dead lead to a state that has the row.
func (b *builder) isReachable(row *Row) bool {
	return slices.ContainsFunc(b.facts.Machine(row.Machine.machine).States, func(s *flow.State) bool {
		return s.Reached && slices.ContainsFunc(s.Moves, func(m *flow.Move) bool { return m.Row == row.Row })
	})
}

// never says why a row of a workflow is taken in no state.
func never(row *Row, dead flow.Dead) string {
	switch {
	case row.State.End:
		return "the machine ends there"
	case dead == flow.Shadowed:
		return "a row before it is always taken"
	case (dead == flow.NoGuard || dead == flow.NoWay) && row.Row.When != nil:
		return "its guard never holds there"
	}

	return "no step there brings a " + row.Key().Value
}

// whyCase says why no run takes a case of a step, or none that ends; open says that one may all the
// same.
func (b *builder) whyCase(c *Case) (why Why, open bool) {
	_, isPattern := ir.PatternOf(c.Step.Agent.Node)
	nodes := b.flowNodes[c.Step.Agent.Node.(*ir.Flow)]
	isCut := slices.ContainsFunc(nodes, func(n *node) bool { return n.cut != 0 })
	switch f := c.found; {
	case b.gaveUp:
		return notAll, false
	case !c.Taken && f.begun.isWithin():
		return Why{Guards, "it depends on " + onWhat(isPattern)}, true
	case f.total.isWithin():
		return Why{Guards, "whether one ends then depends on " + onWhat(isPattern)}, true
	case f.total.isPossible(), f.begun.isPossible() && !c.Taken:
		return Why{Bound, "the runs that take it are longer than the bound"}, false
	case !c.Taken && b.isDeadBranch(c):
		return neverThat, false
	case isCut:
		return Why{Bound, "not all runs were looked at"}, true
	case c.Taken:
		return Why{NoEnd, "the run fails"}, false
	case !c.Step.canBeReached():
		return Why{Unreached, "no run reaches the step"}, !isPattern
	case isPattern:
		return Why{NoKey, "no run does that"}, false
	}

	return Why{NoKey, "no answer that was tried brings it"}, true
}

// neverThat is why no run takes a branch that no key has.
var neverThat = Why{NoKey, "the key of the step is never that"}

// onWhat says on what depends what is not known before a run: of agents, or of a workflow.
func onWhat(isAgents bool) string {
	if isAgents {
		return onGuards
	}

	return onGiven
}

// canBeReached reports whether a run takes the step, or may take it: that nothing in it fails says
// nothing about that.
func (s *Step) canBeReached() bool {
	isBegun := func(c *Case) bool { return c.found.begun.isPossible() }
	isOther := func(c *Case) bool { return !c.IsFailure() }

	return slices.ContainsFunc(s.Cases, isBegun) || !slices.ContainsFunc(s.Cases, isOther)
}

// isDeadBranch reports whether a case is a branch that is known to be taken never.
func (b *builder) isDeadBranch(c *Case) bool {
	w, isWorkflow := ir.WorkflowOf(c.Step.Agent.Node)
	if !isWorkflow || c.Kind != CaseBranch {
		return false
	}

	return slices.ContainsFunc(b.facts.Choices(w), func(choice *flow.Choice) bool {
		is := func(arm *ir.Arm) bool { return arm.Name.Value == c.Name }
		return choice.Task == c.Step.Task && slices.ContainsFunc(choice.Dead(), is)
	})
}
