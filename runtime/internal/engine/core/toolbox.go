package core

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/turn"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/tools"
)

// toolbox runs the tools of one run that are neither methods of the user's nor memory.
type toolbox struct {
	turn turn.Turn // of what follows; it is held while the tools are made ready
	// opened reports whether runners or err are set.
	opened bool
	// runners are asked in this order.
	runners []*toolRunner
	closers []func() error
	err     error
}

// toolRunner is what runs some of the tools.
type toolRunner struct {
	tools compiled.BuiltinTools
	// promise is the promise of the tools to return when a call is cancelled; nil if they make
	// none.
	promise *usercode.Promise
}

// addRunner adds what runs the tools of a source.
func (r *run) addRunner(source string, runner compiled.BuiltinTools) {
	promise := r.engine.promises.Of(usercode.Name{Kind: source}, runner)
	r.tools.runners = append(r.tools.runners, &toolRunner{runner, promise})
}

// openTools makes the tools ready, once: those that the project has turned on, and with parts also
// those of the program's parts, which may have to start a process or call a server. If ctx ends
// meanwhile, the error is its cause, and nothing has been opened: the next effect that needs tools
// tries again.
func (r *run) openTools(ctx context.Context, parts bool) error {
	t := &r.tools
	back, err := t.turn.Take(ctx)
	if err != nil {
		return err
	}
	defer back()
	if t.opened {
		return t.err
	}
	t.err = r.openAll(ctx, parts)
	if t.err != nil && ctx.Err() != nil {
		t.close()
		t.err, t.runners = nil, nil

		return context.Cause(ctx)
	}
	t.opened = true

	return t.err
}

func (r *run) openAll(ctx context.Context, parts bool) error {
	err := r.openBuiltins()
	if !parts {
		return err
	}
	for _, source := range PartsOf[ToolSource](r.program) {
		err = joinErrors(err, r.openSource(ctx, source))
	}

	return err
}

// builtinTools names the tools that the project has turned on.
const builtinTools = "the built-in tools"

// openBuiltins opens the tools that the project has turned on. Without any, a call of such a tool
// returns how to turn it on.
func (r *run) openBuiltins() error {
	open := tools.On()
	if r.program != nil && r.program.Builtins != nil {
		open = r.program.Builtins
	}

	return usercode.Catch(builtinTools, func() error {
		runner, err := open(r.lookUpEnv)
		if err == nil {
			r.addRunner(builtinTools, runner)
		}

		return err
	})
}

// openSource opens the tools of a part.
func (r *run) openSource(ctx context.Context, source ToolSource) error {
	name := "the tools of " + source.Part()

	return usercode.Catch(name, func() error {
		runner, closer, err := source.OpenTools(ctx, r.lookUpEnv)
		if closer != nil {
			r.tools.closers = append(r.tools.closers, closer)
		}
		if err == nil && runner != nil {
			r.addRunner(name, runner)
		}

		return err
	})
}

// closeTools closes the tools, the newest first. Errors then do not change how the run has ended,
// and no caller could handle them.
func (r *run) closeTools() {
	back, _ := r.tools.turn.Take(context.Background()) // which does not end
	defer back()
	r.tools.close()
}

// close is closeTools for a caller that has the turn.
func (t *toolbox) close() {
	closers := t.closers
	t.closers = nil
	for _, end := range slices.Backward(closers) {
		_ = usercode.Catch("closing tools", end)
	}
}

// runBuiltin runs a tool that is neither a method of the user's nor memory.
func (e *toolEffect) runBuiltin() (runtime.ToolResult, error) {
	if err := e.fx.run.openTools(e.fx.scope.EffectContext(), true); err != nil {
		return runtime.ToolResult{}, err
	}
	var off error // of a runner that knows the tool and does not run it; another may
	for _, runner := range e.fx.run.tools.runners {
		result, known, err := e.runBy(runner)
		switch {
		case !known:
		case errors.Is(err, runtime.ErrNotAvailable):
			off = err
		default:
			return result, err
		}
	}

	return runtime.ToolResult{}, notAvailable(e.call, off)
}

// runBy has a runner run the call. known is false if it has no such tool. A panic is reported to
// the model, like one of a method.
func (e *toolEffect) runBy(runner *toolRunner) (_ runtime.ToolResult, known bool, _ error) {
	name := usercode.Name{Kind: "tool", Name: e.call.Tool.Name}
	run := &runnerCall{runner: runner.tools, call: e.call}
	hasReturned, err := e.fx.caller.Call(e.fx.userContext(), 0, name, runner.promise, run)
	if hasReturned && err == nil && !run.isKnown {
		return runtime.ToolResult{}, false, nil
	}

	cause := e.fx.cutShort(err)
	switch {
	case cause != nil:
		return runtime.ToolResult{}, true, cause
	case !hasReturned:
		return runtime.ToolResult{}, true, err
	case err != nil && isPanic(err):
		return runtime.ToolResult{Problem: err.Error()}, true, nil
	}

	return run.result, true, err
}

// isPanic reports whether code has panicked.
func isPanic(err error) bool {
	var panicked *runtime.PanicError

	return errors.As(err, &panicked)
}

// runnerCall is a call of a tool by a runner.
type runnerCall struct {
	runner  compiled.BuiltinTools
	call    runtime.ToolCall
	result  runtime.ToolResult
	isKnown bool
}

// Run implements usercode.Code.
func (c *runnerCall) Run(ctx context.Context) (err error) {
	c.result, c.isKnown, err = c.runner.Run(ctx, c.call)

	return err
}

// notAvailable is the error of a tool that nothing runs. off is the error of a runner that knows
// it; nil without one.
func notAvailable(call runtime.ToolCall, off error) error {
	if off != nil {
		return off
	}
	where := ""
	if call.Tool.Server != "" {
		where = fmt.Sprintf(" of the MCP server %q", call.Tool.Server)
	}

	return fmt.Errorf("agent %q calls tool %q%s: %w in this binary", call.Agent, call.Tool.Name, where, runtime.ErrNotAvailable)
}
