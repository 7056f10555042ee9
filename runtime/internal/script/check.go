package script

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/nearest"
)

// Check returns the names of the script that the program does not have, in source order, each as a *runtime.ScriptError.
func (s *Script) Check(p *runtime.Program) error {
	var errs []error
	for _, l := range s.agents {
		if problem := agentProblem(p, l.base); problem != "" {
			errs = append(errs, l.where(0, problem))
		}
	}
	for _, l := range s.tools {
		if !hasTool(p, l.base) {
			errs = append(errs, l.where(0, unknown("tool", l.base, toolNames(p))))
		}
	}
	for _, l := range s.funcs {
		if !slices.Contains(p.Funcs, l.base) {
			errs = append(errs, l.where(0, unknown("function", l.base, p.Funcs)))
		}
	}
	for _, l := range s.guards {
		if !slices.Contains(p.Guards, l.base) {
			errs = append(errs, l.where(0, unknown("guard", l.base, p.Guards)))
		}
	}
	for _, l := range s.asks {
		if known := questions(p); !slices.Contains(known, l.base) {
			errs = append(errs, l.where(0, unknown("question", l.base, known)))
		}
	}

	return errors.Join(errs...)
}

// agentProblem says why no turns can stand under a name: that of an agent, or agent/step.
func agentProblem(p *runtime.Program, name string) string {
	agent, step, isStep := strings.Cut(name, "/")
	i := slices.IndexFunc(p.Agents, func(a runtime.AgentInfo) bool { return a.Name == agent })
	if i < 0 {
		return unknown("agent", agent, agentNames(p))
	}

	conversations := p.Agents[i].Conversations()
	if !isStep && len(conversations) == 0 && len(p.Agents[i].Contains) == 0 {
		return "" // written by hand, without its model
	}
	if slices.ContainsFunc(conversations, func(c runtime.StepInfo) bool { return c.Name == name }) {
		return ""
	}
	problem := fmt.Sprintf("agent %q calls no model itself", agent)
	if isStep {
		problem = fmt.Sprintf("agent %q has no step %q", agent, step)
	}
	if len(conversations) > 0 {
		problem += "; its turns stand under " + names(conversationNames(conversations))
	}

	return problem
}

// unknown says that there is nothing of this name, and what may have been meant.
func unknown(kind, name string, known []string) string {
	meant := ""
	if near, ok := nearest.Name(name, known); ok {
		meant = fmt.Sprintf(" (did you mean %q?)", near)
	}

	return fmt.Sprintf("there is no %s %q%s; there are %s", kind, name, meant, names(known))
}

func hasTool(p *runtime.Program, name string) bool {
	known := func(tool runtime.ToolInfo) bool { return tool.Spec.Name == name }

	return slices.ContainsFunc(p.Tools, known) || runtime.Builtin(runtime.CanonicalTool(name)) != nil
}

// questions are the names of what a person may be asked: agents that ask, and tools that want to be confirmed.
func questions(p *runtime.Program) []string {
	var known []string
	for _, agent := range p.Agents {
		if agent.Pattern == "human" {
			known = append(known, agent.Name)
		}
		known = append(known, agent.Questions...)
	}
	for _, tool := range p.Tools {
		if tool.Spec.Confirm {
			known = append(known, tool.Spec.Name)
		}
	}

	return known
}

func agentNames(p *runtime.Program) []string {
	known := make([]string, len(p.Agents))
	for i, agent := range p.Agents {
		known[i] = agent.Name
	}

	return known
}

func conversationNames(conversations []runtime.StepInfo) []string {
	known := make([]string, len(conversations))
	for i, c := range conversations {
		known[i] = c.Name
	}

	return known
}

func toolNames(p *runtime.Program) []string {
	var known []string
	for _, tool := range p.Tools {
		known = append(known, tool.Spec.Name)
	}

	return append(known, runtime.Builtins()...)
}

func names(known []string) string {
	if len(known) == 0 {
		return "none"
	}

	return strings.Join(known, ", ")
}
