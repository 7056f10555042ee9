package core

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/addr"
	"github.com/agentc-dev/agentc/runtime/internal/engine/budget"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Bench carries out single effects of runs that another process decides: those that a [Host] has
// sent to a worker. It uses the models and tools of the engine that made it, and of its program. It
// finds typed tools, functions and guards by their names. It keeps no budgets, repeats nothing
// and notifies the observer only of what models write. It is safe for concurrent use.
type Bench struct {
	engine  *Engine
	program *compiled.Program
	*equipment
}

// Bench returns a bench for a program. An engine with a script cannot make one.
func (e *Engine) Bench(p *compiled.Program) (*Bench, error) {
	r, err := e.newRun(context.Background(), p, "")
	if err != nil {
		return nil, err
	}

	return &Bench{engine: e, program: p, equipment: r.equipment}, nil
}

// newEffects returns the Effects of one effect that has its address already.
func (b *Bench) newEffects(ctx context.Context, at runtime.CallInfo) *Effects {
	r := &run{ctx: ctx, engine: b.engine, program: b.program, id: at.Run, equipment: b.equipment}
	r.events.start(b.engine, at.Run)

	f := r.newEffects()
	f.at = addr.At(at.Address)
	f.scope = budget.NewScope(ctx, b.engine.config.Clock, nil, nil)

	return f
}

// Model makes one turn, once. request.Model is one that the host has got, or what an agent has
// chosen; the reply has its cost, if it is known, also with an error.
func (b *Bench) Model(ctx context.Context, at runtime.CallInfo, request model.Request) (model.Reply, error) {
	f := b.newEffects(ctx, at)
	defer f.caller.Close()
	t := f.newTurn(&request)
	m, err := b.findModel(t)
	if err != nil {
		return model.Reply{}, f.run.redactError(err)
	}
	reply, err := t.callOnce(m, &t.request, 1, &t.result)
	f.run.priceReply(&t.request, &reply)

	return reply, f.run.redactError(err)
}

// findModel returns the model that a turn asks: the model of the role, or the fallback that has the
// name. A role may have a key and an address of its own, which the name alone does not determine.
func (b *Bench) findModel(t *modelTurn) (*openModel, error) {
	choice := t.request.Model
	if choice == nil || choice.Role == "" || choice.Name == "" {
		err := t.chooseModel()

		return t.first, err
	}
	first, err := t.fx.chosen.resolve(t.fx.run, &model.Choice{Role: choice.Role, Settings: choice.Settings})
	if err != nil {
		return nil, err
	}
	for m := first; m != nil; m = m.next {
		if m.choice.Name == choice.Name {
			return m, nil
		}
	}

	err = t.chooseModel()

	return t.first, err
}

// Tool runs a tool by its name.
func (b *Bench) Tool(ctx context.Context, at runtime.CallInfo, call runtime.ToolCall) (runtime.ToolResult, error) {
	for _, spec := range b.program.Tools {
		if spec.Name != call.Tool.Name {
			continue
		}
		call.Tool = spec
		if run := b.program.Call; run != nil {
			call.Run = func(ctx context.Context, args json.RawMessage) (runtime.ToolResult, error) {
				return run(ctx, spec.Name, args)
			}
		}
	}

	f := b.newEffects(ctx, at)
	defer f.caller.Close()
	e := &toolEffect{basic: basic{f}, call: call}
	err := f.newExecution(e).execute()

	return e.result, err
}

// Call runs a function by its name.
func (b *Bench) Call(ctx context.Context, at runtime.CallInfo, call runtime.FuncCall) (runtime.FuncResult, error) {
	if apply := b.program.Apply; apply != nil {
		call.Run = func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			return apply(ctx, call.Name, args)
		}
	}

	f := b.newEffects(ctx, at)
	defer f.caller.Close()
	e := &callEffect{basic: basic{f}, call: call}
	err := f.newExecution(e).execute()

	return e.result, err
}

// Guard asks a guard by its name about call.Input.
func (b *Bench) Guard(ctx context.Context, at runtime.CallInfo, call runtime.GuardCall) (runtime.Verdict, error) {
	if call.Signals != nil {
		return runtime.Verdict{}, fmt.Errorf("signals are received where the run is decided: %w", runtime.ErrNotAvailable)
	}
	if ask := b.program.Judge; ask != nil {
		call.Run = func(ctx context.Context) (runtime.Verdict, error) { return ask(ctx, call.Name, call.Input) }
	}

	f := b.newEffects(ctx, at)
	defer f.caller.Close()
	e := &guardEffect{basic: basic{f}, call: call}
	err := f.newExecution(e).execute()

	return e.verdict, err
}
