package core

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
)

// Parallel runs the branches in goroutines of their own, at most limit at a time, and waits for all
// of them. Branches that have not begun when the run is cancelled do not begin.
func (f *Effects) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	if err := f.beginEffect(); err != nil {
		return err
	}
	g := &group{fx: f, branch: branch, errs: make([]error, max(n, 0))}
	if err := g.begin(n, limit); err != nil {
		return err
	}
	if limit <= 0 || limit > n {
		limit = n
	}

	if f.host != nil {
		g.runOnHost(limit)
	} else {
		g.run(limit)
	}
	f.replay.Join()

	if cause := f.run.stopped(); cause != nil {
		return cause
	}

	return errors.Join(g.errs...)
}

// group is a parallel group that runs.
type group struct {
	// fx is the branch that has started the group.
	fx     *Effects
	branch func(i int, fx runtime.Effects) error
	// errs has the error of each branch.
	errs []error
	// begun counts the branches that have begun.
	begun atomic.Int64
	wait  sync.WaitGroup
}

// begin records the group, where results are recorded. It has no result, because its branches have
// theirs.
func (g *group) begin(n, limit int) error {
	f := g.fx
	if f.run.journal == nil {
		return f.scope.CheckTime()
	}
	x := execution{fx: f, intent: parallelIntent(n, limit), address: f.Address()}
	err := x.lookUp()
	switch {
	case err != nil || x.prior != nil:
		return err
	case f.run.journal.readOnly:
		return x.reportPending()
	}
	f.leaveReplay()
	if err := f.scope.CheckTime(); err != nil {
		return err
	}

	return x.writeIntent()
}

// run runs the branches in goroutines, at most limit at a time.
func (g *group) run(limit int) {
	for range limit {
		g.wait.Add(1)
		go g.runWaiting()
	}
	g.wait.Wait()
}

// runWaiting runs branches until all have begun. A branch that leaves its goroutine ends the
// goroutine; another one replaces it.
func (g *group) runWaiting() {
	finished := false
	defer func() {
		if !finished {
			go g.runWaiting()

			return
		}
		g.wait.Done()
	}()

	for {
		i := int(g.begun.Add(1)) - 1
		if i >= len(g.errs) || g.fx.run.stopped() != nil {
			break
		}
		g.runBranch(i, nil)
	}
	finished = true
}

// runOnHost has the host run the branches.
func (g *group) runOnHost(limit int) {
	g.fx.host.Branches(len(g.errs), max(limit, 1), func(i int, host Host) {
		if g.fx.run.stopped() == nil {
			g.runBranch(i, host)
		}
	})
}

// runBranch runs a branch. One that panics, or leaves its goroutine, ends with a
// *runtime.PanicError.
func (g *group) runBranch(i int, host Host) {
	parent := g.fx
	fx := &Effects{
		run: parent.run, parent: parent,
		at: parent.at.InBranch(i), host: host, clockRead: -1,
	}
	fx.scope = parent.scope.InBranch(alarmsOf(host))
	fx.caller.Owner = fx
	defer fx.caller.Close()
	defer fx.run.signalSource().DropBranch(&fx.at)
	defer fx.replay.ReportTo(&parent.replay)
	defer fx.run.flushJournal()
	returned := false
	defer func() {
		if returned {
			return
		}
		value := recover()
		if value == nil {
			value = usercode.ErrGoexit
		}
		g.errs[i] = fx.run.redactError(usercode.PanicError("branch "+strconv.Itoa(i), value))
	}()
	g.errs[i] = g.branch(i, fx)
	returned = true
	fx.checkBranchEnd()
}
