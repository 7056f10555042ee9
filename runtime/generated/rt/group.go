package rt

import (
	"errors"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// RunFunc runs an agent, or a step: generated code has one for each agent. at has the keys with
// which it may finish; without at, all of the agent's.
type RunFunc func(fx runtime.Effects, input string, at ...Place) (runtime.Finish, error)

// Entry runs the agent as an entry point: it may finish with all keys of its own.
func (run RunFunc) Entry(fx runtime.Effects, input string) (runtime.Finish, error) {
	return run(fx, input)
}

// Branch is an agent that runs in parallel with others.
type Branch struct {
	Name string
	Run  RunFunc
}

// Together runs branches in parallel on the same input, at most limit at a time (0: no limit). The
// results are in the order of the branches.
//
// If a branch fails or panics, its result has the error; if all fail, the group returns a
// *GroupError. An error that ends the run is not the failure of a branch: the group returns the
// cause after cancellation, else the *PausedError, the *ScriptError or any other error that no
// other branch can make up for.
func (agent Flow) Together(fx runtime.Effects, limit int, input string, branches ...Branch) (Results, error) {
	results := make(Results, len(branches))
	for i, branch := range branches {
		results[i].Name = branch.Name
	}

	return agent.group(fx, limit, results, func(i int, fx runtime.Effects) (runtime.Finish, error) {
		return branches[i].Run(fx, input)
	})
}

// ForEach calls run for each item in parallel, as [Flow.Together] does. The results have the names
// of the items. Without items there are neither results nor an error.
func (agent Flow) ForEach(fx runtime.Effects, limit int, items []string, run RunFunc) (Results, error) {
	results := make(Results, len(items))
	for i, item := range items {
		results[i].Name = item
	}

	return agent.group(fx, limit, results, func(i int, fx runtime.Effects) (runtime.Finish, error) {
		return run(fx, items[i])
	})
}

// Times calls run n times in parallel, as [Flow.Together] does. The results are named title 1 to
// title n.
func (agent Flow) Times(
	fx runtime.Effects, limit, n int, title string, run func(fx runtime.Effects) (runtime.Finish, error),
) (Results, error) {
	results := make(Results, max(n, 0))
	for i := range results {
		results[i].Name = title + " " + strconv.Itoa(i+1)
	}

	return agent.group(fx, limit, results, func(_ int, fx runtime.Effects) (runtime.Finish, error) { return run(fx) })
}

// errUnsettled is the error of a branch that has not returned: it has not begun, or has panicked.
var errUnsettled = errors.New("the branch did not end")

// group runs a branch for each of results, whose names are set, and completes them.
func (agent Flow) group(
	fx runtime.Effects, limit int, results Results, run func(i int, fx runtime.Effects) (runtime.Finish, error),
) (Results, error) {
	if len(results) == 0 {
		return nil, nil
	}
	for i := range results {
		results[i].Err = errUnsettled
	}

	err := fx.Parallel(len(results), limit, func(i int, fx runtime.Effects) error {
		fin, err := run(i, fx)
		if err != nil {
			fin = runtime.Finish{}
		}
		results[i].Finish, results[i].Err = fin, err
		if runtime.EndsRun(err) {
			return err
		}

		return nil
	})
	if err := settleGroup(fx, string(agent), results, err); err != nil {
		return nil, err
	}

	return results, results.groupFailure(fx, string(agent))
}

// settleGroup gives each branch that failed by a panic its error, and returns what ends the run.
// err is what Parallel returned: either it joins the errors of the branches that panicked or end
// the run, in their order, or it is the engine's own, such as the cause after cancellation.
func settleGroup(fx runtime.Effects, agent string, results Results, err error) error {
	if err == nil {
		return nil
	}
	joined, _ := err.(interface{ Unwrap() []error })
	if joined == nil {
		return err
	}

	left := joined.Unwrap()
	var ending []error
	for i := range results {
		panicked := results[i].Err == errUnsettled
		if !panicked && !runtime.EndsRun(results[i].Err) {
			continue
		}
		if len(left) == 0 || panicked && !errs.Is[*runtime.PanicError](left[0]) {
			return err
		}
		if !panicked || runtime.EndsRun(left[0]) {
			ending = append(ending, left[0])
		} else {
			results[i].Err = left[0]
			noteError(fx, agent, left[0])
		}
		left = left[1:]
	}
	switch {
	case len(left) > 0:
		return err
	case len(ending) == 1:
		return ending[0]
	}

	return errors.Join(ending...)
}

// groupFailure returns the error of a group all of whose branches failed.
func (r Results) groupFailure(fx runtime.Effects, agent string) error {
	var failed []runtime.BranchError
	for _, result := range r {
		if result.Err != nil {
			failed = append(failed, runtime.BranchError{Name: result.Name, Err: result.Err})
		}
	}
	if len(failed) < len(r) {
		return nil
	}
	err := &runtime.GroupError{Agent: agent, Failed: failed}
	noteError(fx, agent, err)

	return err
}
