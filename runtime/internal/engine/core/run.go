package core

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// run is what all branches of one run share.
type run struct {
	ctx     context.Context
	engine  *Engine
	program *compiled.Program
	id      string
	*equipment
	// host carries out the run's effects; nil: this process does.
	host Host
	// endedAtBoundary is why the host has ended the run at a boundary, to continue it later: later
	// events are not reported.
	endedAtBoundary error
	// journal is its journal; nil without one.
	journal *runJournal
	// recorder records the requests to models; nil if nothing does.
	recorder *recording.Session
	// wanted is the request that Engine.Request looks for; nil in any other run.
	wanted *wantedRequest
	// script is Config.Script; nil without one.
	script *script.Player

	// cancel ends the run; nil where no signals come. scripted takes the signals of scripts if the
	// configuration takes none.
	cancel   context.CancelCauseFunc
	signals  signaling.Receiver
	scripted signaling.Signals

	// priceOf returns the price of a model; nil: no price is known.
	priceOf func(model string) (price pricing.Price, known bool)

	input, output atomic.Int64 // tokens
	// estimated reports whether some of the tokens are estimates.
	estimated atomic.Bool

	events eventLog
}

// equipment is what carries out the effects of a run. All effects of a [Bench] share it.
type equipment struct {
	memory  memory
	results resultLimits
	// tools run tools that are neither methods of the user's nor memory.
	tools toolbox
	// secrets must not be shown by tools and errors.
	secrets secrets
	// every answers for every agent, if that is Config.Script or Config.Model; else nil.
	every *openModel

	mu sync.Mutex
	// models are resolved, by what agents choose: many choose the same.
	models map[model.Choice]*openModel
	// opened are the models that providers have opened.
	opened map[opening]model.Provider
	// replay plays Config.Replay, from the first request on.
	replay *recording.Player
	// files are the scripts and recordings that models name, in the order in which they were first
	// asked for.
	files []file
}

// opening identifies an opened model. The role is part of it because it may have a key of its own.
type opening struct {
	role, name, baseURL string
}

// file is a script or a recording that models name.
type file struct {
	name   string
	player *script.Player
	replay *recording.Player
}

// players returns the scripts of the run.
func (r *run) players() []*script.Player {
	if r.script != nil {
		return []*script.Player{r.script}
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	var players []*script.Player
	for _, f := range r.files {
		if f.player != nil {
			players = append(players, f.player)
		}
	}

	return players
}

// stopped returns the cause of the run's cancellation, or nil.
func (r *run) stopped() error {
	return usercode.Cause(r.ctx)
}

// limit returns the budget of the whole run; nil without one.
func (r *run) limit() *runtime.Budget {
	if r.program == nil {
		return nil
	}

	return r.program.Budget
}

func (r *run) addUsage(u model.Usage) {
	if u.Input != 0 {
		r.input.Add(int64(u.Input))
	}
	if u.Output != 0 {
		r.output.Add(int64(u.Output))
	}
	if u.Estimated {
		r.estimated.Store(true)
	}
}

func (r *run) usage() model.Usage {
	return model.Usage{Input: int(r.input.Load()), Output: int(r.output.Load()), Estimated: r.estimated.Load()}
}

// joinErrors joins two errors; one alone stays as it is.
func joinErrors(first, second error) error {
	if first == nil || second == nil {
		return cmp.Or(first, second)
	}

	return errors.Join(first, second)
}

// checkScriptEnd returns what the script of the engine has not played, if it must be. A script that
// is a model of the project is not a test: it may have turns left.
func (r *run) checkScriptEnd() error {
	if r.engine.config.Partial || r.script == nil {
		return nil
	}

	return r.script.End()
}
