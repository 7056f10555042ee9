package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/script"
)

// Effects is the door of one branch of a run. It must not be used by two goroutines at once.
type Effects struct {
	run *run
	// parent is the branch that began the parallel group, began the ordinal of that effect in it, and branch the number of this
	// branch; nil, 0 and 0 outside of a group.
	parent *Effects
	began  int
	branch int
	// count is how many effects this branch has had.
	count int
	// models are the run's, as this branch has met them; chosen is the newest choice and model what it means.
	models map[runtime.ModelChoice]*openModel
	chosen *runtime.ModelChoice
	model  *openModel
	// asked says that this branch has asked a model, player which script answered last, if one did.
	asked  bool
	player *script.Player
}

// next counts an effect. It returns the cause when the run is cancelled.
func (f *Effects) next() error {
	f.count++

	return f.run.stopped()
}

// Address is the dot path of the branch's newest effect; "" before the first of the run.
func (f *Effects) Address() string { return string(f.appendAddress(nil, f.count)) }

func (f *Effects) appendAddress(dst []byte, count int) []byte {
	if f.parent != nil {
		dst = f.parent.appendAddress(dst, f.began)
		dst = append(dst, '.')
		dst = strconv.AppendInt(dst, int64(f.branch), 10)
		if count > 0 {
			dst = append(dst, '.')
		}
	}
	if count > 0 {
		dst = strconv.AppendInt(dst, int64(count), 10)
	}

	return dst
}

// path is the branch numbers that lead here.
func (f *Effects) path() script.Path {
	if f.parent == nil {
		return nil
	}

	return append(f.parent.path(), f.branch)
}

// home is the branch in which the agent runs: tools that one turn calls in parallel have branches of their own.
func (f *Effects) home() *Effects {
	for at := f; at != nil; at = at.parent {
		if at.asked {
			return at
		}
	}

	return f
}

// scripted is the player that answers here, and the branch where it does; nil where no script has a say.
func (f *Effects) scripted() (*script.Player, script.Path) {
	home := f.home()
	if f.run.script != nil {
		return f.run.script, home.path()
	}

	return home.player, home.path()
}

// Watched reports whether there is an observer.
func (f *Effects) Watched() bool { return f.run.engine.config.Observer != nil }

// Note tells the observer, who is told one event at a time and in order.
func (f *Effects) Note(e runtime.Event) {
	r := f.run
	if r.engine.config.Observer == nil {
		return
	}
	e.Run, e.Address, e.Time = r.id, f.Address(), r.engine.config.Clock.Now()

	r.watch.Lock()
	defer r.watch.Unlock()
	r.seq++
	e.Seq = r.seq
	switch e.Kind {
	case runtime.EventEnter:
		r.entered++
	case runtime.EventError:
		r.failure = e.Problem
	}
	r.engine.config.Observer.Observe(e)
}

// End returns what the run's scripts have not played, as *runtime.ScriptError.
func (f *Effects) End() error { return f.run.leftOver() }

// Sleep waits on the engine's clock.
func (f *Effects) Sleep(d time.Duration) error {
	if err := f.next(); err != nil {
		return err
	}
	f.run.engine.config.Clock.Sleep(f.run.ctx, d)

	return f.run.stopped()
}

// Now tells the time of the engine's clock.
func (f *Effects) Now() time.Time {
	f.count++

	return f.run.engine.config.Clock.Now()
}

// userContext is what the user's methods get.
func (f *Effects) userContext() context.Context {
	count := f.count

	return runtime.WithCall(f.run.ctx, func() runtime.CallInfo {
		return runtime.CallInfo{Run: f.run.id, Address: string(f.appendAddress(nil, count))}
	})
}

// Tool runs a tool: a section of the script answers, else memory or the user's method. What a method reports, and a panic, is
// the result's problem; runtime.ErrNotImplemented and a built-in tool that does not run here end the run.
func (f *Effects) Tool(call runtime.ToolCall) (runtime.ToolResult, error) {
	if err := f.next(); err != nil {
		return runtime.ToolResult{}, err
	}
	result, err := f.tool(call)
	if f.Watched() && err == nil {
		f.Note(runtime.Event{
			Kind: runtime.EventTool, Agent: call.Agent, Name: call.Tool.Name, Args: string(call.Args),
			Text: result.Text, JSON: result.JSON, Problem: result.Problem,
		})
	}

	return result, err
}

func (f *Effects) tool(call runtime.ToolCall) (runtime.ToolResult, error) {
	player, path := f.scripted()
	if player != nil {
		if result, ok, err := player.Tool(call, path); ok || err != nil {
			return result, err
		}
	}
	if !call.Tool.Builtin {
		return f.typed(call)
	}
	if result, ok := f.run.memory.call(call.Tool.Name, call.Args); ok {
		return result, nil
	}
	if player != nil {
		return runtime.ToolResult{}, &runtime.ScriptError{
			Section: "tools", Name: call.Tool.Name, Err: runtime.ErrNotAvailable,
			Problem: fmt.Sprintf("agent %q calls it, but it never runs under a script: give it a list of answers", call.Agent),
		}
	}

	return runtime.ToolResult{}, fmt.Errorf("agent %q calls tool %q: %w in this version", call.Agent, call.Tool.Name, runtime.ErrNotAvailable)
}

// typed runs a method of Tools.
func (f *Effects) typed(call runtime.ToolCall) (result runtime.ToolResult, err error) {
	if call.Run == nil {
		return runtime.ToolResult{}, fmt.Errorf("tool %q: %w", call.Tool.Name, runtime.ErrNotImplemented)
	}
	panicked := catch("tool "+call.Tool.Name, func() { result, err = call.Run(f.userContext(), call.Args) })

	switch {
	case f.run.stopped() != nil:
		return runtime.ToolResult{}, f.run.stopped()
	case panicked != nil:
		return runtime.ToolResult{Problem: panicked.Error()}, nil
	case errors.Is(err, runtime.ErrNotImplemented):
		return runtime.ToolResult{}, fmt.Errorf("tool %q: %w", call.Tool.Name, err)
	case err != nil:
		return runtime.ToolResult{Problem: err.Error()}, nil
	}

	return result, nil
}

// Call runs a method of Funcs. Its error, or a panic as *runtime.PanicError, is the result's.
func (f *Effects) Call(call runtime.FuncCall) (runtime.FuncResult, error) {
	if err := f.next(); err != nil {
		return runtime.FuncResult{}, err
	}
	if call.Run == nil {
		return runtime.FuncResult{}, fmt.Errorf("function %q: %w", call.Name, runtime.ErrNotImplemented)
	}

	var value json.RawMessage
	var err error
	panicked := catch("function "+call.Name, func() { value, err = call.Run(f.userContext(), call.Args) })
	if cause := f.run.stopped(); cause != nil {
		return runtime.FuncResult{}, cause
	}
	if panicked != nil {
		return runtime.FuncResult{}, panicked
	}
	if err != nil {
		return runtime.FuncResult{}, fmt.Errorf("function %q: %w", call.Name, err)
	}

	return runtime.FuncResult{Value: value}, nil
}

// Guard asks a method of Guards; a section of the script answers before it.
func (f *Effects) Guard(call runtime.GuardCall) (verdict runtime.Verdict, err error) {
	if err := f.next(); err != nil {
		return runtime.Verdict{}, err
	}
	for _, player := range f.run.playing() {
		if verdict, ok, err := player.Guard(call, f.path()); ok || err != nil {
			return verdict, err
		}
	}

	fault := func(err error) error {
		return &runtime.GuardError{Machine: call.Machine, State: call.State, Key: call.Key, Guard: call.Name, Err: err}
	}
	if call.Run == nil {
		return runtime.Verdict{}, fault(runtime.ErrNotImplemented)
	}
	panicked := catch("guard "+call.Name, func() { verdict = call.Run(f.userContext()) })
	if cause := f.run.stopped(); cause != nil {
		return runtime.Verdict{}, cause
	}
	if panicked != nil {
		return runtime.Verdict{}, fault(panicked)
	}

	return verdict, nil
}

// playing are the scripts of the run.
func (r *run) playing() []*script.Player {
	if r.script != nil {
		return []*script.Player{r.script}
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	players := make([]*script.Player, len(r.players))
	for i, p := range r.players {
		players[i] = p.player
	}

	return players
}

// catch runs user code. The result is nil unless it panicked, or left its goroutine.
func catch(where string, run func()) (panicked *runtime.PanicError) {
	done := false
	defer func() {
		if done {
			return
		}
		// Goexit leaves no value behind and cannot be stopped: the goroutine ends, its caller finds out.
		if value := recover(); value != nil {
			panicked = &runtime.PanicError{Where: where, Value: value, Stack: debug.Stack()}
		}
	}()
	run()
	done = true

	return nil
}
