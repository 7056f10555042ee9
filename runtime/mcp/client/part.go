package client

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/compiled"
)

// Part is the servers of a program. It implements core.ToolSource.
type Part struct {
	Servers []Server
}

// Server is a server as a skill has it, and what is pinned of it.
type Server struct {
	// Name is what the project calls it.
	Name string
	// Command starts it, or URL is where it is.
	Command []string
	URL     string
	// Env are the variables that a command is given.
	Env []string
	// Headers are sent to a URL; ${NAME} in a value stands for a variable.
	Headers []Header
	// Protocol is the version of the protocol that it spoke; "" asks it.
	Protocol string
	// Tools are those that skills unlock.
	Tools []Tool
}

// Header is a header of a request.
type Header struct{ Name, Value string }

// Tool is a tool of a server.
type Tool struct {
	// Spec is what is pinned of it, under the name that models know.
	Spec *runtime.ToolSpec
	// Remote is its name at the server.
	Remote string
	// Hints are what the server says of its effect, sorted: additive, closed-world, idempotent, read-only.
	Hints []string
	// CheckOutput says what is wrong with a result; nil for a tool whose results are text.
	CheckOutput func(json.RawMessage) error
}

// Part implements compiled.Part.
func (Part) Part() string { return "mcp client" }

// OpenTools implements core.ToolSource: it starts or calls the servers, all at once, and compares what they offer with the pins.
// When ctx ends meanwhile, the error is its cause, and the servers are stopped.
func (p Part) OpenTools(ctx context.Context, env func(string) (string, bool)) (compiled.BuiltinTools, func() error, error) {
	o := &opened{sessions: map[string]*session{}}
	var wait sync.WaitGroup
	errs := make([]error, len(p.Servers))
	for i, s := range p.Servers {
		leased := lease(s, env)
		o.sessions[s.Name] = leased
		wait.Go(func() { errs[i] = leased.open(ctx) })
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		o.close()
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		return nil, nil, err
	}

	return o, func() error { o.close(); return nil }, nil
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
			result, err := s.call(ctx, tool, call.Args)
			return result, true, err
		}
	}

	return runtime.ToolResult{}, false, nil
}

// close gives the servers back, all at once: one that does not end is waited for.
func (o *opened) close() {
	o.once.Do(func() {
		var wait sync.WaitGroup
		for _, s := range o.sessions {
			wait.Go(s.release)
		}
		wait.Wait()
	})
}
