package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Call runs a method of Funcs; a section of the script answers before it. Its error, or a panic as
// *runtime.PanicError, is the result's.
func (f *Effects) Call(call runtime.FuncCall) (runtime.FuncResult, error) {
	if err := f.beginEffect(); err != nil {
		return runtime.FuncResult{}, err
	}
	e := &callEffect{basic: basic{f}, call: call}
	if err := f.newExecution(e).execute(); err != nil {
		return runtime.FuncResult{}, err
	}

	return e.result, nil
}

// callEffect is a call of a function.
type callEffect struct {
	basic
	call   runtime.FuncCall
	result runtime.FuncResult
	// returned is what the method has returned. One that was abandoned may still write it.
	returned json.RawMessage
}

func (e *callEffect) intent() *intent {
	args := string(e.call.Args)
	in := &intent{
		kind: replay.KindCall, what: e.call.Name, shape: digestOf(replay.KindCall, e.call.Name, args),
		fields: []journal.Field{{Name: "args", Value: args}}, class: replay.ClassOnce, onUnknown: e.call.OnUnknown,
		args: e.call.Args, check: e.call.Check,
	}
	if e.call.Repeatable {
		in.class = replay.ClassIdempotent
	}

	return in
}

func (e *callEffect) runInEngine() (ok bool, err error) {
	for _, player := range e.fx.run.players() {
		e.result, ok, err = player.Call(e.call, e.fx.at.Path())
		if ok || err != nil {
			return ok, err
		}
	}

	return false, nil
}

func (e *callEffect) skipRecorded(*journal.Record) { _, _ = e.runInEngine() }

func (e *callEffect) runOnHost() (err error) {
	e.result, err = e.fx.host.Call(e.fx.scope.EffectContext(), e.fx.callInfoNow(), e.call)

	return err
}

func (e *callEffect) runInProcess() error {
	if e.call.Run == nil {
		return fmt.Errorf("function %q: %w", e.call.Name, runtime.ErrNotImplemented)
	}
	err := e.fx.callUser(e.call.Timeout, usercode.Name{Kind: "function", Name: e.call.Name}, e.call.Interruptible, e)
	if cause := e.fx.cutShort(err); cause != nil {
		return cause
	}
	if err != nil {
		return e.wrapError(err)
	}
	e.result.Value = e.returned

	return nil
}

// Run implements usercode.Code.
func (e *callEffect) Run(ctx context.Context) (err error) {
	e.returned, err = e.call.Run(ctx, e.call.Args)

	return err
}

// wrapError returns the error of a function that has failed with err.
func (e *callEffect) wrapError(err error) error {
	var panicked *runtime.PanicError
	var late *runtime.TimeoutError
	if errors.As(err, &panicked) || errors.As(err, &late) {
		return err
	}

	return fmt.Errorf("%s%w", wording.FuncFailed(e.call.Name), err)
}

func (e *callEffect) finish(err error) error {
	err = e.basic.finish(err)
	if !e.fx.run.events.hasRunObservers() {
		return err
	}
	ended := event.Event{Kind: EventCall, Name: e.call.Name}
	if err != nil {
		ended.Type, ended.Problem = runtime.ErrorType(err), err.Error()
	}
	e.fx.showOnly(&ended, Detail{})

	return err
}

func (e *callEffect) resultFields() []journal.Field {
	return field.Optional("value", string(e.result.Value))
}

func (e *callEffect) readResult(r *journal.Record) error {
	e.result = runtime.FuncResult{}
	if value := r.Value("value"); value != "" {
		e.result.Value = json.RawMessage(value)
	}

	return nil
}

// errSkipped is the error of a function that was skipped.
var errSkipped = errors.New("it had begun when the run was interrupted, whether it has happened is not known, and it was not repeated")

func (e *callEffect) skipUnknown() error {
	return fmt.Errorf("function %q: %w", e.call.Name, errSkipped)
}

func (e *callEffect) setResult(text string, _ bool) { e.result.Value = json.RawMessage(text) }
