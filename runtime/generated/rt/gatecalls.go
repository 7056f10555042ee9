package rt

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// RunGated is Run for an agent with a gate, which defines which tool may be called when. The calls
// of a turn run one after another, including finish, each checked in the state after the one
// before; the gate changes its state when a call has succeeded. A call that is not allowed is not
// executed: the model gets the list of allowed ones. Errors, besides those of React: *GuardError
// and *GuardRejectedError.
func (spec *ReactSpec) RunGated(fx runtime.Effects, tools toolRunner, input string, table gateStart, at ...Place) (runtime.Finish, error) {
	return spec.runLoop(fx, tools, input, placeOf(at), newGating(fx, spec, table.start()))
}

// gatedTurn is one turn of a gated agent.
type gatedTurn struct {
	calls    []model.ToolCall
	results  []result
	answered int
	// faulty reports whether a faulty ending of this turn was counted. At most one is counted in a
	// turn.
	faulty bool
}

// runGatedCalls executes the calls of one turn of a gated agent. done reports whether l.fin is the
// agent's result.
func (l *loop) runGatedCalls(calls []model.ToolCall) (results []result, done bool, err error) {
	t := &gatedTurn{calls: calls, results: make([]result, len(calls))}
	state := l.gate.State()
	for i, call := range calls {
		if call.Name == toolFinish {
			done, err = l.gatedFinish(t, i)
		} else {
			err = l.gatedCall(t, i)
		}
		if err != nil {
			return nil, false, err
		}
		if done {
			l.refuseUnreached(calls[i+1:])

			return t.results, true, nil
		}
		if err := l.gate.receiveSignals(); err != nil {
			return nil, false, err
		}
	}
	if l.gate.State() != state {
		l.stuck.reset() // the same call is another step in another state
	}

	return t.results, false, nil
}

// gatedCall executes a call that is not a finish.
func (l *loop) gatedCall(t *gatedTurn, at int) error {
	call := t.calls[at]
	t.answered++
	if t.answered > maxCallsPerTurn {
		t.results[at] = overflow

		return nil
	}
	spec, args, own, ok := l.checkCall(call)
	if !ok {
		t.results[at] = own
		l.noteTool(call.Name, call.Args, own)

		return nil
	}
	step, refused, err := l.gate.decideStep(spec.Name, string(args))
	if err != nil {
		return err
	}
	if refused != nil {
		l.refuseCall(t, at, spec.Name, refused)

		return nil
	}
	if err := l.inOrder(task{at, l.toolCall(call, spec, args)}, t.results); err != nil {
		return err
	}
	if t.results[at].problem == "" {
		l.gate.noteStep(spec.Name, step)
	}

	return nil
}

// gatedFinish judges a finish in its place among the calls.
func (l *loop) gatedFinish(t *gatedTurn, at int) (done bool, err error) {
	call := t.calls[at]
	if problem := l.gate.refusal(toolFinish); problem != "" {
		t.results[at] = result{problem: problem + ". " + l.gate.validAdvice()}
		l.noteTool(call.Name, call.Args, t.results[at])

		return false, nil
	}

	l.repairs.called = true
	problem, cause := l.judgeAll(t.calls)
	if cause != nil {
		said := problem + ". " + l.finishAdvice()
		if t.faulty {
			said = seeFirst
		}
		t.results[at] = result{problem: said}

		return false, l.faultOnce(t, problem, cause)
	}
	step, refused, err := l.gate.decideStep(toolFinish, l.fin.Value)
	if err != nil {
		return false, err
	}
	if refused != nil {
		l.refuseCall(t, at, toolFinish, refused)

		return false, nil
	}
	l.gate.noteStep(toolFinish, step)

	return true, nil
}

// faultOnce counts a faulty ending, if the turn had none yet.
func (l *loop) faultOnce(t *gatedTurn, problem string, cause error) error {
	if t.faulty {
		return nil
	}
	t.faulty = true

	return l.finishError(problem, cause)
}

// refuseCall answers a call that guards have refused.
func (l *loop) refuseCall(t *gatedTurn, at int, action string, refused error) {
	t.results[at] = result{problem: l.gate.refusalText(action, refused) + ". " + l.gate.validAdvice()}
	l.noteTool(t.calls[at].Name, t.calls[at].Args, t.results[at])
}

// refuseUnreached notifies the observer of calls after the finish of their turn: their results have
// no reader any more.
func (l *loop) refuseUnreached(calls []model.ToolCall) {
	for _, call := range calls {
		l.noteTool(call.Name, call.Args, result{problem: "Not run: the agent has finished before."})
	}
}

// gatedPlain judges l.fin, text that would be a finish. problem describes why it is not accepted,
// and refused is the error with which the agent ends if that was the last time; err ends the run.
func (l *loop) gatedPlain() (problem string, refused, err error) {
	if l.gate == nil {
		return "", nil, nil
	}
	step, refused, err := l.gate.decideStep(toolFinish, l.fin.Value)
	switch {
	case err != nil:
		return "", nil, err
	case refused != nil:
		return l.gate.refusalText(toolFinish, refused), refused, nil
	}
	l.gate.noteStep(toolFinish, step)

	return "", nil, nil
}
