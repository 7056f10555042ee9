package core

import (
	"errors"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime"
)

// Parallel runs the branches in goroutines of their own, at most limit at a time, and waits for all of them. Branches that have
// not begun when the run is cancelled do not begin.
func (f *Effects) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	if err := f.beginEffect(); err != nil {
		return err
	}
	if f.run.journal == nil {
		if err := f.checkTime(); err != nil {
			return err
		}
	} else if err := f.recordGroup(n, limit); err != nil {
		return err
	}
	if limit <= 0 || limit > n {
		limit = n
	}

	errs := make([]error, max(n, 0))
	if f.host != nil {
		f.runBranchesOnHost(n, limit, errs, branch)
	} else {
		f.runBranches(limit, errs, branch)
	}
	f.replay.join()

	if cause := f.run.stopped(); cause != nil {
		return cause
	}

	return errors.Join(errs...)
}

// runBranches runs the branches in goroutines.
func (f *Effects) runBranches(limit int, errs []error, branch func(int, runtime.Effects) error) {
	var begun atomic.Int64
	var wait sync.WaitGroup
	for range limit {
		wait.Add(1)
		go f.runWaitingBranches(&wait, &begun, errs, branch)
	}
	wait.Wait()
}

// runWaitingBranches runs branches until none is left. A branch that leaves its goroutine takes it along; another goes on in its place.
func (f *Effects) runWaitingBranches(wait *sync.WaitGroup, begun *atomic.Int64, errs []error, branch func(int, runtime.Effects) error) {
	finished := false
	defer func() {
		if !finished {
			go f.runWaitingBranches(wait, begun, errs, branch)

			return
		}
		wait.Done()
	}()

	for {
		i := int(begun.Add(1)) - 1
		if i >= len(errs) || f.run.stopped() != nil {
			break
		}
		f.runBranch(i, nil, errs, branch)
	}
	finished = true
}

// runBranch runs a branch. One that panics, or leaves its goroutine, ends with a *runtime.PanicError.
func (f *Effects) runBranch(i int, host Host, errs []error, branch func(int, runtime.Effects) error) {
	fx := &Effects{run: f.run, host: host, parent: f, position: f.position.inBranch(i), budgetScope: f.budgetScope.inBranch(host)}
	defer f.run.signalSource().dropBranch(&fx.position)
	defer fx.replay.reportTo(&f.replay)
	defer f.run.flush()
	returned := false
	defer func() {
		if returned {
			return
		}
		value := recover()
		if value == nil {
			value = errGoexit
		}
		errs[i] = f.run.clean(&runtime.PanicError{Where: "branch " + strconv.Itoa(i), Value: value, Stack: debug.Stack()})
	}()
	errs[i] = branch(i, fx)
	returned = true
	fx.checkBranchEnd()
}
