package core

import (
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/addr"
	"github.com/agentc-dev/agentc/runtime/internal/engine/budget"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
)

// Effects are the effects of one branch of a run. They must not be used by two goroutines at once.
type Effects struct {
	run *run
	// parent is the branch that started the parallel group; nil outside of a group.
	parent *Effects
	at     addr.Position
	scope  budget.Scope
	// host carries out the effects of the branch; nil: this process does.
	host   Host
	replay replay.Branch
	// chosen is the model that was asked last.
	chosen chosenModel
	// turn is the newest turn of a model; nil before the first.
	turn *modelTurn
	// caller calls the code of the user, and providers.
	caller usercode.Caller
	// provided is the newest call of a provider; nil before the first, and if that still runs.
	provided *providerCall
	// effectStart is when the newest effect began, in a run that is observed.
	effectStart time.Time
	// clockRead is how many effects the branch had had when it last reported an event; -1 if it has
	// reported none.
	clockRead int
}

// newEffects returns the effects of a run, outside of parallel groups.
func (r *run) newEffects() *Effects {
	f := &Effects{run: r, host: r.host, clockRead: -1}
	f.caller.Owner = f
	f.scope = budget.NewScope(r.ctx, r.engine.config.Clock, alarmsOf(r.host), r.limit())

	return f
}

// beginEffect counts an effect. After a cancellation it returns the cause.
func (f *Effects) beginEffect() error {
	f.at.Advance()
	if f.host != nil && f.parent == nil && f.replay.IsLive && f.run.stopped() == nil {
		if err := f.run.endAtBoundary(); err != nil {
			return err
		}
	}
	if f.run.events.hasRunObservers() {
		f.effectStart = f.run.engine.config.Clock.Now()
	}

	return f.run.stopped()
}

// scriptPlayer returns the script that answers here, nil without one, and the branch in which the
// agent runs. Tools that one turn calls in parallel have branches of their own.
func (f *Effects) scriptPlayer() (*script.Player, script.Path) {
	home := f
	for home.turn == nil && home.parent != nil {
		home = home.parent
	}
	if home.turn == nil {
		return f.run.script, f.at.Path()
	}
	if home.turn.first == nil {
		return f.run.script, home.at.Path()
	}

	return home.turn.first.player, home.at.Path()
}

// End ends what was started for the run, and closes its tools. It returns the panic of an observer, and as *runtime.ScriptError
// what the run's scripts have not played, unless that is allowed.
func (f *Effects) End() error {
	f.caller.Close()
	f.run.closeTools()

	return joinErrors(f.run.checkScriptEnd(), f.run.events.err())
}

// alarmsOf returns what ends effects for which no time is left: the host; nil: the clock does.
func alarmsOf(host Host) budget.Alarms {
	if host == nil {
		return nil
	}

	return host
}

// Limit implements runtime.Effects.
func (f *Effects) Limit(agent, step string, b *runtime.Budget) (end func()) {
	return f.scope.Limit(agent, step, b)
}

// Address implements runtime.Effects.
func (f *Effects) Address() string { return f.at.Address() }
