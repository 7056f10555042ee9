package ir

import (
	"cmp"
	"slices"
)

// Server is an MCP server whose tools skills unlock.
type Server struct {
	// Name is its name in the project.
	Name Text
	// Command starts it, or URL is its address.
	Command []string
	URL     string
	// Env are the variables that it receives, sorted.
	Env []string
	// Headers are sent with each request, sorted by name. ${NAME} in a value means a variable.
	Headers []Header
	// Protocol is the pinned version of the protocol; "" for a server without a pin.
	Protocol string
	// Tools are the tools that skills unlock, sorted by name, each once.
	Tools []*Tool
}

// Header is a header of a request.
type Header struct{ Name, Value string }

// AllTools returns the tools that are not built in, sorted by name: the typed ones and the tools of
// servers.
func (p *Program) AllTools() []*Tool {
	all := slices.Concat(p.Tools, FlatMap(p.Servers, func(s *Server) []*Tool { return s.Tools }))
	slices.SortStableFunc(all, func(a, b *Tool) int { return cmp.Compare(a.Name.Value, b.Name.Value) })

	return all
}

// LacksTools reports whether some tools of a skill are not known. An unknown name may then be the
// name of one.
func (p *Program) LacksTools() bool {
	return slices.ContainsFunc(p.Skills, func(s *Skill) bool { return s.Partial })
}

// IsTyped reports whether the entry is a tool that the user writes in Go.
func (r ToolRef) IsTyped() bool { return r.Tool != nil && r.Tool.Server == nil }
