package script

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
)

// Check returns the names of the script that the program does not have, in source order, each as a *runtime.ScriptError.
func (s *Script) Check(p *runtime.Program) error {
	var errs []error
	for _, l := range s.agents {
		agent, _, _ := strings.Cut(l.base, "/")
		if !hasAgent(p, agent) {
			errs = append(errs, l.where(0, fmt.Sprintf("there is no agent %q; there are %s", agent, agentNames(p))))
		}
	}
	for _, l := range s.tools {
		if !hasTool(p, l.base) {
			errs = append(errs, l.where(0, fmt.Sprintf("there is no tool %q; there are %s", l.base, toolNames(p))))
		}
	}

	return errors.Join(errs...)
}

func hasAgent(p *runtime.Program, name string) bool {
	for _, agent := range p.Agents {
		if agent.Name == name {
			return true
		}
	}

	return false
}

func hasTool(p *runtime.Program, name string) bool {
	for _, tool := range p.Tools {
		if tool.Spec.Name == name {
			return true
		}
	}

	return runtime.Builtin(runtime.CanonicalTool(name)) != nil
}

func agentNames(p *runtime.Program) string {
	names := make([]string, len(p.Agents))
	for i, agent := range p.Agents {
		names[i] = agent.Name
	}

	return strings.Join(names, ", ")
}

func toolNames(p *runtime.Program) string {
	var names []string
	for _, tool := range p.Tools {
		names = append(names, tool.Spec.Name)
	}

	return strings.Join(append(names, runtime.Builtins()...), ", ")
}
