package script

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/nearest"
)

// Check returns the names of the script that the program does not have, in source order, each as a
// *runtime.ScriptError.
func (s *Script) Check(p *compiled.Program) error {
	var errs []error
	check := func(lists []*head, problem func(name string) string) {
		for _, l := range lists {
			if found := problem(l.base); found != "" {
				errs = append(errs, l.errorAt(0, found))
			}
		}
	}
	check(headsOf(s.agents), func(name string) string { return agentProblem(p, name) })
	check(headsOf(s.tools), func(name string) string { return toolProblem(p, name) })
	check(headsOf(s.funcs), func(name string) string { return problemAmong("function", name, p.Funcs) })
	check(headsOf(s.guards), func(name string) string { return problemAmong("guard", name, p.Guards) })
	check(headsOf(s.asks), func(name string) string { return problemAmong("question", name, askableNames(p)) })

	return errors.Join(errs...)
}

// problemAmong returns the problem with a name that is unknown; "" if it is known.
func problemAmong(kind, name string, known []string) string {
	if slices.Contains(known, name) {
		return ""
	}

	return unknownName(kind, name, known)
}

// textsOf are the texts of some things.
func textsOf[T any](things []T, text func(T) string) []string {
	texts := make([]string, len(things))
	for i, thing := range things {
		texts[i] = text(thing)
	}

	return texts
}

// agentProblem returns why a name cannot have turns: it must name an agent, or agent/step.
func agentProblem(p *compiled.Program, name string) string {
	agent, step, isStep := strings.Cut(name, "/")
	i := slices.IndexFunc(p.Agents, func(a compiled.Agent) bool { return a.Name == agent })
	switch {
	case i < 0 && slices.Contains(p.Funcs, name):
		return fmt.Sprintf("%q is a function%s", name, underFuncs)
	case i < 0:
		return unknownName("agent", agent, textsOf(p.Agents, func(a compiled.Agent) string { return a.Name }))
	}

	conversations := p.Agents[i].Conversations()
	isByHand := p.Agents[i].Pattern != workflowPattern && len(p.Agents[i].Contains) == 0
	if !isStep && len(conversations) == 0 && isByHand {
		return "" // its model is not known
	}
	known := textsOf(conversations, func(c compiled.Conversation) string { return c.Name })
	if slices.Contains(known, name) {
		return ""
	}
	problem := fmt.Sprintf("agent %q calls no model itself", agent)
	if isStep {
		problem = fmt.Sprintf("agent %q has no step %q", agent, step)
	}
	switch {
	case len(conversations) > 0:
		problem += "; its turns are under " + listNames(known)
	case !isStep && len(p.Funcs) > 0:
		problem += underFuncs
	}

	return problem
}

// workflowPattern is the pattern of agents that are workflows.
const workflowPattern = "workflow"

// underFuncs explains where a script answers for functions.
const underFuncs = `; functions are answered under "funcs", with {"result": VALUE}`

// unknownName returns the problem of an unknown name, with the name that may have been meant.
func unknownName(kind, name string, known []string) string {
	return fmt.Sprintf("there is no %s %q%s; there are %s", kind, name, nearest.DidYouMean(name, known), listNames(known))
}

// toolProblem returns the problem with the name of a tool that does not exist; "" if it exists.
func toolProblem(p *compiled.Program, name string) string {
	if rt.Builtin(name) != nil {
		return ""
	}
	own := textsOf(p.Tools, func(tool *runtime.ToolSpec) string { return tool.Name })

	return problemAmong("tool", name, append(own, rt.Builtins()...))
}

// askableNames returns the names of what a person may be asked: agents that ask, and tools that
// need a confirmation.
func askableNames(p *compiled.Program) []string {
	var known []string
	for _, agent := range p.Agents {
		if agent.Pattern == "human" {
			known = append(known, agent.Name)
		}
		known = append(known, agent.Questions...)
	}
	for _, tool := range p.Tools {
		if tool.Confirm {
			known = append(known, tool.Name)
		}
	}

	return known
}

func listNames(known []string) string {
	if len(known) == 0 {
		return "none"
	}

	return strings.Join(known, ", ")
}
