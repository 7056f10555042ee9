package walk

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Stop is a state on a path, and the key with which its agent finishes.
type Stop struct {
	State, Key string
	// Open says that there is no key: the path ends when it comes to the state.
	Open bool
}

// ParsePath reads a path: draft:needs-work,critique:done. The last state may stand without a key. A comma in a key
// stands behind a backslash.
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
	// Err says why the next step is not taken: *KeyError, *StepsError or *PathError. It is nil if all are.
	Err error
	// At is the state in which the machine is then; nil when it has ended.
	At *ir.State
}

// Step is a step of a path that a machine takes.
type Step struct {
	State string
	// Key is as the path has it, Matched says how it found the row: exact, folded, catch-all or unconditional; empty
	// in a terminal, which has none.
	Key, Matched string
	// If is what guards have to say for that: those that are asked, in order; empty where none is.
	If string
	// To is the state that follows; empty when the machine ends.
	To string
}

// KeyError is a key that is not possible in a state.
type KeyError struct {
	Machine, State, Key string
	// Agent is who cannot finish with it; empty when the state has no row for it.
	Agent string
	// Valid are the keys that are possible.
	Valid []string
}

func (e *KeyError) Error() string {
	return fmt.Sprintf("machine %q, state %q: the key %q is not possible", e.Machine, e.State, e.Key)
}

// StepsError is a path that is longer than the bound.
type StepsError struct {
	Machine string
	// State is the one before which the machine stops.
	State string
	// Steps is the bound.
	Steps int
}

func (e *StepsError) Error() string {
	return fmt.Sprintf("machine %q stops before state %q: the bound is %d steps", e.Machine, e.State, e.Steps)
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

func wrongWay(format string, args ...any) error {
	return &PathError{Problem: fmt.Sprintf(format, args...)}
}

// Path follows a path through the machine of an agent, which is where a run begins: one of pattern fsm, or [MachineIn] of a
// workflow, where the keys of the path are events.
func Path(p *ir.Program, a *ir.Agent, path []Stop, o Options) *Trail {
	if w, isWorkflow := a.Node.(*ir.Workflow); isWorkflow {
		return workPath(MachineIn(w), path, o.MaxSteps)
	}
	var texts []string
	for _, stop := range path {
		if !stop.Open {
			texts = append(texts, stop.Key)
		}
	}
	n := newBuilder(p, o.limits(), texts).agent(a, ir.Place{Kind: ir.PlaceFree})
	m := a.Node.(*ir.Machine)
	f := &follower{machine: n.body.(*machine), name: a.Name.Value, ir: m, at: m.Initial.State}
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
	*machine
	name string
	ir   *ir.Machine
	// at is the state in which the machine is; nil when it has ended.
	at *ir.State
	// next is the state that the path has after this one; empty if it has none.
	next  string
	trail Trail
}

func (f *follower) follow(stop Stop) error {
	s, number := f.state(stop.State)
	switch {
	case s == nil:
		return f.unknown(stop.State)
	case f.at == nil:
		return wrongWay("machine %q has ended before state %q", f.name, stop.State)
	case s != f.at && len(f.trail.Steps) == 0:
		return wrongWay("machine %q starts in state %q, not in %q", f.name, f.at.Name.Value, stop.State)
	case s != f.at:
		last := f.trail.Steps[len(f.trail.Steps)-1]
		return wrongWay("from state %q, key %q leads to %q, not to %q",
			last.State, last.Key, f.at.Name.Value, stop.State)
	case stop.Open:
		return nil
	case s.Marker():
		return wrongWay("state %q is a marker: the machine ends there, and no agent finishes with %q",
			stop.State, stop.Key)
	case len(f.trail.Steps) >= f.bound:
		return &StepsError{Machine: f.name, State: stop.State, Steps: f.bound}
	}

	return f.take(s, f.states[number].runs, stop.Key)
}

// take lets the agent of a state finish with a key.
func (f *follower) take(s *ir.State, runs *node, key string) error {
	if _, possible := runs.index[outcomeKey{fold: ir.FoldKey(key)}]; !possible {
		if _, possible := runs.index[outcomeKey{fold: ir.FoldKey(key), done: true}]; !possible {
			return f.impossible(s, runs, key)
		}
	}
	step := Step{State: s.Name.Value, Key: key}
	var to *ir.Ref
	switch {
	case s.Terminal():
	case s.Always != nil:
		to, step.Matched = s.Always, "unconditional"
	default:
		found := newRouter(s).routes(key)
		if len(found) == 0 {
			return &KeyError{Machine: f.name, State: s.Name.Value, Key: key, Valid: s.Keys()}
		}
		taken, err := f.choose(s, key, found)
		if err != nil {
			return err
		}
		row := s.Rows[taken.row]
		if !row.End {
			to = &row.To
		}
		step.Matched, step.If = matched(row, key), taken.asked.String()
	}
	f.at = nil
	if to != nil {
		f.at, step.To = to.State, to.Value
	}
	f.trail.Steps = append(f.trail.Steps, step)

	return nil
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

// impossible says that the agent of a state cannot finish with a key.
func (f *follower) impossible(s *ir.State, runs *node, key string) error {
	e := &KeyError{Machine: f.name, State: s.Name.Value, Key: key, Agent: runs.label, Valid: runs.place.Keys}
	if s.Agent == nil {
		return e
	}
	react, isReact := s.Agent.Node.(*ir.React)
	if !isReact {
		problem := fmt.Sprintf("machine %q, state %q: agent %q never finishes with %q", f.name, s.Name.Value, runs.label, key)
		if len(runs.outcomes) > 0 {
			problem += ", only with " + keyList(runs)
		}
		return wrongWay("%s", problem)
	}
	if len(react.Keys) > 0 {
		e.Valid = nil
		for _, declared := range react.Keys {
			e.Valid = append(e.Valid, declared.Value)
		}
	}

	return e
}

func (f *follower) state(name string) (*ir.State, int) {
	for i, s := range f.ir.States {
		if s.Name.Value == name {
			return s, i
		}
	}

	return nil, -1
}

func (f *follower) unknown(name string) error {
	e := &PathError{Problem: fmt.Sprintf("machine %q has no state %q", f.name, name), Name: name}
	for _, s := range f.ir.States {
		e.Known = append(e.Known, s.Name.Value)
	}

	return e
}
