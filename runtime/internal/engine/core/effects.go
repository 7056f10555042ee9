package core

import (
	"context"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Effects are the effects of one branch of a run. It must not be used by two goroutines at once.
type Effects struct {
	run *run
	// parent is the branch that began the parallel group, began the ordinal of that effect in it, and branch the number of this
	// branch; nil, 0 and 0 outside of a group.
	parent       *Effects
	groupOrdinal int
	branch       int
	// fixed is the address of an effect that a Bench carries out; else "".
	fixed string
	// address is that of effect addressOf, once it has been asked for.
	address   string
	addressOf int
	// host carries out the effects of the branch; nil: they happen here.
	host Host
	// count is how many effects this branch has had.
	count int
	// chosen is the newest choice of a model, and model what it means.
	chosen *model.Choice
	model  *openModel
	// turn is the newest turn of a model; nil before the first.
	turn *modelTurn
	// budget is the innermost one; nil without any. timed is the effect that is under way, if one limits its time.
	budget *budget
	timed  *timed
	// overdue says that the newest effect was ended because time ran out: what has become of it is not known.
	overdue bool
	// calling is the context of providers in a run that cannot be cancelled, asking the number of the effect that asks one.
	calling context.Context
	asking  atomic.Int64
	replay  branchReplay
	// effectStart is when the newest effect began, in a run that is observed.
	effectStart time.Time
}

// beginEffect counts an effect. It returns the cause when the run is cancelled.
func (f *Effects) beginEffect() error {
	f.count++
	if f.host != nil && f.parent == nil && f.replay.isLive && f.run.stopped() == nil {
		if err := f.run.endAtBoundary(); err != nil {
			return err
		}
	}
	f.keepStartTime()

	return f.run.stopped()
}

// Address is the dot path of the branch's newest effect; "" before the first of the run.
func (f *Effects) Address() string {
	if f.address == "" || f.addressOf != f.count {
		var buffer [64]byte
		f.address, f.addressOf = string(f.appendAddress(buffer[:0], f.count)), f.count
	}

	return f.address
}

func (f *Effects) appendAddress(dst []byte, count int) []byte {
	if f.fixed != "" {
		return append(dst, f.fixed...)
	}
	if f.parent != nil {
		dst = f.parent.appendAddress(dst, f.groupOrdinal)
		dst = append(dst, '.')
		dst = strconv.AppendInt(dst, int64(f.branch), 10)
		if count > 0 {
			dst = append(dst, '.')
		}
	}
	if count > 0 {
		dst = strconv.AppendInt(dst, int64(count), 10)
	}

	return dst
}

// path is the branch numbers that lead here.
func (f *Effects) path() script.Path {
	if f.parent == nil {
		return nil
	}

	return append(f.parent.path(), f.branch)
}

// home is the branch in which the agent runs: tools that one turn calls in parallel have branches of their own.
func (f *Effects) home() *Effects {
	for at := f; at != nil; at = at.parent {
		if at.turn != nil {
			return at
		}
	}

	return f
}

// scripted is the player that answers here, and the branch where it does; nil where no script has a say.
func (f *Effects) scripted() (*script.Player, script.Path) {
	home := f.home()
	if home.turn == nil || home.turn.first == nil {
		return f.run.script, home.path()
	}

	return home.turn.first.player, home.path()
}

// End gives the tools of the run back. It returns what the run's scripts have not played, as *runtime.ScriptError, unless that is allowed;
// and the panic of an observer.
func (f *Effects) End() error {
	f.run.closeTools()

	return joinErrors(f.run.checkScriptEnd(), f.run.observerError())
}
