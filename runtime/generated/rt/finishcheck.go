package rt

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// repairs is what is left of an agent's patience with faulty endings, and what the next one would
// be reported as.
type repairs struct {
	left int
	// called reports whether finish was called at least once, however badly.
	called bool
}

// finishError counts a faulty ending. It returns nil when the model is asked again, else the error
// with which the agent ends; cause is that error, or nil for an ending that never called finish.
func (l *loop) finishError(problem string, cause error) error {
	if l.repairs.left > 0 {
		l.repairs.left--
		if l.fx.Watched() {
			l.fx.Note(event.Event{Kind: event.Repair, Agent: l.spec.Agent, Problem: problem})
		}

		return nil
	}
	if cause != nil {
		return cause
	}
	if l.repairs.called {
		return l.invalidTransition("", problem)
	}

	return &runtime.MissingFinishError{Agent: l.spec.Agent, Valid: l.legal.keys, Text: l.last}
}

// invalidTransition is the error of a finish that the agent's place does not take.
func (l *loop) invalidTransition(key, problem string) *runtime.InvalidTransitionError {
	return &runtime.InvalidTransitionError{
		Machine: l.legal.machine, State: l.legal.state, Key: key, Valid: l.legal.keys, Agent: l.spec.Agent, Problem: problem,
	}
}

// seeFirst answers the second faulty finish of a turn, and those behind it.
const seeFirst = "See what is said of the first call of finish in this turn."

// evaluateFinish judges the finish calls of a turn, after its other calls. The first faulty one
// gets a result that describes the mistake, and the others refer to it, so that a model which calls
// finish a hundred times is not given the same words as often.
func (l *loop) evaluateFinish(calls []model.ToolCall, results []result) (done bool, err error) {
	if !slices.ContainsFunc(calls, isFinish) {
		return false, nil
	}

	l.repairs.called = true
	problem, cause := l.judgeAll(calls)
	if cause == nil {
		return true, nil
	}
	if err := l.finishError(problem, cause); err != nil {
		return false, err
	}
	said := problem + ". " + l.finishAdvice()
	for i, call := range calls {
		if isFinish(call) {
			results[i] = result{problem: said}
			said = seeFirst
		}
	}

	return false, nil
}

func isFinish(call model.ToolCall) bool { return call.Name == toolFinish }

// judgeAll takes the one finish of a turn. Two different ones are a fault: to choose would lose the
// other.
func (l *loop) judgeAll(calls []model.ToolCall) (problem string, cause error) {
	first, count, same := slices.IndexFunc(calls, isFinish), 0, true
	for _, call := range calls {
		if isFinish(call) {
			count++
			same = same && call.Args == calls[first].Args
		}
	}
	if !same {
		problem = fmt.Sprintf("finish was called %d times in one turn, with different arguments", count)

		return problem, l.invalidTransition("", problem)
	}

	return l.checkFinish(calls[first].Args)
}

// checkFinish reads the arguments of a finish into l.fin. cause is the error to end with when no
// repair is left.
func (l *loop) checkFinish(args string) (problem string, cause error) {
	parsed, problem := parseFinish(args)
	if problem != "" {
		problem = "finish was not understood: " + problem

		return problem, l.invalidTransition("", problem)
	}
	key, problem := l.checkKey(parsed.key)
	if problem != "" {
		return problem, l.invalidTransition(key, problem)
	}
	if !l.legal.acceptsKey(key) {
		return fmt.Sprintf("the key %s is not possible here", wording.QuoteStart(key)), l.invalidTransition(key, "")
	}
	value, fault := l.checkValue(key, parsed.value)
	if fault != nil {
		return "the value does not fit: " + fault.ForModel(), fault
	}
	l.fin = runtime.Finish{Key: key, Value: value.text, JSON: value.json}

	return "", nil
}

// checkKey is the key of a finish, as the model gave it; it may not be legal. If the key is not
// read, any key will do.
func (l *loop) checkKey(raw string) (key, problem string) {
	free := l.legal.kind == placeFree
	if raw == "" {
		if free {
			return implicitKey, ""
		}

		return "", "finish was called without a key"
	}
	named := contentOf(raw)
	if !named.json {
		return named.text, ""
	}
	if free {
		return implicitKey, ""
	}

	return "", "the key is " + raw + ", which is not text"
}

// checkValue is the value of a finish with key. Where it is neither a list nor has an output schema
// it may be left out.
func (l *loop) checkValue(key, raw string) (content, unfit) {
	listed := l.spec.List.hasKey(key)
	switch {
	case raw != "" && listed:
		value := contentOf(raw)

		return value, l.spec.List.whyUnfit(l.spec.Agent, value.text)
	case raw != "":
		return judgeJSON(l.spec.Agent, l.spec.Output, raw)
	case l.spec.Output == nil && !listed:
		return content{}, nil
	}

	return content{}, &runtime.OutputError{Agent: l.spec.Agent, Problem: "finish was called without a value"}
}

// finishAdvice explains to the model how to end here, and how its list is written.
func (l *loop) finishAdvice() string {
	switch {
	case l.gate.refusal(toolFinish) != "":
		return l.gate.validAdvice()
	case l.spec.List == nil:
		return l.legal.keyAdvice()
	case l.spec.List.Key != "" && l.legal.kind != placeClosed:
		return l.spec.List.howTo() // a text about calls of finish with any key
	}

	return l.legal.keyAdvice() + " " + l.spec.List.howTo()
}

// keyAdvice explains to the model how to end here.
func (p *placeInfo) keyAdvice() string {
	switch {
	case p.kind == placeFree:
		return "Call finish with your result as value."
	case p.kind == placeClosed:
		return "Call finish with one of these keys: " + wording.List(p.keys) + ", and your result as value."
	case len(p.keys) > 0:
		return "Call finish with a key and your result as value. Known keys: " + wording.List(p.keys) + "."
	}

	return "Call finish with a key that says how it ended, and your result as value."
}
