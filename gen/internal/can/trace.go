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
	// Do says what happens: start, enter (a state), run (a conversation), ask (a person), call (a
	// function or a tool), or choose (a branch).
	Do string `json:"do"`
	// Agent is the agent or agent/step that does it, and State the state that is entered.
	Agent string `json:"agent,omitempty"`
	State string `json:"state,omitempty"`
	// Key is that with which the conversation finishes, where it decides what follows.
	Key string `json:"key,omitempty"`
	// Calls are the tools that are called, in order.
	Calls []Call `json:"calls,omitempty"`
	// Given says that untrusted text is in what it is given, and Gives that such text is in its
	// value or, with Fails, in its error.
	Given bool `json:"given,omitempty"`
	Gives bool `json:"gives,omitempty"`
	Fails bool `json:"fails,omitempty"`
	// Branch is the branch that is chosen, or one of those that run side by side, from 1; 0 for any
	// other step.
	Branch int `json:"branch,omitempty"`

	talk *talk
	ask  *ir.Ask
	// done says that the value begins with done, and none that it is a list without items.
	done, none bool
	guards     []verdict
	// picks are what earlier conversations have to give, fields what this one does.
	picks  []pick
	fields map[string]json.RawMessage
	// field is what of the initial context is the text.
	field string
	// beside says that other steps run meanwhile.
	beside bool
	// when is the guard of the row that is taken.
	when string
	// open says why no script can make a run take the step.
	open string
}

// Call is a call of a tool.
type Call struct {
	Tool string `json:"tool"`
	// Source is the class of the untrusted text that it returns, "memory" for what is in the memory
	// of the run.
	Source string `json:"source,omitempty"`
	// Bad says that a model calls it which has read untrusted text.
	Bad bool `json:"untrusted,omitempty"`
	// Fails says that the text is that of an error.
	Fails bool `json:"fails,omitempty"`

	tool tool
}

// made returns the tool of the last call of a step.
func (s *Step) made() tool { return s.Calls[len(s.Calls)-1].tool }

// verdict is what a named guard says.
type verdict struct {
	name string
	says bool
}

// trace is how a place is reached: what was before, and then a step or the steps of another trace.
// The zero trace is a beginning.
type trace struct {
	before *trace
	step   *Step
	inner  *trace
	length int
	// isOpen says that no script can make a run take it.
	isOpen bool
}

func (t *trace) then(s Step) *trace {
	return &trace{before: t, step: &s, length: t.length + 1, isOpen: t.isOpen || s.open != ""}
}

// isBetterThan reports whether a path is shorter than another one, or a script can say it and not
// the other one. A nil path is none.
func (t *trace) isBetterThan(other *trace) bool {
	switch {
	case t == nil || other == nil:
		return t != nil
	case t.isOpen != other.isOpen:
		return other.isOpen
	}

	return t.length < other.length
}

// sub adds the steps of a trace that begins where t ends.
func (t *trace) sub(inner *trace) *trace {
	if inner.length == 0 {
		return t
	}

	return &trace{before: t, inner: inner, length: t.length + inner.length, isOpen: t.isOpen || inner.isOpen}
}

// last returns the last step of a path that has steps.
func (t *trace) last() *Step {
	for t.step == nil {
		t = t.inner
	}

	return t.step
}

// steps returns the steps of a path. What a later one says of the conversation before it is said
// there.
func (t *trace) steps() []Step {
	var all []Step
	for ; t != nil; t = t.before {
		switch {
		case t.step != nil:
			all = append(all, *t.step)
		case t.inner != nil:
			inner := t.inner.steps()
			slices.Reverse(inner)
			all = append(all, inner...)
		}
	}
	slices.Reverse(all)

	return all
}

// settled puts what a later step asks of the conversation before it there.
func settled(all []Step) []Step {
	var steps []Step
	last := -1
	for _, s := range all {
		if len(steps) > 0 {
			for _, p := range s.picks {
				picked(steps, p)
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
			run.Key, run.done, run.none = cmp.Or(s.Key, run.Key), run.done || s.done, run.none || s.none
			run.guards = append(run.guards, s.guards...)
			run.open = cmp.Or(run.open, s.open)
		case len(steps) > 0:
			before := &steps[len(steps)-1]
			before.open = cmp.Or(before.open, s.open)
		}
	}

	return steps
}

// picked puts a value into what the last run of a conversation gives.
func picked(steps []Step, p pick) {
	for i := len(steps) - 1; i >= 0; i-- {
		run := &steps[i]
		if run.talk == nil || run.talk.step != p.step {
			continue
		}
		if known := run.fields[p.field]; known != nil && string(known) != string(p.value) {
			run.open = "a value decides twice"
			return
		}
		fields := map[string]json.RawMessage{p.field: p.value}
		for name, value := range run.fields {
			fields[name] = value
		}
		run.fields = fields
		return
	}
	steps[len(steps)-1].open = "a step decides that has not run"
}

// sorted returns the keys of a map in a fixed order.
func sorted[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// use is a call of a tool by a conversation or a step.
type use struct{ agent, tool string }

// result is what comes of something that begins with one fact: the facts behind it, by the key with
// which it finishes ("" for any), and the calls that are reached. All traces begin where it begins.
type result struct {
	exits map[key]facts
	calls map[use]*call
}

// call is how a call is reached.
type call struct {
	use
	t    *trace
	tool tool
}

func newResult() *result { return &result{map[key]facts{}, map[use]*call{}} }

func (r *result) exit(k key, name fact, t *trace) {
	if r.exits[k] == nil {
		r.exits[k] = facts{}
	}
	r.exits[k].add(name, t)
}

func (r *result) call(c call) {
	if known := r.calls[c.use]; known == nil || c.t.isBetterThan(known.t) {
		r.calls[c.use] = &c
	}
}

// behind adds what comes of something that begins where t ends: its calls to r, and its exits to
// each.
func (r *result) behind(t *trace, inner *result, each func(k key, name fact, t *trace)) {
	for _, c := range inner.calls {
		at := *c
		at.t = t.sub(c.t)
		r.call(at)
	}
	for _, k := range sorted(inner.exits) {
		for _, name := range inner.exits[k].sorted() {
			each(k, name, t.sub(inner.exits[k][name]))
		}
	}
}
