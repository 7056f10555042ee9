package command

import (
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// path checks one path.
func (s *simulation) path() error {
	path, err := simulate.ParsePath(s.c.Flag("path"))
	if err != nil {
		return usagef("--path: %v", err)
	}
	if len(s.options.Roots) > 1 {
		return usagef("the project has several agents that no other contains: choose the machine with --agent")
	}
	agent := s.options.Roots[0]
	name := agent.Name.Value
	switch node := agent.Node.(type) {
	case *ir.Machine:
	case *ir.Workflow:
		machine := simulate.MachineIn(node)
		if machine == nil {
			return usagef("a path leads through a machine, and %q has none at the top, or several", name)
		}
		name = machine.Name.Value
	default:
		return usagef("%q is a %s agent: a path leads through a machine (pattern fsm); choose one with --agent", name, agent.Node.Pattern())
	}

	trail := simulate.Path(s.program, agent, path, s.options)
	show := s.printTrail
	if s.c.On("json") {
		show = s.printTrailJSON
	}
	if err := show(name, trail); err != nil || trail.Err == nil {
		return err
	}
	near := ""
	var unknown *simulate.PathError
	if errors.As(trail.Err, &unknown) && unknown.Name != "" {
		near = cli.DidYouMean(unknown.Name, unknown.Known)
	}

	return problemf("%v%s", trail.Err, near)
}

func (s *simulation) printTrail(machine string, trail *simulate.Trail) error {
	for _, step := range trail.Steps {
		matched := ""
		if step.Matched != "exact" && step.Matched != "" {
			matched = " (" + step.Matched + ")"
		}
		if step.If != "" {
			matched += " if " + step.If
		}
		to := step.To
		if to == "" {
			to = "end"
		}
		_, err := fmt.Fprintf(s.c.Stdout, "%s: %s --%s--> %s%s\n", machine, step.State, step.Key, to, matched)
		if err != nil {
			return err
		}
	}
	switch {
	case trail.Err != nil:
	case ended(trail):
		fmt.Fprintf(s.c.Stderr, "%s takes this path, and ends\n", machine)
	default:
		fmt.Fprintf(s.c.Stderr, "%s takes this path, and goes on in state %q\n", machine, trail.At.Name.Value)
	}

	return nil
}

// ended reports whether the machine has ended behind a path.
func ended(trail *simulate.Trail) bool { return trail.At == nil || trail.At.Marker() }

// The JSON of --path.
type (
	jsonTrail struct {
		Machine string     `json:"machine"`
		Taken   bool       `json:"taken"`
		Steps   []jsonStep `json:"steps"`
		// State is where the machine goes on; null when it has ended.
		State *string    `json:"state"`
		Error *jsonError `json:"error,omitempty"`
	}
	jsonStep struct {
		State   string  `json:"state"`
		Key     string  `json:"key"`
		Matched string  `json:"matched,omitempty"`
		If      string  `json:"if,omitempty"`
		To      *string `json:"to"`
	}
	jsonError struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}
)

func (s *simulation) printTrailJSON(machine string, trail *simulate.Trail) error {
	out := jsonTrail{Machine: machine, Taken: trail.Err == nil, Steps: []jsonStep{}}
	for _, step := range trail.Steps {
		js := jsonStep{State: step.State, Key: step.Key, Matched: step.Matched, If: step.If}
		if step.To != "" {
			js.To = &step.To
		}
		out.Steps = append(out.Steps, js)
	}
	if !ended(trail) {
		out.State = &trail.At.Name.Value
	}
	if trail.Err != nil {
		out.Error = &jsonError{runtime.ErrorType(trail.Err), trail.Err.Error()}
	}

	return printJSON(s.c.Stdout, out)
}
