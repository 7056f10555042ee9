package engine

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/core"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/recording"
)

// Option says what an engine works with.
type Option = core.Option

// WithStore keeps the journals of runs in a store, from which another process can resume them.
func WithStore(s journal.Store) Option { return func(c *core.Config) { c.Store = s } }

// WithProvider has an opener open the models of a provider: those whose name has it before the first colon. It counts more than
// what the program brings for the name. script and replay are built in.
func WithProvider(name string, open model.Opener) Option {
	return func(c *core.Config) {
		openers := map[string]model.Opener{name: open}
		for other, open := range c.Providers {
			if other != name {
				openers[other] = open
			}
		}
		c.Providers = openers
	}
}

// WithModel has one provider answer for every agent; no model is resolved.
func WithModel(p model.Provider) Option { return func(c *core.Config) { c.Model = p } }

// WithScript has a script, which is JSON, answer for every agent; no model is resolved and no variable is required.
func WithScript(json string) Option { return core.Script(json) }

// WithReplay has a recording answer for every agent.
func WithReplay(r *recording.Recording) Option { return func(c *core.Config) { c.Replay = r } }

// WithRecorder records what models are asked and what they answer. The caller closes the recorder.
func WithRecorder(r *recording.Recorder) Option { return func(c *core.Config) { c.Record = r } }

// WithObserver notifies an observer of each event, in addition to others.
func WithObserver(o event.Observer) Option { return func(c *core.Config) { c.Observe(o) } }

// Asker asks a person. An answer to a question with choices should be one of them.
type Asker = core.Asker

// WithAsker has questions asked; without, a question ends the run with *runtime.PausedError.
func WithAsker(a Asker) Option { return func(c *core.Config) { c.Asker = a } }

// Signals takes signals for the machines that run. The zero value is ready; it is safe for concurrent use.
type Signals = core.Signals

// WithSignals offers signals to the machines that run.
func WithSignals(s *Signals) Option { return func(c *core.Config) { c.Signals = s } }

// WithEnv looks variables up; without, os.LookupEnv does.
func WithEnv(lookup func(name string) (value string, ok bool)) Option {
	return func(c *core.Config) { c.Env = lookup }
}

// Clock gives the time and waits. With a method AfterFunc(d, f) (stop func()) as well a budget of time ends an effect that is under
// way; with any other clock such an effect ends by itself, and the next one is refused.
type Clock = core.Clock

// WithClock sets the clock; without, it is the system's or, under a script or a recording, one that leaps ahead instead of waiting.
func WithClock(clock Clock) Option { return func(c *core.Config) { c.Clock = clock } }

// WithPrices says what models cost; without, the file that AGENTC_PRICES names does, else the program.
func WithPrices(p model.Prices) Option {
	return func(c *core.Config) { c.Price = core.PriceIn(p.Models) }
}

// Retry bounds the repetitions of a model call that may succeed later.
type Retry = core.Retry

// WithRetry bounds the repetitions of model calls.
func WithRetry(r Retry) Option { return func(c *core.Config) { c.Retry = r } }

// WithLimits bounds the results of tools; what is 0 counts as the program says. Variables of the environment count more.
func WithLimits(l compiled.Limits) Option { return func(c *core.Config) { c.Limits = l } }

// WithRunID names runs; without, a name is the time and random digits.
func WithRunID(next func() string) Option { return func(c *core.Config) { c.RunID = next } }

// WithMiddleware has the agents of each run work through middleware, in branches too. What is given first is called first. A wrapper embeds runtime.Effects, overrides what it changes, and keeps the rest.
func WithMiddleware(wrap func(runtime.Effects) runtime.Effects) Option {
	return func(c *core.Config) { c.Middleware = append(c.Middleware[:len(c.Middleware):len(c.Middleware)], wrap) }
}
