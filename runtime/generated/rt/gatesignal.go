package rt

import (
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// receiveSignals asks for signals at the safe point of a gate, the end of a call: a rule ends the
// agent, or moves the gate by the row of an action, though nothing was called. A row that guards
// refuse, or that does not exist, is not taken, nor is the row of finish, which only the agent can
// fire: the event of the next step reports it.
func (g *gating) receiveSignals() error {
	if g == nil || g.heard == nil {
		return nil
	}
	var again []signals.Signal
	if g.left {
		again, g.heard.later, g.left = g.heard.later, nil, false
	}
	action, err := g.heard.decideSignals(g.State(), true, again)
	if err != nil || action == "" {
		return err
	}
	if action == toolFinish {
		g.heard.decided = append(g.heard.decided, event.Guard{Name: toolFinish, Reason: "only the agent can finish"})

		return nil
	}
	step, refused, err := g.decideStep(action, "")
	switch {
	case err != nil:
		return err
	case refused != nil:
		g.heard.decided = append(g.heard.decided, event.Guard{Name: action, Reason: refused.Error()})
	default:
		g.noteStep(action, step)
	}

	return nil
}

// close ends the receiving of signals, because the agent has ended.
func (g *gating) close() {
	if g != nil {
		g.heard.leaveState()
	}
}
