package core

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Tool runs a tool: a section of the script answers, else the user's method, memory, what the
// project has turned on, or a part of the program. A method's error, or a panic, is the result's
// problem. runtime.ErrNotImplemented, and a tool that nothing runs, end the run.
func (f *Effects) Tool(call runtime.ToolCall) (runtime.ToolResult, error) {
	if err := f.beginEffect(); err != nil {
		return runtime.ToolResult{}, err
	}
	if f.run.journal != nil && isMemory(call.Tool) { // memory changes in the order in which the journal has it
		f.run.memory.order.Lock()
		defer f.run.memory.order.Unlock()
	}
	e := &toolEffect{basic: basic{f}, call: call}
	if err := f.newExecution(e).execute(); err != nil {
		return runtime.ToolResult{}, err
	}
	e.note()

	return e.result, nil
}

// toolEffect is a call of a tool.
type toolEffect struct {
	basic
	call   runtime.ToolCall
	result runtime.ToolResult
	// returned is what the method has returned. One that was abandoned may still write it.
	returned runtime.ToolResult
	// remembered reports whether the memory has answered.
	remembered bool
}

func (e *toolEffect) intent() *intent {
	call, args := &e.call, string(e.call.Args)
	in := &intent{
		kind: replay.KindTool, what: call.Tool.Name, shape: digestOf(replay.KindTool, call.Tool.Name, args),
		fields: []journal.Field{{Name: "agent", Value: call.Agent}, {Name: "args", Value: args}},
		class:  replay.ClassOnce, onUnknown: call.Tool.OnUnknown,
		agent: call.Agent, args: call.Args, output: call.Tool.Output, check: call.Tool.CheckOutput,
	}
	player, _ := e.fx.scriptPlayer()
	switch {
	case player != nil && !e.isTyped(): // the script answers, or the run fails
		in.class = replay.ClassFree
	case call.Tool.Effect == runtime.EffectRead:
		in.class = replay.ClassRead
	case call.Tool.Idempotent, isMemory(call.Tool):
		in.class = replay.ClassIdempotent
	}

	return in
}

// isTyped reports whether the tool is a method of Tools.
func (e *toolEffect) isTyped() bool { return !e.call.Tool.Builtin && e.call.Tool.Server == "" }

// runInEngine has a script answer, or the memory.
func (e *toolEffect) runInEngine() (ok bool, err error) {
	player, path := e.fx.scriptPlayer()
	if player != nil {
		if result, ok, err := player.Tool(e.call, path); ok || err != nil {
			e.result = e.fx.run.limitResult(result)

			return ok, err
		}
	}
	name := e.call.Tool.Name
	switch {
	case isMemory(e.call.Tool):
		if called := rt.Builtin(e.call.Called); called != nil && called.Name == name {
			name = e.call.Called
		}
		result, _ := e.fx.run.memory.call(name, e.call.Args)
		e.result, e.remembered = e.fx.run.limitResult(result), true

		return true, nil
	case player != nil && !e.isTyped():
		return false, &runtime.ScriptError{
			Section: "tools", Name: name, Err: runtime.ErrNotAvailable,
			Problem: fmt.Sprintf("agent %q calls it, but it never runs under a script: give it a list of answers", e.call.Agent),
		}
	}

	return false, nil
}

func (e *toolEffect) skipRecorded(*journal.Record) {
	if player, path := e.fx.scriptPlayer(); player != nil {
		_, _, _ = player.Tool(e.call, path)
	}
}

// runOnHost has the host run the tool, whose worker bounds the result.
func (e *toolEffect) runOnHost() (err error) {
	e.result, err = e.fx.host.Tool(e.fx.scope.EffectContext(), e.fx.callInfoNow(), e.call)

	return err
}

func (e *toolEffect) runInProcess() (err error) {
	if e.isTyped() {
		err = e.runMethod()
	} else {
		e.result, err = e.runBuiltin()
	}
	e.result = e.fx.run.limitResult(e.result)

	return err
}

func (e *toolEffect) finish(err error) error {
	err = e.basic.finish(err)
	if err != nil {
		e.showCut(err)
	}

	return err
}

func (e *toolEffect) resultFields() []journal.Field {
	r := &e.result

	return field.Optional("text", r.Text, "json", field.Bool(r.JSON), "problem", r.Problem, "shown", field.Count(int64(r.Shown)))
}

func (e *toolEffect) extraFields() []journal.Field {
	return field.Optional("memory", field.Bool(e.remembered))
}

func (e *toolEffect) readResult(r *journal.Record) error {
	shown, err := field.ParseCount(r.Value("shown"))
	e.result = runtime.ToolResult{
		Text: r.Value("text"), JSON: r.Value("json") == "true", Problem: r.Value("problem"), Shown: int(shown),
	}

	return err
}

func (e *toolEffect) skipUnknown() error {
	e.result = runtime.ToolResult{Problem: "This call had begun when the work was interrupted. Whether it has happened is not known, " +
		"and it was not repeated."}

	return nil
}

func (e *toolEffect) setResult(text string, isJSON bool) {
	e.result = runtime.ToolResult{Text: text, JSON: isJSON}
}

// runMethod runs a method of Tools.
func (e *toolEffect) runMethod() error {
	name := e.call.Tool.Name
	if e.call.Run == nil {
		return fmt.Errorf("tool %q: %w", name, runtime.ErrNotImplemented)
	}
	err := e.fx.callUser(0, usercode.Name{Kind: "tool", Name: name}, e.call.Tool.Interruptible, e)
	cause := e.fx.cutShort(err)
	switch {
	case cause != nil:
		return cause
	case errors.Is(err, runtime.ErrNotImplemented):
		return fmt.Errorf("tool %q: %w", name, err)
	case err != nil:
		e.result = runtime.ToolResult{Problem: err.Error()}
	default:
		e.result = e.returned
	}

	return nil
}

// Run implements usercode.Code.
func (e *toolEffect) Run(ctx context.Context) (err error) {
	e.returned, err = e.call.Run(ctx, e.call.Args)

	return err
}

// note reports the call.
func (e *toolEffect) note() {
	if !e.fx.Watched() {
		return
	}
	result, ended := &e.result, e.event()
	ended.Text, ended.JSON, ended.Problem = result.Text, result.JSON, result.Problem
	e.fx.note(&ended, e.detail(nil))
}

// showCut notifies observers of the run of a call that has no result.
func (e *toolEffect) showCut(cause error) {
	cut := e.event()
	cut.Problem = cause.Error()
	e.fx.showOnly(&cut, e.detail(cause))
}

// event is the event of the call, without its result.
func (e *toolEffect) event() event.Event {
	return event.Event{Kind: event.Tool, Agent: e.call.Agent, Name: e.call.Tool.Name, Args: string(e.call.Args)}
}

// detail is what only the observers of the program's parts see of the call. cause is why it was cut
// off.
func (e *toolEffect) detail(cause error) Detail {
	return Detail{Tool: e.call.Tool, CallID: e.call.ID, Err: cause}
}
