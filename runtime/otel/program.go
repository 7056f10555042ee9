package otel

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// program is what is known at compile time about who runs whom: the agents by their names.
type program map[string]compiled.Agent

func newProgram(p *compiled.Program) program {
	agents := make(program, len(p.Agents))
	for _, a := range p.Agents {
		agents[a.Name] = a
	}

	return agents
}

// link is an agent, or a conversation of one, that runs where another does.
type link struct {
	// agent is the agent, name it or its conversation.
	agent, name string
	// flow reports whether it runs conversations or other agents, and is none itself.
	flow bool
}

// ownerOf returns the agent that a conversation belongs to.
func (p program) ownerOf(conversation string) string {
	if _, ok := p[conversation]; ok {
		return conversation
	}
	agent, _, _ := strings.Cut(conversation, "/")

	return agent
}

// isFlow reports whether an agent is more than one conversation.
func (p program) isFlow(agent string) bool {
	a, ok := p[agent]

	return ok && (len(a.Steps) > 0 || a.Model == nil)
}

// conversationLinks returns the links from an agent to one of its conversations.
func (p program) conversationLinks(name string) []link {
	agent := p.ownerOf(name)
	inner := link{agent: agent, name: name}
	if !p.isFlow(agent) {
		return []link{inner}
	}

	return []link{p.agentLink(agent), inner}
}

// agentLink returns the link of an agent as a whole.
func (p program) agentLink(name string) link {
	return link{agent: name, name: name, flow: p.isFlow(name)}
}

// forking are the patterns whose agents run something side by side.
var forking = []string{"best-of-n", "chain-of-verification", "debate", "parallel", "scatter", "workflow"}

// canFork reports whether an agent may run something side by side.
func (p program) canFork(l link) bool {
	return l.flow && slices.Contains(forking, p[l.agent].Pattern)
}

// agentPath is the agents by which one agent gets to another, which it runs: the shortest way, the other included. ok is false if there is
// none.
func (p program) agentPath(from, to string) (path []string, ok bool) {
	seen := map[string]bool{from: true}
	for queue := [][]string{{from}}; len(queue) > 0; queue = queue[1:] {
		way := queue[0]
		last := way[len(way)-1]
		if last == to {
			return way[1:], true
		}
		for _, next := range p[last].Contains {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, append(slices.Clip(way), next))
			}
		}
	}

	return nil, false
}

// chainBelow is what runs between a link and the last of want, both being what is under way: want is a conversation or an agent. ok is false
// if the link does not lead there.
func (p program) chainBelow(l link, want []link) (chain []link, ok bool) {
	last := want[len(want)-1]
	if l == last {
		return nil, true
	}
	path, ok := p.agentPath(l.agent, last.agent)
	switch {
	case !ok || !l.flow && len(path) == 0:
		return nil, false
	case len(path) == 0:
		return want[1:], len(want) > 1
	}
	for _, agent := range path[:len(path)-1] {
		chain = append(chain, p.agentLink(agent))
	}

	return append(chain, want...), true
}
