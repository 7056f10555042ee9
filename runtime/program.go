package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/runtime/model"
)

// Program is what a compiled project tells an engine and a command line about itself. Generated code makes it; it must not
// be changed.
type Program struct {
	// Name is the project's name: its entry point, or the Go package when several agents could be it.
	Name string
	// Entry is the agent that a run starts with; "" if one has to be chosen.
	Entry string
	// Shape is a hash over states, rows, patterns, and tool schemas; Text one over prompts and descriptions.
	Shape, Text string
	// Agents are sorted by name.
	Agents []AgentInfo
	// Tools are the typed tools, sorted by name.
	Tools []*ToolSpec
	// Guards are the names of the guards that rows ask, sorted.
	Guards []string
	// Funcs are the names of the functions that workflows call, sorted.
	Funcs []string
	// Models are the configured roles. Without HasModels the environment alone defines roles.
	Models    []ModelInfo
	HasModels bool
	// Providers are what is configured of providers, sorted by name.
	Providers []ProviderInfo
	// Scripts are the scripts that models name as script:FILE, compiled in.
	Scripts []ScriptInfo
	// Recordings are the recordings that models name as replay:FILE, compiled in.
	Recordings []RecordingInfo
	// Prices are what models cost, from the project's file; nil without one.
	Prices *model.Prices
	// Vars are the variables of the environment that agents and skills declare or that skills write as ${NAME}, sorted: their values
	// are secrets, which no result of a tool may show.
	Vars []string
	// Machines are the live machines that others can drive, sorted by name: those with `drive: external`, and all of a program with
	// a part that drives machines.
	Machines []MachineInfo
	// Router has the rules for signals that Go code has added; nil for a program whose files have no `signals`.
	Router Router
	// Store is the address of the store of runs, with ${NAME} for variables of the environment; "": files.
	Store string
	// Builtins opens the built-in tools that the project has turned on, with what looks variables up; nil: all of them are off.
	// Errors: *BadSettingError.
	Builtins func(env func(name string) (value string, ok bool)) (BuiltinRunner, error)
	// Call calls a typed tool by its name, Apply a function, and Judge asks a guard, for engines whose workers are other processes;
	// nil without any, and in a program whose binary carries no such engine.
	Call  ToolRunner
	Apply func(ctx context.Context, name string, args json.RawMessage) (json.RawMessage, error)
	Judge NamedGuards
	// Parts are what the binary carries besides run, in the order of `include`.
	Parts []Part
	// Budget is what a run may spend; nil without limits.
	Budget *Budget
	// Limits bound what comes from outside.
	Limits Limits
}

// Limits are how large what comes from outside may be, in bytes; 0: as the engine says.
type Limits struct {
	// Reply bounds a reply of a model, as it is sent.
	Reply int64
	// ToolResult bounds how much of a tool's result a model sees at once, ToolResultMax how much of it there is at all.
	ToolResult, ToolResultMax int64
}

// AgentInfo is an agent of a program.
type AgentInfo struct {
	Name        string
	Description string
	Pattern     string
	// Model is nil for an agent that calls no model itself.
	Model *model.Choice
	// Steps are the conversations of an agent that has several, in the order in which they are first run; nil for any other agent.
	Steps []StepInfo
	// Env are variables that must be set, its skills' included.
	Env []string
	// Contains are the agents that it runs directly, sorted.
	Contains []string
	// Graph is the machine's picture as Mermaid text; "" without a machine.
	Graph string
	// Questions are the ids of what the agent itself asks people, sorted; for a human agent its name goes without saying.
	Questions []string
	// Budget is what a run of the agent may spend; nil without limits. Run, and whoever else runs the agent, keeps it.
	Budget *Budget
	// Priced are the conversations and agents of a workflow's steps whose money is limited.
	Priced []string
	// Run starts the agent as an entry point; nil for a machine that others drive.
	Run func(fx Effects, input string) (Finish, error)
	// Context describes the context of a workflow; nil for any other agent.
	Context *ContextSpec
	// Initial is the context that [Program.WithContext] has it start with; nil without one.
	Initial json.RawMessage
}

// ContextSpec is the context of a workflow at compile time. It must not be changed.
type ContextSpec struct {
	// Schema is the JSON Schema of the context; "" if any object will do.
	Schema string
	// Check says what is wrong with an initial context, as a *ValueError; nil when it fits.
	Check func(context json.RawMessage) error
	// Run starts the workflow with an initial context that Check has passed.
	Run func(fx Effects, input string, context json.RawMessage) (Finish, error)
}

// Agents calls the functions that describe the agents of an app. It is one call for thousands of them, which the compiler of Go
// would inline into one function otherwise.
func Agents[A any](app A, infos ...func(A) AgentInfo) []AgentInfo {
	agents := make([]AgentInfo, len(infos))
	for i, info := range infos {
		agents[i] = info(app)
	}

	return agents
}

// WithContext returns a program like p in which the named agent, or the entry point if the name is "", is a workflow that starts
// with the initial context. Errors: *UnknownAgentError; *ContextError if the agent is no workflow or the context does not fit.
func (p *Program) WithContext(agent string, context json.RawMessage) (*Program, error) {
	if agent == "" {
		agent = p.Entry
	}
	i := slices.IndexFunc(p.Agents, func(a AgentInfo) bool { return a.Name == agent })
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
	with.Agents[i].Run = func(fx Effects, input string) (Finish, error) { return spec.Run(fx, input, context) }

	return &with, nil
}

// Through returns a program like p whose agents work through what door makes of their effects.
func (p *Program) Through(door func(Effects) Effects) *Program {
	through := *p
	through.Agents = slices.Clone(p.Agents)
	for i := range through.Agents {
		a := &through.Agents[i]
		if run := a.Run; run != nil {
			a.Run = func(fx Effects, input string) (Finish, error) { return run(door(fx), input) }
		}
		if a.Context != nil { // a run that is resumed gets its context only then
			spec, run := *a.Context, a.Context.Run
			spec.Run = func(fx Effects, input string, context json.RawMessage) (Finish, error) {
				return run(door(fx), input, context)
			}
			a.Context = &spec
		}
	}

	return &through
}

func agentNames(agents []AgentInfo) []string {
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = a.Name
	}

	return names
}

var errNoContext = errors.New("it is no workflow, and has no context")

// ContextError is an initial context that a program cannot start with.
type ContextError struct {
	Agent string
	// Err says why: a *ValueError if the context does not fit.
	Err error
}

func (e *ContextError) Error() string {
	return fmt.Sprintf("the initial context of %q: %v", e.Agent, e.Err)
}

// ErrorType is the code of the error; see [ErrorType].
func (*ContextError) ErrorType() string { return "ContextError" }

// Unwrap returns what is wrong with the context.
func (e *ContextError) Unwrap() error { return e.Err }

// StepInfo is one conversation of an agent that has several.
type StepInfo struct {
	// Name is agent/step, or the agent's for the body of its AGENT.md.
	Name  string
	Model *model.Choice
}

// Conversations are the agent's own conversations with models: its steps, or the agent itself; none for an agent that only runs
// others.
func (a *AgentInfo) Conversations() []StepInfo {
	if len(a.Steps) == 0 && a.Model != nil {
		return []StepInfo{{Name: a.Name, Model: a.Model}}
	}

	return a.Steps
}

// ModelInfo is a configured role.
type ModelInfo struct {
	Role string
	Name string // provider:model
	// Fallback are the models, provider:model, that are asked in this order when the one before has failed for good.
	Fallback    []string
	Temperature *float64
	MaxTokens   *int
	BaseURL     string
	Stream      model.Streaming
}

// ProviderInfo is a configured provider of models.
type ProviderInfo struct {
	Name    string
	BaseURL string
	Stream  model.Streaming
}

// ScriptInfo is a compiled-in script.
type ScriptInfo struct {
	// Path is the FILE of script:FILE.
	Path string
	// JSON is the script; package simulate has its grammar.
	JSON string
}

// RecordingInfo is a compiled-in recording of models' replies.
type RecordingInfo struct {
	// Path is the FILE of replay:FILE.
	Path string
	// Text is the recording; package recording has its format.
	Text string
}

// Engine runs programs.
type Engine interface {
	// Run runs an agent of p with the input and returns its result. It returns the cause of ctx when that is done.
	Run(ctx context.Context, p *Program, agent, input string) (Finish, error)
}
