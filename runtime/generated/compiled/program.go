package compiled

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"sort"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Program describes a compiled project to engines and command lines. Generated code builds it; it must not be
// changed.
type Program struct {
	// Name is the project's name: its entry point, or the Go package if there are several possible entry points.
	Name string
	// Entry is the agent that a run starts with; "" if the caller has to choose one.
	Entry string
	// Shape is a hash over states, transitions, patterns and schemas of tools.
	Shape string
	// Text is a hash over the prompts and descriptions of what belongs to no single agent; see [Program.TextHash].
	Text string
	// Agents are sorted by name. A copy of the program with other agents is made by [Program.WithAgent] and
	// [Program.Through]: a program with an initial context keeps the agent that has it elsewhere, so that a change of
	// Agents does not change its runs.
	Agents []Agent
	// Tools are the typed tools, sorted by name.
	Tools []*runtime.ToolSpec
	// Guards are the names of the guards of transitions, sorted.
	Guards []string
	// Funcs are the names of the functions that workflows call, sorted.
	Funcs []string
	// Models are the configured roles. Without HasModels the environment alone defines roles.
	Models    []Role
	HasModels bool
	// Providers are the providers in the configuration, sorted by name.
	Providers []Provider
	// Openers open the models of providers: one function for each, by the part of provider:model before the first colon.
	Openers map[string]model.Opener
	// Scripts are the scripts that models name as script:FILE, compiled in: by FILE, as the JSON whose grammar package
	// simulate has.
	Scripts map[string]string
	// Recordings are the recordings of models' replies that models name as replay:FILE, compiled in, by FILE.
	Recordings map[string]string
	// Prices are the prices of models in the project's file; nil without one.
	Prices *model.Prices
	// Vars are the environment variables that agents and skills declare or that skills refer to as ${NAME}, sorted:
	// their values are secrets, which are removed from results of tools.
	Vars []string
	// Machines are the live machines that other code can drive, sorted by name: those with `drive: external`, and all
	// machines of a program with a part that drives machines.
	Machines []Machine
	// Routes are the rules for signals that Go code has added; nil for a program whose files have no `signals`.
	Routes *drive.Routes
	// Store is the address of the store of runs, with ${NAME} for environment variables; "": files.
	Store string
	// Builtins opens the built-in tools that the project has turned on; env looks up environment variables. nil: all
	// of them are off. Errors: *BadSettingError.
	Builtins func(env func(name string) (value string, ok bool)) (BuiltinTools, error)
	// Call calls a typed tool by its name, Apply a function, and Judge a guard, for engines whose workers are other
	// processes. They are nil if there are none, and in a binary without such an engine.
	Call  func(ctx context.Context, name string, args json.RawMessage) (runtime.ToolResult, error)
	Apply func(ctx context.Context, name string, args json.RawMessage) (json.RawMessage, error)
	Judge rt.NamedGuards
	// Parts are the optional parts of the binary, in the order of `include`.
	Parts []Part
	// Budget is what a run may spend; nil without limits.
	Budget *runtime.Budget
	// Limits limit the size of external data.
	Limits Limits

	// replaced is the agent of [Program.WithAgent]; nil without one. The agents are not copied for it: each run of a
	// workflow may have an initial context of its own.
	replaced *Agent
	// described and describedText are the Agents and the Text for which textHash and reached are known. A copy of a
	// program may have others.
	described     []Agent
	describedText string
	// textHash is [Program.TextHash].
	textHash string
	// reached has the agents that an agent runs, by its name, as [Program.Reached] has found them; nil: nothing is kept.
	reached *sync.Map
}

// Description describes a package once: an App has one.
type Description struct {
	once    sync.Once
	program *Program
}

// Program returns what describe has returned when it was called first.
func (d *Description) Program(describe func() *Program) *Program {
	d.once.Do(func() {
		d.program = describe()
		d.program.textHash, d.program.reached = d.program.TextHash(), &sync.Map{}
		d.program.described, d.program.describedText = d.program.Agents, d.program.Text
	})

	return d.program
}

// TextHash returns a hash over all prompts and descriptions: of Text and those of the agents, as 32 hexadecimal digits; Text itself if
// no agent has one. The compiler makes the same of the sources.
func (p *Program) TextHash() string {
	if p.hasDescribedAgents() && p.Text == p.describedText {
		return p.textHash
	}
	all := append(make([]byte, 0, 32*(1+len(p.Agents))), p.Text...)
	for i := range p.Agents {
		all = append(all, p.Agents[i].Text...)
	}
	if len(all) == len(p.Text) {
		return p.Text
	}
	sum := sha256.Sum256(all)

	return hex.EncodeToString(sum[:])[:32]
}

// hasDescribedAgents reports whether the agents of p are those that its Description has.
func (p *Program) hasDescribedAgents() bool {
	return len(p.Agents) > 0 && len(p.Agents) == len(p.described) && &p.Agents[0] == &p.described[0]
}

// WithContext returns a copy of p in which the named workflow, or the entry point if the name is "", starts with the
// initial context. Errors: *UnknownAgentError; *ContextError if the agent is not a workflow or the context is not
// valid.
func (p *Program) WithContext(agent string, context json.RawMessage) (*Program, error) {
	if agent == "" {
		agent = p.Entry
	}
	known := p.Agent(agent)
	if known == nil {
		return nil, &UnknownAgentError{Agent: agent, Agents: agentNames(p.Agents)}
	}
	spec := known.Context
	if spec == nil {
		return nil, &ContextError{Agent: agent, Err: errNoContext}
	}
	if err := spec.Check(context); err != nil {
		return nil, &ContextError{Agent: agent, Err: err}
	}

	with := *known
	with.Initial = context
	with.Run = func(fx runtime.Effects, input string) (runtime.Finish, error) { return spec.Run(fx, input, context) }

	return p.WithAgent(&with), nil
}

// WithAgent returns a copy of p in which an agent replaces the one with its name. Of several, the last counts.
func (p *Program) WithAgent(agent *Agent) *Program {
	with := *p
	with.replaced = agent

	return &with
}

// Agent returns the agent with a name, as a run starts it; nil if there is none. It takes hardly longer in a large
// program.
func (p *Program) Agent(name string) *Agent {
	if p.replaced != nil && p.replaced.Name == name {
		return p.replaced
	}
	i := sort.Search(len(p.Agents), func(i int) bool { return p.Agents[i].Name >= name })
	if i == len(p.Agents) || p.Agents[i].Name != name {
		i = slices.IndexFunc(p.Agents, func(a Agent) bool { return a.Name == name }) // a program made by hand may not be sorted
	}
	if i < 0 {
		return nil
	}

	return &p.Agents[i]
}

// Reached returns agents and all agents that they run, in the order in which they are found.
func (p *Program) Reached(entries ...*Agent) []*Agent {
	if len(entries) != 1 || p.reached == nil || !p.hasDescribedAgents() {
		return p.findReached(entries)
	}
	name := entries[0].Name
	if found, isKnown := p.reached.Load(name); isKnown {
		return slices.Concat(entries, found.([]*Agent)) // the entry itself may have an initial context
	}
	all := p.findReached(entries)
	p.reached.Store(name, slices.Clone(all[1:]))

	return all
}

func (p *Program) findReached(entries []*Agent) []*Agent {
	reached := slices.Clone(entries)
	seen := map[string]bool{}
	for _, entry := range entries {
		seen[entry.Name] = true
	}
	for i := 0; i < len(reached); i++ {
		for _, name := range reached[i].Contains {
			if seen[name] {
				continue
			}
			seen[name] = true
			if inner := p.Agent(name); inner != nil {
				reached = append(reached, inner)
			}
		}
	}

	return reached
}

// Through returns a copy of p whose agents use effects wrapped by middleware, also in each branch of a parallel
// group.
func (p *Program) Through(middleware func(runtime.Effects) runtime.Effects) *Program {
	through := *p
	through.reached = nil
	through.Agents = make([]Agent, len(p.Agents))
	if p.hasDescribedAgents() {
		through.described = through.Agents // with the same texts
	}
	for i := range p.Agents {
		through.Agents[i] = p.Agents[i].through(middleware)
	}
	if p.replaced != nil {
		replaced := p.replaced.through(middleware)
		through.replaced = &replaced
	}

	return &through
}

// through returns a copy of an agent that uses effects wrapped by middleware.
func (a Agent) through(middleware func(runtime.Effects) runtime.Effects) Agent {
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

	return a
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
