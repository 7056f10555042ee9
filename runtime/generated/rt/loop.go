package rt

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/stopreason"
	"github.com/agentc-dev/agentc/runtime/model"
)

// maxCallsPerTurn bounds the calls of one turn that are executed. What is beyond is answered, not
// run: a model that floods learns it and goes on, and neither memory nor money follows the flood.
const maxCallsPerTurn = 100

// loop is one run of a react agent.
type loop struct {
	fx    runtime.Effects
	spec  *ReactSpec
	run   toolRunner
	input string
	legal placeInfo
	// gate is nil in an agent that has none.
	gate *gating

	system   string
	messages []model.Message
	tools    toolbox
	repairs  repairs
	stuck    stuckness
	long     longResults
	// executed counts the calls of each tool so far.
	executed map[string]int
	// last is the last text that was not blank.
	last string
	// fin is the agent's result, once it is done.
	fin runtime.Finish
	// one is the result of a turn of one call, which is overwritten by the next one.
	one [1]result
}

// Run runs the loop of a react agent until it finishes. tools may be nil if no skill has a typed
// tool. Errors: *MissingFinishError, *InvalidTransitionError, *OutputError, *ItemLimitError,
// *IterationLimitError, *StuckError, and errors with which the engine ends the run.
func (spec *ReactSpec) Run(fx runtime.Effects, tools toolRunner, input string, at ...Place) (runtime.Finish, error) {
	return spec.runLoop(fx, tools, input, placeOf(at), nil)
}

func (spec *ReactSpec) runLoop(fx runtime.Effects, tools toolRunner, input string, at Place, gate *gating) (runtime.Finish, error) {
	l := &loop{fx: fx, spec: spec, run: tools, input: input, legal: at.withDeclaredKeys(spec.Keys), gate: gate}
	opening := openingOf(spec, &l.legal)
	l.system, l.tools = opening.system, newToolbox(spec, opening.offered)
	l.tools.gate = gate
	l.repairs = repairs{left: spec.Repair}
	l.stuck = stuckness{limit: spec.Stuck}
	l.messages = firstMessages
	defer gate.close()

	if err := l.runTurns(); err != nil {
		noteError(fx, spec.Agent, err)

		return runtime.Finish{}, err
	}
	noteFinish(fx, spec.Agent, &l.fin)

	return l.fin, nil
}

func (l *loop) runTurns() error {
	for turn := range l.spec.MaxIter {
		reply, err := l.fx.Model(model.Request{
			Agent: l.spec.Agent, Turn: turn, Input: l.input, Model: l.spec.Model, System: l.system,
			// Full slices: what the engine keeps is never written again.
			Messages: l.messages[:len(l.messages):len(l.messages)], Tools: l.tools.offeredTools(),
		})
		if err != nil && l.tooLong(err) {
			continue
		}
		if err != nil {
			err = l.repairMisread(err)
			if err != nil {
				return err
			}
			continue
		}

		done, err := l.runTurn(&reply)
		if done || err != nil {
			return err
		}
	}

	return &runtime.IterationLimitError{Agent: l.spec.Agent, Turns: l.spec.MaxIter, Text: l.last}
}

// runTurn answers one reply of the model. done reports whether l.fin is the agent's result.
func (l *loop) runTurn(reply *model.Reply) (done bool, err error) {
	if !isBlank(reply.Text) {
		l.last = reply.Text
	}
	if len(reply.Calls) == 0 {
		return l.finishPlain(reply)
	}
	if stopreason.IsPartial(reply.StopReason) {
		l.stuck.reset()

		return false, l.partialError(reply)
	}

	calls := l.tools.meantCalls(reply.Calls)
	results, done, err := l.runActions(calls)
	if done || err != nil {
		return done, err
	}
	l.messages = append(l.messages, model.Message{Role: model.RoleAssistant, Text: reply.Text, Calls: calls, Carry: reply.Carry})
	if err := l.stuck.checkTurn(l.spec.Agent, calls, results); err != nil {
		return false, err
	}
	for i, call := range calls {
		l.messages = append(l.messages, l.showResult(len(l.messages), results[i]).toMessage(call))
	}

	return false, nil
}

// runActions executes the calls of one turn and judges its finish.
func (l *loop) runActions(calls []model.ToolCall) (results []result, done bool, err error) {
	if l.gate != nil {
		return l.runGatedCalls(calls)
	}
	results, err = l.runCalls(calls)
	if err != nil {
		return nil, false, err
	}
	done, err = l.evaluateFinish(calls, results)

	return results, done, err
}

// finishPlain judges a reply without calls: an implicit finish where that loses nothing, else a
// faulty ending.
func (l *loop) finishPlain(reply *model.Reply) (done bool, err error) {
	text := reply.Text
	l.stuck.reset()
	if stopreason.Fault(reply.StopReason) != "" {
		return false, l.partialError(reply)
	}
	if l.writtenCall(text) {
		return false, l.repairWritten(reply)
	}
	if against := l.gate.refusal(toolFinish); against != "" {
		problem := "plain text would end the work, and " + against
		if isBlank(text) {
			problem = "an empty reply, and " + against
		}

		return false, l.repairPlain(reply, problem, l.finishAdvice(), l.gate.invalidTransition(problem))
	}
	if !isBlank(text) && l.legal.isImplicit() {
		value, fault := l.implicitValue(text)
		if fault != nil {
			return false, l.repairPlain(reply, fault.ForModel(), l.finishAdvice(), fault)
		}
		l.fin = runtime.Finish{Key: implicitKey, Value: value.text, JSON: value.json, Synthetic: true}
		problem, refused, err := l.gatedPlain()
		switch {
		case err != nil:
			return false, err
		case refused != nil:
			return false, l.repairPlain(reply, problem, l.gate.validAdvice(), refused)
		}

		return true, nil
	}

	problem := "text instead of a call of finish"
	if isBlank(text) {
		problem = "an empty reply"
	}

	return false, l.repairPlain(reply, problem, l.finishAdvice(), nil)
}

// implicitValue is the value of plain text that is a finish with key done.
func (l *loop) implicitValue(text string) (content, unfit) {
	if l.spec.List.hasKey(implicitKey) {
		return content{text: text}, l.spec.List.whyUnfit(l.spec.Agent, text)
	}

	return judgeText(l.spec.Agent, l.spec.Output, text)
}

// partialError reports to the model that its reply has no end. It never counts as a finish: the
// rest of it would be lost. Its calls are not executed: the cut may have made other calls of them.
func (l *loop) partialError(reply *model.Reply) error {
	fault := partialError(l.spec.Agent, reply.StopReason)
	advice := l.finishAdvice()
	if len(reply.Calls) > 0 {
		fault.Problem += "; none of its calls was executed"
		advice = "Call again the tools that you need. " + advice
	}

	return l.repairPlain(reply, fault.Problem, advice, fault)
}

// repairPlain reports to the model what was wrong with its text and what to do instead.
func (l *loop) repairPlain(reply *model.Reply, problem, advice string, fault error) error {
	if err := l.finishError(problem, fault); err != nil {
		return err
	}
	l.messages = addObjection(l.messages, reply, "This could not be used: "+problem, advice)

	return nil
}

// addObjection adds a reply that could not be used, and why, to a conversation.
func addObjection(messages []model.Message, reply *model.Reply, problem, advice string) []model.Message {
	if !isBlank(reply.Text) {
		messages = append(messages, model.Message{Role: model.RoleAssistant, Text: reply.Text, Carry: reply.Carry})
	}
	advice = stopreason.Advice(reply.StopReason) + advice

	return append(messages, model.Message{Role: model.RoleUser, Text: problem + ". " + advice})
}
