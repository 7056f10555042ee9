package tools

import (
	"context"
	"fmt"
	"os"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// kind is a kind of tools that a project turns on, with its settings.
type kind interface {
	// Open checks the settings and returns the tools by their canonical names; env looks up environment variables. It
	// does not touch files or the network yet. Errors: *runtime.BadSettingError.
	Open(env func(name string) (value string, ok bool)) (map[string]Tool, error)
}

// readier is a kind that knows why a tool cannot work, before it is called.
type readier interface {
	// Ready returns what is missing for the calls of a tool. Errors: *runtime.BadSettingError.
	Ready(tool string) error
}

// warner is a kind that knows a danger of one of its tools.
type warner interface {
	// Warning returns what the operator of the program should know about a tool; "" if there is nothing.
	Warning(tool string) string
}

// Tool executes one call, whose arguments are valid according to its specification. The call must not be changed: its
// arguments are recorded as the model wrote them. A Tool is safe for concurrent use.
type Tool func(ctx context.Context, call runtime.ToolCall) (runtime.ToolResult, error)

// On returns a function that opens these kinds of tools, for the Builtins of a program; env looks up environment
// variables, nil: os.LookupEnv. Errors: *runtime.BadSettingError.
func On(kinds ...kind) func(env func(name string) (value string, ok bool)) (compiled.BuiltinTools, error) {
	return func(env func(string) (string, bool)) (compiled.BuiltinTools, error) {
		if env == nil {
			env = os.LookupEnv
		}
		s := &set{tools: map[string]Tool{}, kinds: kinds}
		for _, kind := range kinds {
			opened, err := kind.Open(env)
			if err != nil {
				return nil, err
			}
			for name, tool := range opened {
				if s.tools[name] != nil {
					return nil, &runtime.BadSettingError{Name: "tools", Value: name, Problem: "is turned on twice"}
				}
				s.tools[name] = tool
			}
		}

		return s, nil
	}
}

// set executes the built-in tools of a project. It is safe for concurrent use.
type set struct {
	tools map[string]Tool
	kinds []kind
}

// Run executes a call; ok is false if the tool is not of this package, such as one of memory. A problem is part of
// the result. Errors: one with the code OffError, and the cause of ctx once that is done.
func (s *set) Run(ctx context.Context, call runtime.ToolCall) (result runtime.ToolResult, ok bool, err error) {
	name := call.Tool.Name
	known, off := s.find(call.Agent, name)
	if !known || !call.Tool.Builtin {
		return runtime.ToolResult{}, false, nil
	}
	if ctx.Err() != nil {
		return runtime.ToolResult{}, true, context.Cause(ctx)
	}
	if off != nil {
		return runtime.ToolResult{}, true, off
	}
	if call.Tool.Check != nil {
		// An engine has asked already. Asking again costs little, and nothing below has to doubt what it decodes.
		if err := call.Tool.Check(call.Args); err != nil {
			return runtime.ToolResult{Problem: fmt.Sprintf("The arguments of %s do not fit: %v", name, err)}, true, nil
		}
	}

	result, err = s.tools[name](ctx, call)

	return result, true, err
}

// Interruptible implements [runtime.Interruptible].
func (*set) Interruptible() bool { return true }

// find reports whether a tool is of this package, and if the project has not turned it on, that as an error.
func (s *set) find(agent, tool string) (known bool, off error) {
	setting := settingOf(tool)
	if setting == "" {
		return false, nil
	}
	if s.tools[tool] == nil {
		off = offError(agent, tool, setting)
	}

	return true, off
}

// Warning returns what the operator of the program should know about a tool that is on; "" if there is nothing.
func (s *set) Warning(tool string) string {
	for _, kind := range s.kinds {
		if k, can := kind.(warner); can {
			if text := k.Warning(tool); text != "" {
				return text
			}
		}
	}

	return ""
}

// Ready returns why no call of a built-in tool by an agent can succeed: it is turned off, there is no shell, or its folder
// cannot be written. Errors: one with the code OffError, *runtime.BadSettingError.
func (s *set) Ready(agent, tool string) error {
	if _, off := s.find(agent, tool); off != nil {
		return off
	}
	for _, kind := range s.kinds {
		if k, can := kind.(readier); can {
			if err := k.Ready(tool); err != nil {
				return err
			}
		}
	}

	return nil
}
