package simulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
)

// Stop is a state on a path, and the key with which its agent finishes.
type Stop struct {
	State, Key string
	// Open says that there is no key: the path ends when it reaches the state.
	Open bool
}

// ParsePath reads a path: draft:needs-work,critique:done. The last state may have no key. A comma in a key is
// written behind a backslash.
func ParsePath(text string) ([]Stop, error) {
	var path []Stop
	for _, part := range splitPath(text) {
		state, key, closed := strings.Cut(part, ":")
		stop := Stop{State: strings.TrimSpace(state), Key: strings.TrimSpace(key), Open: !closed}
		if stop.State == "" {
			return nil, fmt.Errorf("%q has no state: a path is state:key, a comma, state:key and so on", part)
		}
		if n := len(path); n > 0 && path[n-1].Open {
			return nil, fmt.Errorf("%q has no key: only the last state of a path may lack one", path[n-1].State)
		}
		path = append(path, stop)
	}

	return path, nil
}

// splitPath splits at commas, but not at those behind a backslash.
func splitPath(text string) []string {
	parts := []string{""}
	for i := 0; i < len(text); i++ {
		switch last := len(parts) - 1; {
		case text[i] == '\\' && i+1 < len(text) && (text[i+1] == ',' || text[i+1] == '\\'):
			i++
			parts[last] += text[i : i+1]
		case text[i] == ',':
			parts = append(parts, "")
		default:
			parts[last] += text[i : i+1]
		}
	}

	return parts
}

// Trail is what became of a path.
type Trail struct {
	Steps []Step
	// Err says why the next step is not taken: with what a run would fail, *runtime.InvalidTransitionError or
	// *runtime.StepLimitError, or *PathError. It is nil if all steps are taken.
	Err error
	// At is the state in which the machine is then; nil when it has ended.
	At *ir.State
}

// Step is a step of a path that a machine takes.
type Step struct {
	State string
	// Key is as the path has it, Matched says how it found the row: exact, folded, catch-all or unconditional, in a workflow
	// guard or next-state too; empty in a terminal, which has none.
	Key, Matched string
	// If is what guards have to say for that: those that are asked, in order; empty where none is.
	If string
	// To is the state that follows; empty when the machine ends.
	To string
}

// PathError is a path that goes where the machine does not.
type PathError struct {
	Problem string
	// Name is a name of the path that means nothing, Known are those that would; both are empty if that is not the
	// problem.
	Name  string
	Known []string
}

func (e *PathError) Error() string { return e.Problem }

// ErrorType is the code of the error, with which no run fails.
func (*PathError) ErrorType() string { return "PathError" }

func wrongWay(format string, args ...any) error {
	return &PathError{Problem: fmt.Sprintf(format, args...)}
}

// MachineIn returns the machine that a path through a workflow means: the only one among the steps at the top; nil if there is
// none, or several.
func MachineIn(w *ir.Workflow) *ir.Task {
	machines := slices.DeleteFunc(slices.Clone(w.Body.Tasks), func(t *ir.Task) bool {
		_, isMachine := t.Do.(*ir.Machine)
		return !isMachine
	})
	if len(machines) != 1 {
		return nil
	}

	return machines[0]
}

// Path follows a path through the machine of an agent, which is where a run begins: one of pattern fsm, or [MachineIn] of a
// workflow, where the keys of the path are events. Guards are taken as possible.
func Path(p *ir.Program, a *ir.Agent, path []Stop, o Options) *Trail {
	facts := flow.Of(p, flow.Guess{})
	f := &follower{name: a.Name.Value, facts: facts}
	if w, isWorkflow := a.Node.(*ir.Workflow); isWorkflow {
		t := MachineIn(w)
		f.name, f.machine, f.ways = t.Name.Value, facts.Machine(t.Do.(*ir.Machine)), f.stepWays
	} else {
		f.machine, f.ways = facts.Machine(a.Node.(*ir.Machine)), f.agentWays
	}
	f.bound, f.at = limit(f.machine.Machine, o.MaxSteps), f.machine.Initial.State
	for i, stop := range path {
		if f.next = ""; i+1 < len(path) {
			f.next = path[i+1].State
		}
		if f.trail.Err = f.follow(stop); f.trail.Err != nil {
			break
		}
	}
	f.trail.At = f.at

	return &f.trail
}

// follower follows a path.
type follower struct {
	name    string
	facts   *flow.Program
	machine *flow.Machine
	bound   int
	// ways returns what may follow a state with a key, in the order in which it is tried; the error says why nothing can.
	ways func(s *flow.State, key string) ([]way, error)
	// at is the state in which the machine is; nil when it has ended.
	at *ir.State
	// next is the state that the path has after this one; empty if it has none.
	next  string
	trail Trail
}

// way is what may follow a state.
type way struct {
	// to is the state that follows; nil where the machine ends.
	to      *ir.State
	matched string
	said    sayings
}

func (w way) name() string {
	if w.to == nil {
		return ""
	}

	return w.to.Name.Value
}

func (f *follower) follow(stop Stop) error {
	i := slices.IndexFunc(f.machine.States, func(s *flow.State) bool { return s.Name.Value == stop.State })
	if i < 0 {
		return f.unknown(stop.State)
	}
	s := f.machine.States[i]
	switch {
	case f.at == nil:
		return wrongWay("machine %q has ended before state %q", f.name, stop.State)
	case s.State != f.at && len(f.trail.Steps) == 0:
		return wrongWay("machine %q starts in state %q, not in %q", f.name, f.at.Name.Value, stop.State)
	case s.State != f.at:
		last := f.trail.Steps[len(f.trail.Steps)-1]
		return wrongWay("from state %q, key %q leads to %q, not to %q", last.State, last.Key, f.at.Name.Value, stop.State)
	case stop.Open:
		return nil
	case s.End:
		return wrongWay("machine %q ends in state %q: no steps run there", f.name, stop.State)
	case s.Marker():
		return wrongWay("state %q is a marker: the machine ends there, and no agent finishes with %q", stop.State, stop.Key)
	case len(f.trail.Steps) >= f.bound:
		return &runtime.StepLimitError{Machine: f.name, State: stop.State, Steps: f.bound}
	}
	ways, err := f.ways(s, stop.Key)
	if err != nil {
		return err
	}
	taken, err := f.choose(s.State, stop.Key, ways)
	if err != nil {
		return err
	}
	f.at = taken.to
	f.trail.Steps = append(f.trail.Steps, Step{
		State: s.Name.Value, Key: stop.Key, Matched: taken.matched, If: taken.said.String(), To: taken.name(),
	})

	return nil
}

// choose returns which way the path means: the first that leads to its next state. Where guards decide and the path does not go
// on, they all have to lead to the same state.
func (f *follower) choose(s *ir.State, key string, ways []way) (way, error) {
	if i := slices.IndexFunc(ways, func(w way) bool { return w.name() == f.next }); f.next != "" && i >= 0 {
		return ways[i], nil
	}
	var names []string
	for _, w := range ways {
		name := "the end"
		if w.to != nil {
			name = fmt.Sprintf("%q", w.name())
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	from := fmt.Sprintf("from state %q, key %q leads to %s, as guards say", s.Name.Value, key, strings.Join(names, " or "))
	switch {
	case len(names) == 1:
		return ways[0], nil
	case f.next == "":
		return way{}, wrongWay("%s: the path has to name the state that follows", from)
	}

	return way{}, wrongWay("%s, not to %q", from, f.next)
}

// agentWays are the ways out of a state in which an agent runs, or whose keys others choose.
func (f *follower) agentWays(s *flow.State, key string) ([]way, error) {
	if valid, any := f.keysOf(s); !any && !slices.ContainsFunc(valid, func(known string) bool { return sameKey(known, key) }) {
		return nil, &runtime.InvalidTransitionError{Machine: f.name, State: s.Name.Value, Key: key, Agent: agentName(s.Agent), Valid: valid}
	}
	switch {
	case s.Terminal():
		return []way{{}}, nil
	case s.Always != nil:
		return []way{{to: s.Always.State, matched: "unconditional"}}, nil
	}
	var ways []way
	for _, t := range newRouter(s.State).routes(key) {
		ways = append(ways, way{t.row.To.State, matched(t.row, key), t.said})
	}
	if len(ways) == 0 {
		return nil, &runtime.InvalidTransitionError{Machine: f.name, State: s.Name.Value, Key: key, Valid: s.Keys()}
	}

	return ways, nil
}

// keysOf returns the keys that are possible in a state; any says that every other one is too.
func (f *follower) keysOf(s *flow.State) (keys []string, any bool) {
	place, adapts := s.Place().Within(ir.Place{}), s.Agent == nil
	if s.Agent != nil {
		out := f.facts.Outcomes(s.Agent)
		keys, adapts = out.Keys(), out.Adapts()
	}
	if adapts {
		keys = append(keys, place.Keys...)
	}
	for _, fired := range f.machine.Fired(s.State) {
		keys = append(keys, fired.Key)
	}

	return keys, adapts && place.Kind != ir.PlaceClosed
}

func agentName(a *ir.Agent) string {
	if a == nil {
		return ""
	}

	return a.Name.Value
}

func matched(row *ir.Row, key string) string {
	switch {
	case row.Key.Value == key:
		return "exact"
	case row.IsCatchAll():
		return "catch-all"
	}

	return "folded"
}

// stepWays are the ways out of a state with steps.
func (f *follower) stepWays(s *flow.State, event string) ([]way, error) {
	if !slices.Contains(ir.Events, event) {
		problem := fmt.Sprintf("a state comes out with success, failure or pause, not with %q", event)
		return nil, &PathError{Problem: problem, Name: event, Known: ir.Events}
	}
	var ways []way
	for _, move := range s.Moves {
		switch row := move.Row; {
		case move.Dead != flow.Alive || row != nil && (row.Key.Value != event || flow.Stays(s.State, row)):
		case row == nil && event == ir.OnSuccess:
			ways = append(ways, way{to: move.To.State, matched: "next-state"})
		case row == nil:
		case row.When != nil:
			ways = append(ways, way{to: row.To.State, matched: "guard"})
		case row.FromAny():
			ways = append(ways, way{to: row.To.State, matched: "catch-all"})
		default:
			ways = append(ways, way{to: row.To.State, matched: "exact"})
		}
	}
	if s.NextOpen && event == ir.OnSuccess {
		for _, to := range f.machine.States {
			ways = append(ways, way{to: to.State, matched: "next-state"})
		}
	}
	if len(ways) == 0 {
		return nil, wrongWay("machine %q, state %q: no row is for a %s", f.name, s.Name.Value, event)
	}

	return ways, nil
}

func (f *follower) unknown(name string) error {
	e := &PathError{Problem: fmt.Sprintf("machine %q has no state %q", f.name, name), Name: name}
	for _, s := range f.machine.States {
		e.Known = append(e.Known, s.Name.Value)
	}

	return e
}
