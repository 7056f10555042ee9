package verify

import (
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// scope is a place in the code of a workflow: what the names in expressions are there.
type scope struct {
	w *workflow
	// machine is the fsm or gate in whose guards the place is, and w is nil then.
	machine *machine
	// last is the variable that holds the output of before, the step just before the place.
	last   string
	before *ir.Output
	// result and this are the variables of what a turn came to, and of the item at hand; "" where the run knows it.
	result, this string
	// thisText says that the item at hand is a Go text. Whether the body of {{#each}} asks for it is noted in asksThis.
	thisText bool
	asksThis *bool
	// known are pointers that are not nil at the place.
	known []string
}

// behind is the place that is reached only where a condition holds, or does not hold.
func (s *scope) behind(condition term, holds bool) *scope {
	inner := *s
	if holds {
		inner.known = merged(s.known, condition.implies)
	} else {
		inner.known = merged(s.known, condition.denies)
	}

	return &inner
}

// reach is what a path leads to from where an access begins.
func (s *scope) reach(x *ir.Access, path []string) string {
	if x.Root == ir.RootContext {
		return "r.Context(" + quoted(path...) + ")"
	}
	if len(path) == 0 {
		return s.root(x)
	}

	return s.root(x) + ".Get(" + quoted(path...) + ")"
}

// root is where an access begins.
func (s *scope) root(x *ir.Access) string {
	if s.machine != nil {
		return s.machine.readRoot(x)
	}
	switch x.Root {
	case ir.RootStep:
		return s.step(x.Output)
	case ir.RootInput:
		return "input"
	case ir.RootThis:
		switch {
		case s.this == "":
			return "r.this"
		case s.thisText:
			return "workflow.Text(" + s.item() + ")"
		}
		return s.item()
	case ir.RootResult:
		if s.result == "" {
			return "r.Result()"
		}
		return s.result
	case ir.RootEvent:
		return "workflow.Text(on.String())"
	case ir.RootStepOK:
		return "workflow.Bool(r.StepOK())"
	case ir.RootStepName:
		return "r.StepName()"
	case ir.RootFeedback:
		return "r.Feedback()"
	case ir.RootAnswer:
		return "r.Answer()"
	case ir.RootNext:
		return "r.NextState()"
	case ir.RootCurrent:
		return "r.CurrentState()"
	}
	s.w.asksAll = true

	return "r." + names.AllSteps + "()"
}

// item is the variable of the item at hand.
func (s *scope) item() string {
	if s.asksThis != nil {
		*s.asksThis = true
	}

	return s.this
}

// step is the output of a step.
func (s *scope) step(o *ir.Output) string {
	if o == s.before {
		return s.last
	}

	return s.w.keptValue(o)
}
