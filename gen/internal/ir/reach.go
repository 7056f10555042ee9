package ir

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Reach is what the built-in tools may reach. The zero value is nothing.
type Reach struct {
	// Root is the folder of the file tools, as the config has it; empty: they are off.
	Root Text
	// Hosts are the entries of http.allow; none: the http tools are off.
	Hosts []Text
	// RootMax and HostsMax bound a file that is read or written and the body of an answer or a request, in bytes; 0 when not given.
	RootMax, HostsMax int64
	// Shell says that commands run, in Root.
	Shell bool
	// Config is the first line of the config file that counts; no place without one.
	Config source.Span
}

// variable is how a text names a variable of the environment; with a dollar more before it, it is itself.
var variable = regexp.MustCompile(`\$?\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// Vars are the names of all variables of the environment that agents and skills declare or that skills and the address of the store
// write as ${NAME}, sorted: their values are secrets.
func (p *Program) Vars() []string {
	names := append(written(p.Store.Value), Flat(p.Agents, func(a *Agent) []string { return Values(a.Env) })...)
	for _, s := range p.Skills {
		names = slices.Concat(names, Values(s.Env), s.Vars())
	}

	return Sorted(names)
}

// Vars are the names of the variables that calls of the skill's tools may name, sorted: those that it declares, and those that its
// body has as ${NAME}.
func (s *Skill) Vars() []string {
	if !slices.ContainsFunc(s.Tools, func(ref ToolRef) bool { return ref.TakesVars }) {
		return nil
	}
	return Sorted(append(Values(s.Env), written(s.Body.Value)...))
}

// Vars are the names of the variables that the server is given, or that its headers have as ${NAME}, sorted.
func (s *Server) Vars() []string {
	return Sorted(slices.Concat(s.Env, Flat(s.Headers, func(h Header) []string { return written(h.Value) })))
}

// written returns the names of the variables that a text has as ${NAME}.
func written(text string) []string {
	var names []string
	for _, match := range variable.FindAllString(text, -1) {
		if name, ok := strings.CutPrefix(match, "${"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}

	return names
}
