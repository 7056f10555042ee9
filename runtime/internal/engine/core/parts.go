package core

import (
	"context"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Parts of a program bring what an engine needs. Generated code names once what a binary contains,
// and any engine that runs the program has it: the command line, a server, another program that
// links the package.

// ToolSource is a compiled.Part that runs tools which are not methods of the user's.
type ToolSource interface {
	compiled.Part
	// OpenTools makes the tools ready for one run, before anything is spent; env looks variables
	// up. Under a script it is not called. ctx is the context of the opening only: it ends when the
	// run is cancelled meanwhile, or has no time left, and then OpenTools has to return soon.
	// close, if it is not nil, is called when the run has ended, also after an error. Calls that a
	// cancelled run did not wait for may still be under way then.
	OpenTools(ctx context.Context, env func(name string) (value string, ok bool)) (
		tools compiled.BuiltinTools, close func() error, err error,
	)
}

// ObserverSource is a compiled.Part that observes runs. It learns more than Config.Observer: when
// effects began, what models were asked, and for a resumed run what earlier processes have
// reported.
type ObserverSource interface {
	compiled.Part
	// ObserveRun is called when a run begins or is resumed, before anything else of it happens;
	// nil: this run is not observed.
	ObserveRun(Observed) RunObserver
}

// configurer is a compiled.Part with the options of the main program for the command line. Commands
// apply them before their own.
type configurer interface {
	compiled.Part
	Configure(*Config)
}

// Configured returns p with a configuration, which ConfigOf returns.
func Configured(p *compiled.Program, config Config) *compiled.Program {
	return WithPart(p, configured(config))
}

// configured is a configuration as a part of a program.
type configured Config

// Part implements compiled.Part.
func (configured) Part() string { return "configuration" }

// Configure implements configurer.
func (own configured) Configure(c *Config) { *c = Config(own) }

// WithPart returns p with one more part, the last.
func WithPart(p *compiled.Program, part compiled.Part) *compiled.Program {
	with := *p
	with.Parts = append(slices.Clone(p.Parts), part)

	return &with
}

// PartsOf returns the parts of a program, which may be nil, that are of a type.
func PartsOf[T compiled.Part](p *compiled.Program) (parts []T) {
	if p == nil {
		return nil
	}
	for _, part := range p.Parts {
		if of, ok := part.(T); ok {
			parts = append(parts, of)
		}
	}

	return parts
}

// ConfigOf returns the configuration of p's main program for the command line.
func ConfigOf(p *compiled.Program) (c Config) {
	for _, own := range PartsOf[configurer](p) {
		own.Configure(&c)
	}

	return c
}

// openers returns what opens the models of providers, by their names. Config.Providers overrides
// the program.
func (r *run) openers() map[string]model.Opener {
	all := map[string]model.Opener{}
	if r.program != nil {
		maps.Copy(all, r.program.Openers)
	}
	maps.Copy(all, r.engine.config.Providers)

	return all
}
