package client

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// Part is the servers of a program as a part of it. It implements core.ToolSource.
type Part struct {
	Servers []Server
}

// Server is a server as a skill defines it, with the pins of its tools.
type Server struct {
	// Name is the project's name for it.
	Name string
	// Command starts the server; otherwise URL is its address.
	Command []string
	URL     string
	// Env are the environment variables that a command receives.
	Env []string
	// Headers are sent to a URL; ${NAME} in a value is an environment variable.
	Headers []Header
	// Protocol is the pinned version of the protocol; "": the server chooses.
	Protocol string
	// Tools are the tools that skills unlock.
	Tools []Tool
}

// Header is a header of a request.
type Header struct{ Name, Value string }

// Tool is a tool of a server.
type Tool struct {
	// Spec is the pinned description of the tool, under the name that models use.
	Spec *runtime.ToolSpec
	// Remote is its name at the server.
	Remote string
	// Hints are the server's hints about its effect, sorted: additive, closed-world, idempotent, read-only.
	Hints []string
	// CheckOutput returns what is wrong with a result; nil for a tool whose results are text.
	CheckOutput func(json.RawMessage) error
}

// Part implements compiled.Part.
func (Part) Part() string { return "mcp client" }

// OpenTools implements core.ToolSource: it starts or calls the servers, all at the same time, and compares their
// tools with the pins. If ctx ends meanwhile, the error is its cause, and the servers are stopped.
func (p Part) OpenTools(ctx context.Context, env func(string) (string, bool)) (compiled.BuiltinTools, func() error, error) {
	o := &opened{sessions: map[string]*session{}}
	var wait sync.WaitGroup
	errs := make([]error, len(p.Servers))
	for i, s := range p.Servers {
		leased := leaseSession(s, env)
		o.sessions[s.Name] = leased
		wait.Go(func() { _, errs[i] = leased.currentLink(ctx) })
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		o.releaseServers()
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		return nil, nil, err
	}

	return o, func() error { o.releaseServers(); return nil }, nil
}

// opened are the servers of one run.
type opened struct {
	sessions map[string]*session
	once     sync.Once
}

// Run implements compiled.BuiltinTools.
func (o *opened) Run(ctx context.Context, call runtime.ToolCall) (runtime.ToolResult, bool, error) {
	s := o.sessions[call.Tool.Server]
	if s == nil || call.Tool.Server == "" {
		return runtime.ToolResult{}, false, nil
	}
	for _, tool := range s.server.Tools {
		if tool.Spec.Name == call.Tool.Name {
			result, err := s.callTool(ctx, tool, call.Args)
			return result, true, err
		}
	}

	return runtime.ToolResult{}, false, nil
}

// releaseServers releases all servers at the same time, and waits for each to end.
func (o *opened) releaseServers() {
	o.once.Do(func() {
		var wait sync.WaitGroup
		for _, s := range o.sessions {
			wait.Go(s.releaseSession)
		}
		wait.Wait()
	})
}
