package bearer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/internal/text/nearest"
	"github.com/agentc-dev/agentc/runtime/servers/access"
)

// UnknownName is a name in a list of a token that the program does not have.
type UnknownName struct {
	// List is agents, questions or machines.
	List string
	// Problem says so in words.
	Problem string
}

// UnknownNames returns the names in the lists of a grant that the program does not have. Questions are looked for among those that
// are known before a run; tools of MCP servers can ask others. A program that was made by hand may know none of its questions
// before: then all are right.
func UnknownNames(p *compiled.Program, g access.Grant) (names []UnknownName) {
	add := func(list string, given, known []string, text string) {
		for _, name := range given {
			if !slices.Contains(known, name) {
				names = append(names, UnknownName{list, fmt.Sprintf(text, name) + nearest.DidYouMean(name, known)})
			}
		}
	}
	var agents, machines []string
	for i := range p.Agents {
		agents = append(agents, p.Agents[i].Name)
	}
	for _, m := range p.Machines {
		machines = append(machines, m.Name, strings.ReplaceAll(m.Name, "-", "_")) // which are the same
	}
	add("agents", g.Agents, agents, "the program has no agent %q")
	add("machines", g.Machines, machines, "the program has no machine %q")
	if questions := questionsOf(p); len(questions) > 0 {
		asked := slices.DeleteFunc(slices.Clone(g.Questions), func(id string) bool { return strings.HasPrefix(id, unknown.Question("")) })
		add("questions", asked, questions, "no question %q of the program is known before it is asked")
	}

	return names
}

// WarnOfNames warns of what the tokens name and the program does not have. warn writes a message with names and values to a log. It is
// no *slog.Logger, because that would link package slog into binaries without a server.
func WarnOfNames(warn func(message string, args ...any), p *compiled.Program, tokens *access.Tokens) {
	for _, g := range tokens.Grants() {
		for _, name := range UnknownNames(p, g) {
			warn("a token names what the program does not have", "token", g.Name, "list", name.List, "problem", name.Problem)
		}
	}
}

// questionsOf returns the ids of the questions that are known before a run: of workflows, of people who are agents, and about tools
// that ask before they are called.
func questionsOf(p *compiled.Program) (ids []string) {
	for i := range p.Agents {
		ids = append(ids, p.Agents[i].Questions...)
		if p.Agents[i].Pattern == "human" {
			ids = append(ids, p.Agents[i].Name)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	for i := range p.Agents {
		ids = append(ids, p.Agents[i].Builtins...)
	}
	for _, tool := range p.Tools {
		ids = append(ids, tool.Name)
	}

	return ids
}
