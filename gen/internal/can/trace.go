package can

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Step is a step of a path.
type Step struct {
	// Do is the kind of step: start, enter (a state), run (a conversation), ask (a person), call (a
	// function or a tool), or choose (a branch).
	Do string `json:"do"`
	// Agent is the agent or agent/step of the step, and State the state that is entered.
	Agent string `json:"agent,omitempty"`
	State string `json:"state,omitempty"`
	// Key is the key with which the conversation finishes, if it decides what follows.
	Key string `json:"key,omitempty"`
	// Calls are the tools that are called, in order.
	Calls []Call `json:"calls,omitempty"`
	// Given is set if untrusted text is in the input. Gives is set if it is in the value or, with
	// Fails, in the error.
	Given bool `json:"given,omitempty"`
	Gives bool `json:"gives,omitempty"`
	Fails bool `json:"fails,omitempty"`
	// Branch is the chosen branch, or a parallel branch, from 1; 0 for any other step.
	Branch int `json:"branch,omitempty"`

	conversation *conversation
	ask          *ir.Ask
	// startsWithDone is set if the value starts with done, and isEmptyList if it is a list without
	// items.
	startsWithDone, isEmptyList bool
	guards                      []verdict
	// required are the values that earlier conversations have to return, and fields those of this
	// one.
	required []requiredValue
	fields   map[string]json.RawMessage
	// field is the field of the initial context with the text.
	field string
	// isParallel is set if other steps run in parallel.
	isParallel bool
	// guardName is the guard of the row that is taken.
	guardName string
	// openReason is why no script can make a run take the step.
	openReason string
}

// Call is a call of a tool.
type Call struct {
	Tool string `json:"tool"`
	// Source is the class of the untrusted text in the result, "memory" for the memory of the run.
	Source string `json:"source,omitempty"`
	// Bad is set if the calling model has read untrusted text.
	Bad bool `json:"untrusted,omitempty"`
	// Fails is set if the text is in an error.
	Fails bool `json:"fails,omitempty"`

	tool tool
}

// lastTool returns the tool of the last call of a step.
func (s *Step) lastTool() tool { return s.Calls[len(s.Calls)-1].tool }

// verdict is the result of a named guard.
type verdict struct {
	name string
	says bool
}

// trace is a path to a point: a previous path, and then a step or the steps of another trace. The
// zero trace is empty.
type trace struct {
	before *trace
	step   *Step
	inner  *trace
	length int
	// isOpen is set if no script can make a run take it.
	isOpen bool
}

func (t *trace) withStep(s Step) *trace {
	return &trace{before: t, step: &s, length: t.length + 1, isOpen: t.isOpen || s.openReason != ""}
}

// isBetterThan reports whether a path is shorter than another one, or has a script and the other
// one does not. A nil path is no path.
func (t *trace) isBetterThan(other *trace) bool {
	switch {
	case t == nil || other == nil:
		return t != nil
	case t.isOpen != other.isOpen:
		return other.isOpen
	}

	return t.length < other.length
}

// withTrace adds the steps of a trace that begins where t ends.
func (t *trace) withTrace(inner *trace) *trace {
	if inner.length == 0 {
		return t
	}

	return &trace{before: t, inner: inner, length: t.length + inner.length, isOpen: t.isOpen || inner.isOpen}
}

// lastStep returns the last step of a path that has steps.
func (t *trace) lastStep() *Step {
	for t.step == nil {
		t = t.inner
	}

	return t.step
}

// listSteps returns the steps of a path.
func (t *trace) listSteps() []Step {
	var all []Step
	for ; t != nil; t = t.before {
		switch {
		case t.step != nil:
			all = append(all, *t.step)
		case t.inner != nil:
			inner := t.inner.listSteps()
			slices.Reverse(inner)
			all = append(all, inner...)
		}
	}
	slices.Reverse(all)

	return all
}

// moveToRuns moves what later steps require of an earlier conversation to the step of that
// conversation.
func moveToRuns(all []Step) []Step {
	var steps []Step
	last := -1
	for _, s := range all {
		if len(steps) > 0 {
			for _, p := range s.required {
				requireValue(steps, p)
			}
		}
		switch {
		case s.Do != "finish":
			steps = append(steps, s)
			if s.Do == "run" {
				last = len(steps) - 1
			}
		case last >= 0:
			run := &steps[last]
			if s.Key == ir.CatchAll && run.Key != "" {
				s.Key = run.Key
			}
			run.Key, run.startsWithDone, run.isEmptyList = cmp.Or(s.Key, run.Key), run.startsWithDone || s.startsWithDone, run.isEmptyList || s.isEmptyList
			run.guards = append(run.guards, s.guards...)
			run.openReason = cmp.Or(run.openReason, s.openReason)
		case len(steps) > 0:
			before := &steps[len(steps)-1]
			before.openReason = cmp.Or(before.openReason, s.openReason)
		}
	}

	return steps
}

// requireValue adds a value to the fields of a conversation's last run.
func requireValue(steps []Step, p requiredValue) {
	for i := len(steps) - 1; i >= 0; i-- {
		run := &steps[i]
		if run.conversation == nil || run.conversation.step != p.step {
			continue
		}
		if known := run.fields[p.field]; known != nil && string(known) != string(p.value) {
			run.openReason = "a value decides twice"
			return
		}
		fields := map[string]json.RawMessage{p.field: p.value}
		for name, value := range run.fields {
			fields[name] = value
		}
		run.fields = fields
		return
	}
	steps[len(steps)-1].openReason = "a step decides that has not run"
}

// sortedKeys returns the keys of a map in a fixed order.
func sortedKeys[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// toolUse is a call of a tool by a conversation or a step.
type toolUse struct{ agent, tool string }

// result is the result of something that begins with one fact: the facts after it, by the key of
// its finish ("" for any), and the calls that are reached. All traces begin where it begins.
type result struct {
	exits map[key]facts
	calls map[toolUse]*reachedCall
}

// reachedCall is a call with its path.
type reachedCall struct {
	toolUse
	t    *trace
	tool tool
}

func newResult() *result { return &result{map[key]facts{}, map[toolUse]*reachedCall{}} }

func (r *result) addExit(k key, name fact, t *trace) {
	if r.exits[k] == nil {
		r.exits[k] = facts{}
	}
	r.exits[k].addFact(name, t)
}

func (r *result) addCall(c reachedCall) {
	if known := r.calls[c.toolUse]; known == nil || c.t.isBetterThan(known.t) {
		r.calls[c.toolUse] = &c
	}
}

// addAfter adds the result of something that begins where t ends: its calls to r, and its exits to
// each.
func (r *result) addAfter(t *trace, inner *result, each func(k key, name fact, t *trace)) {
	for _, c := range inner.calls {
		at := *c
		at.t = t.withTrace(c.t)
		r.addCall(at)
	}
	for _, k := range sortedKeys(inner.exits) {
		for _, name := range inner.exits[k].sortedFacts() {
			each(k, name, t.withTrace(inner.exits[k][name]))
		}
	}
}
