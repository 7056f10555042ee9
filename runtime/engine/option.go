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

// Option configures an engine.
type Option = core.Option

// WithStore keeps the journals of runs in a store, from which another process can resume them.
func WithStore(s journal.Store) Option { return func(c *core.Config) { c.Store = s } }

// WithProvider sets the opener for the models of a provider: those whose name begins with it and a colon. It takes
// precedence over what the program includes for that name. The providers script and replay are built in.
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

// WithModel lets one provider answer for every agent; no model is resolved.
func WithModel(p model.Provider) Option { return func(c *core.Config) { c.Model = p } }

// WithScript lets a script, which is JSON, answer for every agent; no model is resolved and no variable is required.
func WithScript(json string) Option { return core.Script(json) }

// WithReplay lets a recording answer for every agent.
func WithReplay(r *recording.Recording) Option { return func(c *core.Config) { c.Replay = r } }

// WithRecorder records the requests to models and their replies. The caller closes the recorder.
func WithRecorder(r *recording.Recorder) Option { return func(c *core.Config) { c.Record = r } }

// WithObserver notifies an observer of each event, in addition to others.
func WithObserver(o event.Observer) Option { return func(c *core.Config) { c.Observe(o) } }

// Asker asks a person. An answer to a question with choices should be one of them.
type Asker = core.Asker

// WithAsker sets the function that asks people. Without it, a question ends the run with *runtime.PausedError.
func WithAsker(a Asker) Option { return func(c *core.Config) { c.Asker = a } }

// Signals receives signals for running machines. The zero value is ready to use; it is safe for concurrent use.
type Signals = core.Signals

// WithSignals offers signals to the machines that run.
func WithSignals(s *Signals) Option { return func(c *core.Config) { c.Signals = s } }

// WithEnv sets the function that looks up environment variables; the default is os.LookupEnv.
func WithEnv(lookup func(name string) (value string, ok bool)) Option {
	return func(c *core.Config) { c.Env = lookup }
}

// Clock returns the time and waits. If it has a method AfterFunc(d, f) (stop func()), a budget of time cancels an
// effect that is under way; otherwise such an effect finishes, and the next one is refused.
type Clock = core.Clock

// WithClock sets the clock. The default is the system's or, with a script or a recording, one that advances instead
// of waiting.
func WithClock(clock Clock) Option { return func(c *core.Config) { c.Clock = clock } }

// WithPrices sets the prices of models. The default is the file that AGENTC_PRICES names, or else the program's
// prices.
func WithPrices(p model.Prices) Option {
	return func(c *core.Config) { c.Price = core.PriceIn(p.Models) }
}

// Retry limits how often, and for how long, a failed model call that may succeed later is repeated.
type Retry = core.Retry

// WithRetry sets the limits for repeated model calls.
func WithRetry(r Retry) Option { return func(c *core.Config) { c.Retry = r } }

// WithLimits limits the size of results of tools, in bytes; a field that is 0 keeps the program's limit. Environment
// variables take precedence.
func WithLimits(l compiled.Limits) Option { return func(c *core.Config) { c.Limits = l } }

// WithRunID sets the function that chooses the ids of runs; the default is the time and random digits.
func WithRunID(next func() string) Option { return func(c *core.Config) { c.RunID = next } }

// WithMiddleware wraps the effects of the agents of each run, in branches too. The first wrapper given is the
// outermost. A wrapper embeds runtime.Effects and overrides some methods.
func WithMiddleware(wrap func(runtime.Effects) runtime.Effects) Option {
	return func(c *core.Config) { c.Middleware = append(c.Middleware[:len(c.Middleware):len(c.Middleware)], wrap) }
}
