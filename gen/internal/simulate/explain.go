package simulate

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Why is the reason why no run takes a row, or why none that does ends.
type Why struct {
	Reason Reason
	// Text is a clause about it: lower case, without full stop.
	Text string
}

// Reason is a kind of reason.
type Reason string

// The reasons.
const (
	// NeverRun is a machine that no run reaches.
	NeverRun Reason = "never-run"
	// Unreached is a state that no run reaches.
	Unreached Reason = "unreached"
	// NoKey is a state whose agent never finishes with a key that takes the row.
	NoKey Reason = "no-key"
	// NoEnd is a row that runs take, but none of them ends.
	NoEnd Reason = "no-end"
	// Failure is an end behind the failure of a step that no script makes fail.
	Failure Reason = "failure"
	// Bound is a row whose runs are longer than the bound, or were not all searched.
	Bound Reason = "bound"
	// Guards is a row whose guards decide, and no script can answer for them, or whose guards never
	// hold.
	Guards Reason = "guards"
)

// explainEndless returns why no run that begins with an agent ends. n is the node of the agent.
func (b *builder) explainEndless(a *ir.Agent, n *node) Why {
	switch {
	case b.hasTooManyNodes:
		return tooManyPlaces
	case n.lowestCost().isPossible(), n.cut == tooLong:
		return Why{Bound, "the runs that do are longer than the bound"}
	case n.cut == tooMany:
		return Why{Bound, "not all runs were looked at"}
	}

	return b.explainBlocked(a, n)
}

// explainBlocked returns which step of a workflow is known not to succeed, and which failing step
// would end it. If it is not known, the problem of the agent's node is the reason.
func (b *builder) explainBlocked(a *ir.Agent, n *node) Why {
	w, isWorkflow := ir.WorkflowOf(a.Node)
	if !isWorkflow {
		return Why{NoEnd, n.problem}
	}
	reason := NoEnd
	if b.facts.EndingOf(a) == flow.EndsByFailure {
		reason = Failure
	}
	blocked := b.facts.BlockedTasks(w)
	if len(blocked) == 0 {
		return Why{reason, n.problem}
	}
	t := blocked[0]
	cause := b.facts.FailureThatEnds(w, t)
	if cause == nil {
		return Why{reason, fmt.Sprintf("step %q never ends well", t.Name.Value)}
	}

	return Why{reason, fmt.Sprintf("step %q ends well only if step %q fails, and no answer that was tried brings that", t.Name.Value, cause.Name.Value)}
}

// endDependsOn is the start of a reason why a run that takes a target may end.
const endDependsOn = "whether one ends then depends on "

// describeUntried returns on which values that were not tried the ends of a workflow may depend; ""
// if they depend on none.
func (b *builder) describeUntried(a *ir.Agent) string {
	f, isFlow := a.Node.(*ir.Flow)
	if !isFlow {
		return ""
	}
	nodes := b.flowNodes[f]
	if i := slices.IndexFunc(nodes, func(n *node) bool { return n.unfit != nil }); i >= 0 {
		return "values that were not tried: " + nodes[i].unfit.String()
	}

	return ""
}

// tooManyPlaces is the reason in a program that was not searched completely.
var tooManyPlaces = Why{Bound, "not everything was looked at: the agents of the program run at too many places"}

// explainRow returns why no run takes a row, or none that ends; open is true if one still may.
func (b *builder) explainRow(row *Row) (why Why, open bool) {
	switch {
	case b.hasTooManyNodes:
		return tooManyPlaces, false
	case !row.Taken && row.bestRuns.reachCost.isWithinBounds():
		return Why{Guards, b.openReason(row)}, true
	case !row.Ends && row.bestRuns.runCost.isWithinBounds():
		return Why{Guards, endDependsOn + row.openInputs()}, true
	case row.Machine.Step != nil:
		return b.explainStepRow(row)
	}

	return b.explainAgentRow(row), false
}

// openReason returns what decides whether a row is taken.
func (b *builder) openReason(row *Row) string {
	state := row.State.Name.Value
	switch f := row.bestRuns; {
	case f.runCost.isWithinBounds() && f.at.edge.open != "":
		return "it depends on " + f.at.edge.open
	case row.State.Reached:
		return fmt.Sprintf("whether what runs in state %q ends depends on %s", state, row.openInputs())
	}

	return fmt.Sprintf("whether one reaches state %q depends on %s", state, row.openInputs())
}

// openInputs describes the unknown inputs of runs of a machine.
func (r *Row) openInputs() string {
	return openInputs(r.Machine.Step == nil)
}

// onGuards describes the unknown inputs of runs that take rows of agents.
const onGuards = "guards or gates"

// explainAgentRow is explainRow for a machine of agents, or a gate.
func (b *builder) explainAgentRow(row *Row) Why {
	name := row.Machine.Agent.Name.Value
	entered, runs := false, (*stateRun)(nil)
	for _, n := range row.Machine.nodes {
		if n.entryCost.isPossible() {
			entered = true
			if at := n.stateRuns[row.State.State]; runs == nil && at != nil && n.fromStart[byCost][at.point].isPossible() {
				runs = at
			}
		}
	}
	f, bound := row.bestRuns, stepLimit(row.Machine.machine, b.maxSteps)
	isBound := f.runCost.isPossible() || f.reachCost.isPossible() && !row.Taken
	_, isGate := row.Machine.Agent.Node.(*ir.React)
	switch {
	case isGate:
		return Why{Guards, "no calls that a script can make are known to take it and lead to finish"}
	case isBound && f.steps > bound:
		return Why{Bound, fmt.Sprintf("machine %q has to run %d agents in a run that takes it, and the bound is %d", name, f.steps, bound)}
	case isBound && slices.ContainsFunc(b.completed, (*node).isBudgeted):
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

	return b.explainKey(row, runs)
}

// explainKey returns with which keys an agent finishes instead.
func (b *builder) explainKey(row *Row, runs *stateRun) Why {
	agent := fmt.Sprintf("agent %q", runs.label)
	_, dead := b.deadMove(row)
	switch {
	case runs.cut == tooMany:
		return Why{Bound, fmt.Sprintf("not all runs of %s were looked at", agent)}
	case runs.cut == tooLong:
		return Why{Bound, fmt.Sprintf("%s does not finish with it within %d rounds, which is the bound", agent, b.maxRounds)}
	case len(runs.outcomes) == 0:
		return Why{NoKey, fmt.Sprintf("%s never finishes: %s", agent, runs.problem)}
	case dead == flow.NoGuard || dead == flow.NoWay || dead == flow.Shadowed:
		return Why{Guards, "the guards of its key never let it be taken"}
	case row.Row.IsCatchAll():
		return Why{NoKey, fmt.Sprintf("%s finishes here only with keys that have a row: %s", agent, quoteKeys(runs.keys))}
	}

	return Why{NoKey, fmt.Sprintf("%s never finishes with it here, only with %s", agent, quoteKeys(runs.keys))}
}

// deadMove returns why a row is taken in none of its states, according to the static analysis, and
// whether a run reaches one of them.
func (b *builder) deadMove(row *Row) (reached bool, dead flow.Dead) {
	led := false
	dead = flow.NoKey
	for _, s := range b.facts.Machine(row.Machine.machine).States {
		for _, move := range s.Moves {
			if move.Row == row.Row && move.Row != nil {
				reached = reached || row.Machine.stateOf[s.State].Reached
				if !led || move.Dead < dead {
					led, dead = true, move.Dead
				}
			}
		}
	}

	return reached, dead
}

// explainStepRow is explainRow for a machine of a workflow.
func (b *builder) explainStepRow(row *Row) (why Why, open bool) {
	cut := slices.ContainsFunc(b.completed, func(n *node) bool { return n.cut != 0 })
	reached, dead := b.deadMove(row)
	switch {
	case cut && (row.Taken || dead == flow.Alive):
		return Why{Bound, "not all runs were looked at"}, true
	case row.Taken:
		if untried := b.describeUntried(row.Machine.Agent); untried != "" {
			return Why{NoEnd, endDependsOn + untried}, true
		}
		return Why{NoEnd, "no run that takes it ends"}, false
	case dead == flow.NoKey && row.Row.IsFromAny() && row.Key().Value == ir.OnFailure:
		return Why{NoKey, "no step there is known to fail"}, true // the row is there for what is not known
	case dead != flow.Alive:
		return Why{NoKey, b.explainDeadRow(row, dead)}, false
	case interp.StaysInState(row.State.State, row.Row):
		return Why{NoKey, "the run continues in its state, with the answer"}, false
	case !reached && b.isReachable(row):
		return Why{Guards, fmt.Sprintf("whether one reaches state %q depends on answers that were not tried", row.State.Name.Value)}, true
	case !reached && !row.Row.IsFromAny() && b.facts.Machine(row.Machine.machine).BeginsAnywhere:
		return Why{Unreached, fmt.Sprintf("only a run whose initial context names %q as current_state reaches that state", row.Row.From.Value)}, true
	case !reached && row.Row.IsFromAny():
		return Why{Unreached, fmt.Sprintf("no run reaches machine %q", row.Machine.Name())}, false
	case !reached:
		return Why{Unreached, fmt.Sprintf("no run reaches state %q", row.Row.From.Value)}, false
	case row.Row.When != nil:
		return Why{NoKey, "its guard holds with none of the values that were tried"}, true
	}

	return Why{NoKey, fmt.Sprintf("no answer that was tried brings a %s", row.Key().Value)}, true
}

// isReachable reports whether rows that are not known to be dead lead to a state with the row.
func (b *builder) isReachable(row *Row) bool {
	return slices.ContainsFunc(b.facts.Machine(row.Machine.machine).States, func(s *flow.State) bool {
		return s.Reached && slices.ContainsFunc(s.Moves, func(m *flow.Move) bool { return m.Row == row.Row })
	})
}

// explainDeadRow returns why a row of a workflow is taken in no state.
func (b *builder) explainDeadRow(row *Row, dead flow.Dead) string {
	from := b.facts.Machine(row.Machine.machine).StateOf(row.State.State)
	switch {
	case from != nil && from.LeavingQuestion != nil && row.Key().Value == ir.OnSuccess:
		return fmt.Sprintf("the answer to step %q leaves the state first", from.LeavingQuestion.Name.Value)
	case row.State.End:
		return "the machine ends there"
	case dead == flow.Shadowed:
		return "a row before it is always taken"
	case (dead == flow.NoGuard || dead == flow.NoWay) && row.Row.When != nil:
		return "its guard never holds there"
	}

	return "no step there brings a " + row.Key().Value
}

// explainCase returns why no run takes a case of a step, or none that ends; open is true if one
// still may.
func (b *builder) explainCase(c *Case) (why Why, open bool) {
	_, isPattern := ir.PatternOf(c.Step.Agent.Node)
	nodes := b.flowNodes[c.Step.Agent.Node.(*ir.Flow)]
	isCut := slices.ContainsFunc(nodes, func(n *node) bool { return n.cut != 0 })
	dead := b.explainDeadCase(c)
	untried := b.describeUntried(c.Step.Agent)
	switch f := c.bestRuns; {
	case b.hasTooManyNodes:
		return tooManyPlaces, false
	case !c.Taken && f.reachCost.isWithinBounds():
		return Why{Guards, "it depends on " + openInputs(isPattern)}, true
	case f.runCost.isWithinBounds():
		return Why{Guards, endDependsOn + openInputs(isPattern)}, true
	case f.runCost.isPossible(), f.reachCost.isPossible() && !c.Taken:
		return Why{Bound, "the runs that take it are longer than the bound"}, false
	case !c.Taken && dead != Why{}:
		return dead, false
	case isCut:
		return Why{Bound, "not all runs were looked at"}, true
	case c.Taken && untried != "":
		return Why{NoEnd, endDependsOn + untried}, true
	case c.Taken:
		return Why{NoEnd, "the run fails"}, false
	case !c.Step.canBeReached():
		return Why{Unreached, "no run reaches the step"}, !isPattern
	case isPattern:
		return Why{NoKey, "no run does that"}, false
	case c.IsFailure():
		return Why{NoKey, "nothing there failed with the answers that were tried"}, true
	}

	return Why{NoKey, "no answer that was tried brings it"}, true
}

// keyNeverMatches is the reason for a branch that no key has.
var keyNeverMatches = Why{NoKey, "the key of the step is never that"}

// openInputs describes the unknown inputs of runs: of agents, or of a workflow.
func openInputs(isAgents bool) string {
	if isAgents {
		return onGuards
	}

	return onGiven
}

// canBeReached reports whether a run takes the step, or may take it. Its failures, and what only some
// answers bring, do not show that.
func (s *Step) canBeReached() bool {
	isBegun := func(c *Case) bool { return c.bestRuns.reachCost.isPossible() }
	isOther := func(c *Case) bool { return !c.IsFailure() && !c.isBehindAnswer() }

	return slices.ContainsFunc(s.Cases, isBegun) || !slices.ContainsFunc(s.Cases, isOther)
}

// explainDeadCase returns why it is known that no run takes a case; the zero Why if it is not.
func (b *builder) explainDeadCase(c *Case) Why {
	w, isWorkflow := ir.WorkflowOf(c.Step.Agent.Node)
	if !isWorkflow {
		return Why{}
	}
	switch do := c.Step.Task.Do.(type) {
	case *ir.Branch:
		if b.isDeadBranch(w, do, c) {
			return keyNeverMatches
		}
	case *ir.Loop:
		if do.IsForEach() {
			return b.explainDeadLength(do, c.Kind)
		}
		return b.explainDeadExit(do, c.Kind)
	case *ir.Run, *ir.PassOn, *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Ask, *ir.Return, *ir.Machine, *ir.Parallel: // not known
	}

	return Why{}
}

// isDeadBranch reports whether a case is a branch that no run takes.
func (b *builder) isDeadBranch(w *ir.Flow, do *ir.Branch, c *Case) bool {
	switch c.Kind {
	case CaseBranch:
		isNamed := func(arm *ir.Arm) bool { return arm.Name.Value == c.Name }
		return b.facts.IsDeadBranch(w, do, ir.First(do.Branches, isNamed))
	case CaseDefault:
		return b.facts.IsDeadDefault(do)
	}

	return false
}

// explainDeadLength returns why no run of a loop over a list finds some number of items; the zero
// Why if one may.
func (b *builder) explainDeadLength(loop *ir.Loop, length CaseKind) Why {
	maySome, mayNone := b.facts.LengthOf(loop)
	switch {
	case !maySome && length != CaseNoItems:
		return Why{NoKey, "its list is always empty"}
	case !mayNone && length == CaseNoItems:
		return Why{NoKey, "its list is never empty"}
	}

	return Why{}
}

// explainDeadExit returns why no loop ends in some way, because of its exit; the zero Why if one
// may.
func (b *builder) explainDeadExit(loop *ir.Loop, end CaseKind) Why {
	mayHold, mayFail := b.facts.ExitOf(loop)
	switch {
	case !mayHold && (end == CaseFirstTurn || end == CaseLaterTurn):
		return Why{NoKey, "its exit never holds"}
	case !mayFail && (end == CaseLaterTurn || end == CaseBound):
		return Why{NoKey, "its exit always holds after the first turn"}
	}

	return Why{}
}
