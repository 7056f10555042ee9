package machinetest

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// Note watches where machines are, and compares what the machine does with its table.
func (r *run) Note(e event.Event) {
	r.t.Helper()
	if r.stopped != nil {
		if e.Machine == r.plan.machine {
			r.problem("the machine goes on from %q though the agent of the state failed", e.State)
		}

		return
	}
	switch e.Kind {
	case event.Enter:
		r.enter(e)
	case event.Transition:
		r.expressions(e.Guards)
		if e.Machine == r.plan.machine {
			r.transition(e)
		}
	case event.Finish:
		r.finish(e)
	}
}

// enter begins a state, of the machine that is running or of one that begins.
func (r *run) enter(e event.Event) {
	r.t.Helper()
	if f := r.top(); f.machine == e.Machine {
		*f = frame{machine: e.Machine, state: e.State, steps: f.steps + 1}
	} else {
		r.frames = append(r.frames, frame{machine: e.Machine, state: e.State, steps: 1})
	}
	if e.Machine != r.plan.machine {
		return
	}

	s := r.plan.states[e.State]
	switch {
	case e.State != r.expected:
		r.problem("a run enters %q%s, want %s", e.State, r.after(), target(r.expected, true))
	case s == nil || s.marker:
		r.problem("a run enters %q, in which no agent runs", e.State)
	}
	r.last = event.Event{}
}

// transition compares the row that was taken, and who finished with its key, with the table.
func (r *run) transition(e event.Event) {
	r.t.Helper()
	s := r.plan.states[e.State]
	if s == nil {
		return // which was reported when it was entered
	}
	if r.last.Agent != e.State || r.last.Key != e.Key {
		r.problem("%q is left with the key %q, but it was agent %q that finished, with %q", e.State, e.Key, r.last.Agent, r.last.Key)
	}
	want := s.find(e.Key)
	if r.guarded {
		want = r.judgedRow(s, want, e.Guards)
	}
	if e.To != want.to || e.Matched != string(want.match) {
		r.problem("in %q the key %q leads to %s (%s), want %s (%s)", e.State, e.Key, target(e.To, true), shown(rt.Match(e.Matched)),
			target(want.to, want.found()), shown(want.match))
	}
	if want.found() {
		r.take(e.State, want.table)
	}
	r.path = append(r.path, e.State+" --"+e.Key+"-->")
	r.expected = e.To
	if to := r.plan.states[e.To]; to != nil && to.marker {
		r.expected = End
	}
}

// finish remembers the result of an agent. A machine that ends is one answer of the state around it.
func (r *run) finish(e event.Event) {
	if f := r.top(); len(r.frames) > 0 && f.machine == e.Agent {
		r.frames = r.frames[:len(r.frames)-1]
		if len(r.frames) > 0 {
			r.top().answered = append(r.top().answered, e.Agent+" "+e.Key)
		} else {
			return // the machine itself: its last agent's result is to be compared with its own
		}
	}
	r.last = e
}

// ended judges the end of a run without an error.
func (r *run) ended(fin runtime.Finish) {
	r.t.Helper()
	s := r.plan.states[r.expected]
	switch {
	case r.expected != End && (s == nil || !s.terminal):
		r.problem("a run ends%s, want %s", r.after(), target(r.expected, true))
	case r.expected != End && r.last.Agent != r.expected:
		r.problem("a run ends%s, but agent %q did not run", r.after(), r.expected)
	case fin.Key != r.last.Key || fin.Value != r.last.Value:
		r.problem("a run ends%s with %q, %q, but its last agent with %q, %q", r.after(), fin.Key, fin.Value, r.last.Key, r.last.Value)
	}
}

// after says which way the run has come.
func (r *run) after() string {
	if len(r.path) == 0 {
		return ""
	}

	return " after " + strings.Join(r.path[max(0, len(r.path)-5):], " ")
}
