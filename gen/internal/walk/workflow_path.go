package walk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/hops"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// MachineIn returns the machine that a path through a workflow means: the only one among the steps at the top; nil if there is
// none, or several.
func MachineIn(w *ir.Workflow) *ir.Task {
	var found *ir.Task
	for _, t := range w.Body.Tasks {
		if _, isMachine := t.Do.(*ir.Machine); isMachine {
			if found != nil {
				return nil
			}
			found = t
		}
	}

	return found
}

// workPath follows a path through the machine of a workflow. The keys of the path are events; guards are taken as possible, so
// that of several rows on an event the one is taken that leads to the next state of the path.
func workPath(t *ir.Task, path []Stop, steps int) *Trail {
	m := t.Do.(*ir.Machine)
	f := &workFollower{name: t.Name.Value, graph: hops.Of(m), bound: m.MaxSteps}
	if steps > 0 {
		f.bound = min(steps, f.bound)
	}
	f.at = f.graph.Start
	for i, stop := range path {
		next := ""
		if i+1 < len(path) {
			next = path[i+1].State
		}
		if f.trail.Err = f.follow(stop, next); f.trail.Err != nil {
			break
		}
	}
	if f.at != nil {
		f.trail.At = f.at.State
	}

	return &f.trail
}

// workFollower follows a path.
type workFollower struct {
	name  string
	graph *hops.Machine
	bound int
	// at is the state in which the machine is; nil when it has ended.
	at    *hops.State
	trail Trail
}

// way is what may follow a state.
type workWay struct {
	// to is the state that follows; nil where the machine ends.
	to      *hops.State
	matched string
}

func (f *workFollower) follow(stop Stop, next string) error {
	i := slices.IndexFunc(f.graph.States, func(s *hops.State) bool { return s.Name.Value == stop.State })
	switch {
	case i < 0:
		return f.unknown(stop.State)
	case f.at == nil:
		return wrongWay("machine %q has ended before state %q", f.name, stop.State)
	case f.graph.States[i] != f.at && len(f.trail.Steps) == 0:
		return wrongWay("machine %q starts in state %q, not in %q", f.name, f.at.Name.Value, stop.State)
	case stop.Open:
		return nil
	case f.at.End:
		return wrongWay("machine %q ends in state %q: no steps run there", f.name, stop.State)
	case len(f.trail.Steps) >= f.bound:
		return &StepsError{Machine: f.name, State: stop.State, Steps: f.bound}
	}

	return f.take(stop.Key, next)
}

// take goes on when a state comes out with an event.
func (f *workFollower) take(event, next string) error {
	if !slices.Contains(ir.Events, event) {
		return &PathError{
			Problem: fmt.Sprintf("a state comes out with success, failure or pause, not with %q", event),
			Name:    event, Known: ir.Events,
		}
	}
	ways := f.ways(event)
	if len(ways) == 0 {
		return wrongWay("machine %q, state %q: no row is for a %s", f.name, f.at.Name.Value, event)
	}
	way := ways[0]
	if next != "" {
		i := slices.IndexFunc(ways, func(w workWay) bool { return w.to != nil && w.to.Name.Value == next })
		if i < 0 {
			return wrongWay("from state %q, %s leads to %s, not to %q", f.at.Name.Value, event, targets(ways), next)
		}
		way = ways[i]
	}
	step := Step{State: f.at.Name.Value, Key: event, Matched: way.matched}
	if f.at = way.to; f.at != nil {
		step.To = f.at.Name.Value
	}
	f.trail.Steps = append(f.trail.Steps, step)

	return nil
}

// ways returns what may follow where the machine is.
func (f *workFollower) ways(event string) []workWay {
	var ways []workWay
	for _, row := range f.at.Rows {
		if row.Key.Value != event || hops.Stays(f.at.State, row) {
			continue
		}
		matched := "exact"
		if row.When != nil {
			matched = "guard"
		} else if row.FromAny() {
			matched = "catch-all"
		}
		ways = append(ways, workWay{f.graph.StateOf(row.To.State), matched})
	}
	if event != ir.OnSuccess {
		return ways
	}
	for _, ref := range f.at.Next {
		ways = append(ways, workWay{f.graph.StateOf(ref.State), "next-state"})
	}
	if f.at.Open {
		for _, s := range f.graph.States {
			ways = append(ways, workWay{s, "next-state"})
		}
	}

	return ways
}

// targets lists where ways lead.
func targets(ways []workWay) string {
	var names []string
	for _, w := range ways {
		name := "the end"
		if w.to != nil {
			name = fmt.Sprintf("%q", w.to.Name.Value)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}

	return strings.Join(names, " or ")
}

func (f *workFollower) unknown(name string) error {
	e := &PathError{Problem: fmt.Sprintf("machine %q has no state %q", f.name, name), Name: name}
	for _, s := range f.graph.States {
		e.Known = append(e.Known, s.Name.Value)
	}

	return e
}
