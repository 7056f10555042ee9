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
// program. What a method reports, and a panic, is the result's problem; runtime.ErrNotImplemented and a tool that nothing runs end the run.
func (f *Effects) Tool(call runtime.ToolCall) (runtime.ToolResult, error) {
	if err := f.next(); err != nil {
		return runtime.ToolResult{}, err
	}
	var result runtime.ToolResult
	var err error
	if f.run.journal == nil {
		result, _, err = f.timedTool(call)
	} else {
		result, err = f.journalledTool(call)
	}
	if err == nil {
		f.noteTool(&call, &result)
	}

	return result, err
}

// journalledTool is Tool in a run that has a journal. Memory changes in the order in which that says so.
func (f *Effects) journalledTool(call runtime.ToolCall) (runtime.ToolResult, error) {
	if isMemory(call.Tool) {
		f.run.memory.order.Lock()
		defer f.run.memory.order.Unlock()
	}
	in, remembered := toolIntent(&call), false
	in.skip = func(*journal.Record) {
		if player, path := f.scripted(); player != nil {
			_, _, _ = player.Tool(call, path)
		}
	}
	in.more = func() []journal.Field { return given("memory", truth(remembered)) }
	result, was, err := perform(f, in, toolCodec, func() (result runtime.ToolResult, err error) {
		result, remembered, err = f.timedTool(call)

		return result, err
	})
	f.countRecorded(was)

	return result, err
}

// timedTool runs a tool in the time that budgets leave it. remembered says that the memory has answered.
func (f *Effects) timedTool(call runtime.ToolCall) (result runtime.ToolResult, remembered bool, err error) {
	if err := f.begin(); err != nil {
		return runtime.ToolResult{}, false, err
	}
	result, remembered, err = f.tool(call)
	if err = f.ended(f.run.clean(err)); err != nil {
		f.showCutTool(&call, err)
	}

	return result, remembered, err
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
func (f *Effects) tool(call runtime.ToolCall) (result runtime.ToolResult, remembered bool, err error) {
	player, path := f.scripted()
	if player != nil {
		if result, ok, err := player.Tool(call, path); ok || err != nil {
			return f.run.bounded(result), false, err
		}
	}
	if isMemory(call.Tool) {
		name := call.Tool.Name
		if rt.CanonicalTool(call.Called) == name {
			name = call.Called
		}
		result, _ := f.run.memory.call(name, call.Args)

		return f.run.bounded(result), true, nil
	}
	typed := !call.Tool.Builtin && call.Tool.Server == ""
	switch {
	case player != nil && !typed:
		return runtime.ToolResult{}, false, &runtime.ScriptError{
			Section: "tools", Name: call.Tool.Name, Err: runtime.ErrNotAvailable,
			Problem: fmt.Sprintf("agent %q calls it, but it never runs under a script: give it a list of answers", call.Agent),
		}
	case f.host != nil:
		result, err = f.toolOn(call)

		return result, false, err
	}

	run := f.provided
	if typed {
		run = f.typed
	}
	result, err = run(call)

	return f.run.bounded(result), false, err
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
	case f.stopped() != nil && (err != nil || f.run.journal == nil):
		return runtime.ToolResult{}, f.stopped()
	case errors.Is(err, runtime.ErrNotImplemented):
		return runtime.ToolResult{}, fmt.Errorf("tool %q: %w", call.Tool.Name, err)
	case err != nil:
		return runtime.ToolResult{Problem: err.Error()}, nil
	}

	return result, nil
}
