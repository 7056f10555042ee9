package core

import (
	"cmp"
	"context"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Config configures an engine. The zero value runs programs whose models are all scripts.
type Config struct {
	// Providers open the models of a provider, by the part of provider:model before the first
	// colon. script and replay are built in.
	Providers map[string]model.Opener
	// Model, if set, answers for every agent; no model is resolved.
	Model model.Provider
	// Script, if not empty, is a script as JSON that answers for every agent; no model is resolved
	// and no variable is required.
	Script string
	// Replay, if set, answers for every agent from a recording; no model is opened, and no variable
	// is required. Together with Model or Script it is a ConflictError.
	Replay *recording.Recording
	// Record records the requests to models and their replies; nil: nothing does. The caller who
	// opened it closes it.
	Record *recording.Recorder
	// Partial allows turns of Script to be left over at the end. A script that is a model may
	// always leave some.
	Partial bool
	// Observer is notified of events; nil: there is no observer.
	Observer event.Observer
	// Asker asks people; nil: a question ends the run with *runtime.PausedError.
	Asker Asker
	// AsksTimers shows waits to the Asker, too, who may end them early.
	AsksTimers bool
	// Signals are offered to the machines that run; nil: there are no signals.
	Signals *signaling.Signals
	// Stop ends a run that was cancelled, with the cause, now or at a safe point, if no machine of it
	// has a rule for that; nil: its context ends at once, and with it the effect that is under way.
	Stop func(run string, cause error)
	// Env looks variables up; nil: os.LookupEnv.
	Env func(name string) (value string, ok bool)
	// Clock returns the time and waits; nil: the system's clock, under Script and Replay one that
	// leaps ahead instead of waiting.
	Clock clock.Clock
	// Price returns the price of a model, provider:model; nil: the file that AGENTC_PRICES names, else
	// the program's own prices. Without any of them no budget of money can be kept.
	Price func(model string) (price pricing.Price, known bool)
	// Store is where the journals of runs are, from which another process can continue them; nil:
	// nothing is recorded, and a run that ends is gone.
	Store journal.Store
	// AheadEffects is how many effects that may be repeated run ahead of the disk; 0: 16.
	AheadEffects int
	// AheadTime is how long the intent of such an effect may be missing on the disk before the next
	// effect waits; 0: 50 ms.
	AheadTime time.Duration
	// Retry bounds the repetitions of model calls.
	Retry model.Retry
	// ForceShape is [ResumeOptions.ForceShape] for every run.
	ForceShape bool
	// RunID names runs; nil: time and random digits.
	RunID func() string
	// By is who starts runs, by a credential, which their journals keep; "" if that is not known.
	By string
	// Limits bound the results of tools. For a limit of 0 the program's counts.
	Limits compiled.Limits
	// Middleware wraps the effects of each run; the first is called first.
	Middleware []func(runtime.Effects) runtime.Effects
}

// Observe adds an observer to those of the configuration.
func (c *Config) Observe(o event.Observer) {
	switch {
	case o == nil:
	case c.Observer == nil:
		c.Observer = o
	default:
		c.Observer = observers{c.Observer, o}
	}
}

// observers are notified of each event one after the other.
type observers []event.Observer

// Observe implements event.Observer.
func (all observers) Observe(e event.Event) {
	for _, o := range all {
		o.Observe(e)
	}
}

// wrapAgent returns an agent that runs through the middleware of the configuration.
func (c *Config) wrapAgent(agent *compiled.Agent) *compiled.Agent {
	p := &compiled.Program{Agents: []compiled.Agent{*agent}}
	for _, wrap := range c.Middleware {
		p = p.Through(wrap)
	}

	return &p.Agents[0]
}

// limitProgram returns a program with the limits of the configuration, where that has any.
func (c *Config) limitProgram(p *compiled.Program) *compiled.Program {
	if p == nil || c.Limits == (compiled.Limits{}) {
		return p
	}
	with := *p
	with.Limits = compiled.Limits{
		Reply:         cmp.Or(c.Limits.Reply, p.Limits.Reply),
		ToolResult:    cmp.Or(c.Limits.ToolResult, p.Limits.ToolResult),
		ToolResultMax: cmp.Or(c.Limits.ToolResultMax, p.Limits.ToolResultMax),
	}

	return &with
}

// Configure adds options of package engine to a configuration: what is set replaces what it has,
// and observers and middleware come after its own. Package engine sets it. A method of its options
// would do, if users could name the type of the configuration.
var Configure func(options any, c *Config)

// Scripted returns an engine that answers every model from the script, which is JSON. Run reports a
// script that cannot be read.
func Scripted(text string, c Config) *Engine {
	c.Script = cmp.Or(text, " ") // not a script, which Run reports; an empty Config.Script is none

	return New(c)
}

// Asker asks a person. An answer to a question with choices should be one of them.
type Asker interface {
	Ask(ctx context.Context, q runtime.Question) (runtime.Answer, error)
}

func withDefaults(r model.Retry) model.Retry {
	if r.Attempts == 0 {
		r.Attempts = 5
	}
	if r.First == 0 {
		r.First = 500 * time.Millisecond
	}
	if r.Most == 0 {
		r.Most = 30 * time.Second
	}
	if r.Longest == 0 {
		r.Longest = 5 * time.Minute
	}

	return r
}
