package engine

import (
	"context"
	"slices"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/runtime/stores/recording"
)

// Options configure an engine. The zero value runs programs with the models that the environment and the
// configuration name, and keeps nothing. Of Model, Script and Replay only one may be set.
type Options struct {
	// Store keeps the journals of runs, from which another process can resume them; nil: a run that ends is gone.
	Store journal.Store
	// AheadEffects is how many effects of a run can be without a result on disk, if repeating them does no harm: as
	// many are repeated at most when the run is resumed after a crash. 1: each waits for the result of the previous
	// one; 0: 16.
	AheadEffects int
	// AheadTime is how long such an effect may be missing on disk before the next one waits for it, on a disk that is
	// slow; 0: 50 ms.
	AheadTime time.Duration
	// Providers open the models of providers, by the part of a model's name before the first colon. They take
	// precedence over what the program includes. The providers script and replay are built in.
	Providers map[string]model.Opener
	// Model answers for every agent; no model is resolved.
	Model model.Provider
	// Script, which is JSON, answers for every agent; no model is resolved and no variable is required. "": no script.
	Script string
	// Partial allows turns of Script to be unused at the end.
	Partial bool
	// Replay, a recording, answers for every agent.
	Replay *recording.Recording
	// Recorder records the requests to models and their replies. The caller closes it.
	Recorder *recording.Recorder
	// Observers are notified of each event, in this order.
	Observers []event.Observer
	// Asker asks people; nil: a question ends the run with *runtime.PausedError.
	Asker Asker
	// Signals are offered to the machines that run.
	Signals *Signals
	// Env looks up environment variables; nil: os.LookupEnv.
	Env func(name string) (value string, ok bool)
	// Clock returns the time and waits; nil: the system's or, with a script or a recording, one that advances instead
	// of waiting.
	Clock Clock
	// Prices of models; without any, those of the file that AGENTC_PRICES names, or else the program's.
	Prices model.Prices
	// Retry limits how often, and for how long, a failed model call that may succeed later is repeated.
	Retry model.Retry
	// Limits limit the size of results of tools, in bytes; a field that is 0 keeps the program's limit. Environment
	// variables take precedence.
	Limits compiled.Limits
	// ForceShape resumes runs of a program of another shape, too. Each effect must still be the one that was recorded.
	ForceShape bool
	// RunID chooses the ids of runs; nil: the time and random digits.
	RunID func() string
	// Middleware wraps the effects of the agents of each run, in branches too. The first wrapper is the outermost. A
	// wrapper embeds runtime.Effects and overrides some methods.
	Middleware []func(runtime.Effects) runtime.Effects
}

func init() {
	core.Configure = func(options any, c *core.Config) { options.(Options).configure(c) }
}

// configure is core.Configure for these options.
func (o Options) configure(c *core.Config) {
	if o.Store != nil {
		c.Store = o.Store
	}
	if o.AheadEffects > 0 {
		c.AheadEffects = o.AheadEffects
	}
	if o.AheadTime > 0 {
		c.AheadTime = o.AheadTime
	}
	if o.Providers != nil {
		c.Providers = o.Providers
	}
	if o.Model != nil {
		c.Model = o.Model
	}
	if o.Script != "" {
		c.Script = o.Script
	}
	c.Partial = c.Partial || o.Partial
	if o.Replay != nil {
		c.Replay = o.Replay
	}
	if o.Recorder != nil {
		c.Record = o.Recorder
	}
	for _, observer := range o.Observers {
		c.Observe(observer)
	}
	if o.Asker != nil {
		c.Asker = o.Asker
	}
	if o.Signals != nil {
		c.Signals = &o.Signals.inner
	}
	if o.Env != nil {
		c.Env = o.Env
	}
	if o.Clock != nil {
		c.Clock = o.Clock
	}
	if o.Prices.Models != nil {
		c.Price = pricing.Lookup(o.Prices.Models)
	}
	if o.Retry != (model.Retry{}) {
		c.Retry = o.Retry
	}
	if o.Limits != (compiled.Limits{}) {
		c.Limits = o.Limits
	}
	c.ForceShape = c.ForceShape || o.ForceShape
	if o.RunID != nil {
		c.RunID = o.RunID
	}
	c.Middleware = slices.Concat(c.Middleware, o.Middleware)
}

// Asker asks a person. An answer to a question with choices should be one of them.
type Asker interface {
	Ask(ctx context.Context, q runtime.Question) (runtime.Answer, error)
}

// Clock returns the time and waits. If it has a method AfterFunc(d, f) (stop func()), a budget of time cancels an
// effect that is under way; otherwise such an effect finishes, and the next one is refused.
type Clock interface {
	Now() time.Time
	// Sleep waits for d, or until ctx is done.
	Sleep(ctx context.Context, d time.Duration)
}

// Signals receives signals for running machines. The zero value is ready to use; it is safe for concurrent use.
type Signals struct{ inner signaling.Signals }

// Route adds rules of the agent tier, for the machine of that name, or with "" of the host tier, for all runs that
// receive these signals. They apply where the file's rules have none for a signal, in machines that have rules in their
// file, and come before those that the program itself has in the tier.
func (s *Signals) Route(agent string, rules ...signals.Rule) { s.inner.Route(agent, rules...) }

// Send offers a signal to the innermost machine that runs and has a rule for it in its state. taken is false if there
// is none: then nothing has happened. Otherwise the signal waits for the next safe point of that machine's run, where
// the rules are evaluated again; force-stop cancels the run at once, with a *runtime.CancelledError as cause.
func (s *Signals) Send(signal signals.Signal) (taken bool) { return s.inner.Send(signal) }
