package rt

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// repairs is what is left of an agent's patience with faulty endings, and what the next one would be reported as.
type repairs struct {
	left int
	// called says that finish was called at least once, however badly.
	called bool
}

// fault counts a faulty ending. It returns nil when the model is asked again, else the error with which the agent ends; cause is
// that error, or nil for an ending that never called finish.
func (l *loop) fault(problem string, cause error) error {
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
		return l.legal.invalid("", problem)
	}

	return &runtime.MissingFinishError{Agent: l.spec.Agent, Valid: l.legal.keys, Text: l.last}
}

// seeFirst answers the second faulty finish of a turn, and those behind it.
const seeFirst = "See what is said of the first call of finish in this turn."

// finishes judges the finish calls of a turn, after its other calls. The first faulty one gets a result that says what was wrong, and the
// others refer to it, so that a model which calls finish a hundred times is not given the same words as often.
func (l *loop) finishes(calls []model.ToolCall, results []result) (fin runtime.Finish, done bool, err error) {
	if !slices.ContainsFunc(calls, isFinish) {
		return runtime.Finish{}, false, nil
	}

	l.repairs.called = true
	fin, problem, cause := l.judgeAll(calls)
	if cause == nil {
		return fin, true, nil
	}
	if err := l.fault(problem, cause); err != nil {
		return runtime.Finish{}, false, err
	}
	said := problem + ". " + l.advice()
	for i, call := range calls {
		if isFinish(call) {
			results[i] = result{problem: said}
			said = seeFirst
		}
	}

	return runtime.Finish{}, false, nil
}

func isFinish(call model.ToolCall) bool { return call.Name == toolFinish }

// judgeAll takes the one finish of a turn. Two different ones are a fault: to choose would lose the other.
func (l *loop) judgeAll(calls []model.ToolCall) (fin runtime.Finish, problem string, cause error) {
	first, count, same := slices.IndexFunc(calls, isFinish), 0, true
	for _, call := range calls {
		if isFinish(call) {
			count++
			same = same && call.Args == calls[first].Args
		}
	}
	if !same {
		problem = fmt.Sprintf("finish was called %d times in one turn, with different arguments", count)

		return runtime.Finish{}, problem, l.legal.invalid("", problem)
	}

	return l.judge(calls[first].Args)
}

// judge reads the arguments of a finish. cause is the error to end with when no repair is left.
func (l *loop) judge(args string) (fin runtime.Finish, problem string, cause error) {
	parsed, problem := parseFinish(args)
	if problem != "" {
		problem = "finish was not understood: " + problem

		return runtime.Finish{}, problem, l.legal.invalid("", problem)
	}
	key, problem := l.key(parsed.key)
	if problem != "" {
		return runtime.Finish{}, problem, l.legal.invalid(key, problem)
	}
	if !l.legal.accepts(key) {
		return runtime.Finish{}, fmt.Sprintf("the key %s is not possible here", wording.QuoteStart(key)), l.legal.invalid(key, "")
	}
	fin, fault := l.value(key, parsed.value)
	if fault != nil {
		return runtime.Finish{}, "the value does not fit: " + fault.ForModel(), fault
	}
	fin.Key = key

	return fin, "", nil
}

// key is the key of a finish, as the model gave it; it may not be legal. Where no one reads the key, whatever is there will do.
func (l *loop) key(raw string) (key, problem string) {
	free := l.legal.kind == placeFree
	if raw == "" {
		if free {
			return implicitKey, ""
		}

		return "", "finish was called without a key"
	}
	named := valueOf(raw)
	if !named.JSON {
		return named.Value, ""
	}
	if free {
		return implicitKey, ""
	}

	return "", "the key is " + raw + ", which is not text"
}

// value is the value of a finish with key. Where it is neither a list nor has an output schema it may be left out.
func (l *loop) value(key, raw string) (runtime.Finish, unfit) {
	listed := l.spec.List.covers(key)
	switch {
	case raw != "" && listed:
		return l.listed(valueOf(raw))
	case raw != "":
		return judgeJSON(l.spec.Agent, l.spec.Output, raw)
	case l.spec.Output == nil && !listed:
		return runtime.Finish{}, nil
	}

	return runtime.Finish{}, &runtime.OutputError{Agent: l.spec.Agent, Problem: "finish was called without a value"}
}

// listed judges a value that has to be the agent's list.
func (l *loop) listed(fin runtime.Finish) (runtime.Finish, unfit) {
	if fault := l.spec.List.judge(l.spec.Agent, fin); fault != nil {
		return runtime.Finish{}, fault
	}

	return fin, nil
}

// advice explains to the model how to end here, and how its list is written.
func (l *loop) advice() string {
	switch {
	case l.spec.List == nil:
		return l.legal.advice()
	case l.spec.List.Key != "" && l.legal.kind != placeClosed:
		return l.spec.List.howTo() // which says how to call finish with any key
	}

	return l.legal.advice() + " " + l.spec.List.howTo()
}

// advice explains to the model how to end here.
func (l legality) advice() string {
	switch {
	case l.kind == placeFree:
		return "Call finish with your result as value."
	case l.kind == placeClosed:
		return "Call finish with one of these keys: " + wording.List(l.keys) + ", and your result as value."
	case len(l.keys) > 0:
		return "Call finish with a key and your result as value. Known keys: " + wording.List(l.keys) + "."
	}

	return "Call finish with a key that says how it ended, and your result as value."
}
