package ir

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Reach is what the built-in tools can access. The zero value is nothing.
type Reach struct {
	// Root is the folder of the file tools, as in the config. If it is empty, they are disabled.
	Root Text
	// Hosts are the entries of http.allow. Without entries, the http tools are disabled.
	Hosts []Text
	// RootMax and HostsMax bound the size of a file that is read or written and the body of a
	// response or a request, in bytes; 0 if they are not set.
	RootMax, HostsMax int64
	// Shell enables commands, in Root.
	Shell bool
	// Config is the first line of the config file in effect; the zero Span without one.
	Config source.Span
}

// envVarPattern matches a variable of the environment in a text. With another dollar before it, it
// is literal text.
var envVarPattern = regexp.MustCompile(`\$?\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// EnvVars returns the names of all variables of the environment that agents and skills declare, or
// that skills and the address of the store write as ${NAME}, sorted. Their values are secrets.
func (p *Program) EnvVars() []string {
	names := append(envVarsIn(p.Store.Value), FlatMap(p.Agents, func(a *Agent) []string { return Values(a.Env) })...)
	for _, s := range p.Skills {
		names = slices.Concat(names, Values(s.Env), s.EnvVars())
	}

	return Sorted(names)
}

// EnvVars returns the names of the variables that calls of the skill's tools may name, sorted: the
// declared ones, and those that its body has as ${NAME}.
func (s *Skill) EnvVars() []string {
	if !slices.ContainsFunc(s.Tools, func(ref ToolRef) bool { return ref.TakesVars }) {
		return nil
	}
	return Sorted(append(Values(s.Env), envVarsIn(s.Body.Value)...))
}

// EnvVars returns the names of the variables that the server receives, or that its headers have as
// ${NAME}, sorted.
func (s *Server) EnvVars() []string {
	return Sorted(slices.Concat(s.Env, FlatMap(s.Headers, func(h Header) []string { return envVarsIn(h.Value) })))
}

// envVarsIn returns the names of the variables that a text has as ${NAME}.
func envVarsIn(text string) []string {
	var names []string
	for _, match := range envVarPattern.FindAllString(text, -1) {
		if name, ok := strings.CutPrefix(match, "${"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}

	return names
}
