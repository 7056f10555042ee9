package compiled

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/rt"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// Program describes a compiled project to engines and command lines. Generated code makes it; it must not
// be changed.
type Program struct {
	// Name is the project's name: its entry point, or the Go package when several agents could be it.
	Name string
	// Entry is the agent that a run starts with; "" if one has to be chosen.
	Entry string
	// Shape is a hash over states, rows, patterns, and tool schemas; Text one over prompts and descriptions.
	Shape, Text string
	// Agents are sorted by name.
	Agents []Agent
	// Tools are the typed tools, sorted by name.
	Tools []*runtime.ToolSpec
	// Guards are the names of the guards that rows ask, sorted.
	Guards []string
	// Funcs are the names of the functions that workflows call, sorted.
	Funcs []string
	// Models are the configured roles. Without HasModels the environment alone defines roles.
	Models    []Role
	HasModels bool
	// Providers are what is configured of providers, sorted by name.
	Providers []Provider
	// Scripts are the scripts that models name as script:FILE, compiled in.
	Scripts []Script
	// Recordings are the recordings that models name as replay:FILE, compiled in.
	Recordings []Recording
	// Prices are what models cost, from the project's file; nil without one.
	Prices *model.Prices
	// Vars are the variables of the environment that agents and skills declare or that skills write as ${NAME}, sorted: their values
	// are secrets, which no result of a tool may show.
	Vars []string
	// Machines are the live machines that others can drive, sorted by name: those with `drive: external`, and all of a program with
	// a part that drives machines.
	Machines []Machine
	// Router has the rules for signals that Go code has added; nil for a program whose files have no `signals`.
	Router signals.Router
	// Store is the address of the store of runs, with ${NAME} for variables of the environment; "": files.
	Store string
	// Builtins opens the built-in tools that the project has turned on, with what looks variables up; nil: all of them are off.
	// Errors: *BadSettingError.
	Builtins func(env func(name string) (value string, ok bool)) (BuiltinTools, error)
	// Call calls a typed tool by its name, Apply a function, and Judge asks a guard, for engines whose workers are other processes;
	// nil without any, and in a program whose binary carries no such engine.
	Call  rt.ToolRunner
	Apply func(ctx context.Context, name string, args json.RawMessage) (json.RawMessage, error)
	Judge rt.NamedGuards
	// Parts are what the binary carries besides run, in the order of `include`.
	Parts []Part
	// Budget is what a run may spend; nil without limits.
	Budget *runtime.Budget
	// Limits bound what comes from outside.
	Limits Limits
}

// WithContext returns a program like p in which the named agent, or the entry point if the name is "", is a workflow that starts
// with the initial context. Errors: *UnknownAgentError; *ContextError if the agent is no workflow or the context does not fit.
func (p *Program) WithContext(agent string, context json.RawMessage) (*Program, error) {
	if agent == "" {
		agent = p.Entry
	}
	i := slices.IndexFunc(p.Agents, func(a Agent) bool { return a.Name == agent })
	if i < 0 {
		return nil, &UnknownAgentError{Agent: agent, Agents: agentNames(p.Agents)}
	}
	spec := p.Agents[i].Context
	if spec == nil {
		return nil, &ContextError{Agent: agent, Err: errNoContext}
	}
	if err := spec.Check(context); err != nil {
		return nil, &ContextError{Agent: agent, Err: err}
	}

	with := *p
	with.Agents = slices.Clone(p.Agents)
	with.Agents[i].Initial = context
	with.Agents[i].Run = func(fx runtime.Effects, input string) (runtime.Finish, error) { return spec.Run(fx, input, context) }

	return &with, nil
}

// Through returns a program like p whose agents work through middleware, also in each branch of a parallel group.
func (p *Program) Through(middleware func(runtime.Effects) runtime.Effects) *Program {
	through := *p
	through.Agents = slices.Clone(p.Agents)
	for i := range through.Agents {
		a := &through.Agents[i]
		if run := a.Run; run != nil {
			a.Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
				return run(wrap(fx, middleware), input)
			}
		}
		if a.Context != nil { // a run that is resumed gets its context only then
			spec, run := *a.Context, a.Context.Run
			spec.Run = func(fx runtime.Effects, input string, context json.RawMessage) (runtime.Finish, error) {
				return run(wrap(fx, middleware), input, context)
			}
			a.Context = &spec
		}
	}

	return &through
}

// wrap returns what middleware makes of fx.
func wrap(fx runtime.Effects, middleware func(runtime.Effects) runtime.Effects) runtime.Effects {
	return middleware(&wrapped{fx, middleware})
}

// wrapped is what middleware is given: it wraps the effects of branches, too.
type wrapped struct {
	runtime.Effects
	middleware func(runtime.Effects) runtime.Effects
}

// Parallel implements runtime.Effects.
func (w *wrapped) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	return w.Effects.Parallel(n, limit, func(i int, fx runtime.Effects) error { return branch(i, wrap(fx, w.middleware)) })
}
