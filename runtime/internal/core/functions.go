package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// Call runs a method of Funcs; a section of the script answers before it. Its error, or a panic as *runtime.PanicError, is the result's.
func (f *Effects) Call(call runtime.FuncCall) (runtime.FuncResult, error) {
	if err := f.next(); err != nil {
		return runtime.FuncResult{}, err
	}
	if f.run.journal == nil {
		return f.timedCall(call)
	}
	in := callIntent(&call)
	in.skip = func(*journal.Record) {
		for _, player := range f.run.playing() {
			if _, ok, err := player.Call(call, f.path()); ok || err != nil {
				return
			}
		}
	}
	result, was, err := perform(f, in, callCodec, func() (runtime.FuncResult, error) { return f.timedCall(call) })
	f.countRecorded(was)

	return result, err
}

func (f *Effects) timedCall(call runtime.FuncCall) (runtime.FuncResult, error) {
	if err := f.begin(); err != nil {
		return runtime.FuncResult{}, err
	}
	result, err := f.call(call)
	err = f.ended(f.run.clean(err))
	f.showCall(call.Name, err)

	return result, err
}

func (f *Effects) call(call runtime.FuncCall) (runtime.FuncResult, error) {
	for _, player := range f.run.playing() {
		if result, ok, err := player.Call(call, f.path()); ok || err != nil {
			return result, err
		}
	}
	if f.host != nil {
		return f.callOn(call)
	}
	if call.Run == nil {
		return runtime.FuncResult{}, fmt.Errorf("function %q: %w", call.Name, runtime.ErrNotImplemented)
	}

	value, err := bounded(f.userContext(), call.Timeout, "function "+call.Name, func(ctx context.Context) (json.RawMessage, error) {
		return call.Run(ctx, call.Args)
	})
	if cause := f.stopped(); cause != nil && (err != nil || f.run.journal == nil) {
		return runtime.FuncResult{}, cause
	}
	if panicked, late := (*runtime.PanicError)(nil), (*runtime.TimeoutError)(nil); errors.As(err, &panicked) || errors.As(err, &late) {
		return runtime.FuncResult{}, err
	}
	if err != nil {
		return runtime.FuncResult{}, fmt.Errorf("function %q: %w", call.Name, err)
	}

	return runtime.FuncResult{Value: value}, nil
}
