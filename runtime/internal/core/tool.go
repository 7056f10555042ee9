package core

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// Tool runs a tool: a section of the script answers, else the user's method, memory, what the project has turned on, or a part of the
// program. What a method reports, and a panic, is the result's problem; runtime.ErrNotImplemented and a tool that nobody runs end the run.
func (f *Effects) Tool(call runtime.ToolCall) (runtime.ToolResult, error) {
	if err := f.next(); err != nil {
		return runtime.ToolResult{}, err
	}
	if f.run.tape != nil {
		return f.tapedTool(call)
	}
	result, err := f.timedTool(call)
	if err == nil {
		f.noteTool(&call, &result)
	}

	return result, err
}

// tapedTool is Tool in a run that has a journal. Memory changes in the order in which that says so.
func (f *Effects) tapedTool(call runtime.ToolCall) (runtime.ToolResult, error) {
	if isMemory(call.Tool) {
		f.run.memory.order.Lock()
		defer f.run.memory.order.Unlock()
	}
	in := toolIntent(&call)
	in.skip = func(*journal.Record) {
		if player, path := f.scripted(); player != nil {
			_, _, _ = player.Tool(call, path)
		}
	}
	f.remembered = false
	result, was, err := perform(f, in, toolCodec, func() (runtime.ToolResult, error) { return f.timedTool(call) })
	if was != nil {
		f.recalled(was)
	}
	if err == nil {
		f.noteTool(&call, &result)
	}

	return result, err
}

func (f *Effects) timedTool(call runtime.ToolCall) (runtime.ToolResult, error) {
	if err := f.begin(); err != nil {
		return runtime.ToolResult{}, err
	}
	result, err := f.tool(call)
	if err = f.ended(f.run.clean(err)); err != nil {
		f.showCutTool(&call, err)
	}

	return result, err
}

func (f *Effects) noteTool(call *runtime.ToolCall, result *runtime.ToolResult) {
	if f.Watched() {
		f.showsTool(call)
		f.Note(event.Event{
			Kind: event.Tool, Agent: call.Agent, Name: call.Tool.Name, Args: string(call.Args),
			Text: result.Text, JSON: result.JSON, Problem: result.Problem,
		})
	}
}

// tool runs a call here or on the host, whose worker has bounded the result then.
func (f *Effects) tool(call runtime.ToolCall) (runtime.ToolResult, error) {
	player, path := f.scripted()
	if player != nil {
		if result, ok, err := player.Tool(call, path); ok || err != nil {
			return f.run.bounded(result), err
		}
	}
	if isMemory(call.Tool) {
		name := call.Tool.Name
		if rt.CanonicalTool(call.Called) == name {
			name = call.Called
		}
		result, _ := f.run.memory.call(name, call.Args)
		f.remembered = true

		return f.run.bounded(result), nil
	}
	typed := !call.Tool.Builtin && call.Tool.Server == ""
	switch {
	case player != nil && !typed:
		return runtime.ToolResult{}, &runtime.ScriptError{
			Section: "tools", Name: call.Tool.Name, Err: runtime.ErrNotAvailable,
			Problem: fmt.Sprintf("agent %q calls it, but it never runs under a script: give it a list of answers", call.Agent),
		}
	case f.host != nil:
		return f.toolOn(call)
	}

	run := f.provided
	if typed {
		run = f.typed
	}
	result, err := run(call)

	return f.run.bounded(result), err
}

// typed runs a method of Tools.
func (f *Effects) typed(call runtime.ToolCall) (runtime.ToolResult, error) {
	if call.Run == nil {
		return runtime.ToolResult{}, fmt.Errorf("tool %q: %w", call.Tool.Name, runtime.ErrNotImplemented)
	}
	result, err := within(f.userContext(), "tool "+call.Tool.Name, func(ctx context.Context) (runtime.ToolResult, error) {
		return call.Run(ctx, call.Args)
	})

	switch {
	case f.stopped() != nil && (err != nil || f.run.tape == nil):
		return runtime.ToolResult{}, f.stopped()
	case errors.Is(err, runtime.ErrNotImplemented):
		return runtime.ToolResult{}, fmt.Errorf("tool %q: %w", call.Tool.Name, err)
	case err != nil:
		return runtime.ToolResult{Problem: err.Error()}, nil
	}

	return result, nil
}
