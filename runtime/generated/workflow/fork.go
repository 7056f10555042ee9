package workflow

import (
	"errors"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// Parallel configures a parallel step.
type Parallel struct {
	Step string
	// Isolated discards the changes of the branches to their contexts. Otherwise Keep is the branch
	// whose value counts if two of them write different ones, "first" or "last". If Keep is "",
	// different values are a ConflictError.
	Isolated bool
	Keep     string
	// Ignore treats a failed branch as one without output; otherwise it fails the step.
	Ignore bool
}

// Branch is a branch of a parallel step. R is the type of the run.
type Branch[R any] struct {
	Name string
	Run  func(r *R, input Value) (Value, error)
	// Fields are the paths of the context that the branch writes back; nil: all.
	Fields [][]string
}

// branchRuns are the branches of a parallel step that did not fail.
type branchRuns[R any] []branchRun[R]

// branchRun is a branch that did not fail.
type branchRun[R any] struct {
	Name   string
	Output Value
	// Run is the branch's copy of the run; nil if it failed.
	Run *R
	// fields are the paths that the branch writes back.
	fields [][]string
}

// Fork runs branches in parallel, each with a copy of the run, and merges their contexts. It
// returns the branches that did not fail.
func Fork[R any, P embedsRun[R]](r P, p Parallel, input Value, branches ...Branch[R]) (branchRuns[R], error) {
	runs := make([]R, len(branches))
	outputs := make([]Value, len(branches))
	list := make([]rt.Branch, len(branches))
	for i, branch := range branches {
		list[i] = rt.Branch{Name: branch.Name, Run: func(fx runtime.Effects, _ string, _ ...rt.Place) (runtime.Finish, error) {
			runs[i] = *r
			own := P(&runs[i])
			own.baseRun().fx = fx
			own.Bind()
			var err error
			outputs[i], err = branch.Run(&runs[i], input)

			return runtime.Finish{}, unwrapReported(err)
		}}
	}
	results, err := rt.Flow(r.baseRun().workflow).Together(r.baseRun().fx, 0, "", list...)
	if err := joinBranchErrors(results, err, p); err != nil {
		return nil, err
	}

	var ran branchRuns[R]
	var contexts []Value
	for i, result := range results {
		if result.Err == nil {
			ran = append(ran, branchRun[R]{branches[i].Name, outputs[i], &runs[i], branches[i].Fields})
			contexts = append(contexts, P(&runs[i]).baseRun().fullContext())
		}
	}
	if p.Isolated {
		return ran, nil
	}

	return ran, ran.mergeContexts(r.baseRun(), p.Keep, contexts)
}

// joinBranchErrors returns the error that fails the step, ends the run or leaves the state; nil if
// the step succeeds.
func joinBranchErrors(results rt.Results, err error, p Parallel) error {
	var left *leaveSignal
	if errors.As(err, &left) {
		return left
	}
	if err != nil {
		return reportedError{err}
	}
	var failed []error
	for _, result := range results {
		if result.Err == nil {
			continue
		}
		if errors.As(result.Err, &left) {
			return left
		}
		failed = append(failed, runtime.BranchError{Name: result.Name, Err: result.Err})
	}
	if len(failed) == 0 || p.Ignore {
		return nil
	}
	if len(failed) == 1 {
		return reportedError{failed[0]}
	}

	return reportedError{errors.Join(failed...)}
}

// mergeContexts merges the contexts of the branches into the context of r.
func (ran branchRuns[R]) mergeContexts(r *Run, keep string, contexts []Value) error {
	base := r.fullContext()
	for i, branch := range ran {
		if branch.fields == nil {
			continue
		}
		copied, err := copyFields(branch.fields, contexts[i], base)
		if err != nil {
			return pathError(nil, err)
		}
		contexts[i] = copied
	}
	merged, clash := mergeBranches(base, contexts, keep)
	if clash != nil {
		return conflictError(clash.Path, ran[clash.First].Name, ran[clash.Second].Name)
	}

	return r.Inherit(merged)
}

// copyFields returns base with the values that context has at the paths of fields.
func copyFields(fields [][]string, context, base Value) (Value, error) {
	for _, path := range fields {
		value := context.Get(path...)
		if isSame(value, base.Get(path...)) {
			continue
		}
		changed, err := base.Set(path, value)
		if err != nil {
			return Value{}, err
		}
		base = changed
	}

	return base, nil
}

// Outputs returns an object with the output of each branch by its name.
func (ran branchRuns[R]) Outputs() Value {
	members := make([]Member, len(ran))
	for i, branch := range ran {
		members[i] = Member{branch.Name, branch.Output}
	}

	return Object(members...)
}

// Names returns the list of the names of the branches.
func (ran branchRuns[R]) Names() Value {
	return ran.mapToList(func(branch branchRun[R]) Value { return Text(branch.Name) })
}

// Values returns the list of the outputs.
func (ran branchRuns[R]) Values() Value {
	return ran.mapToList(func(branch branchRun[R]) Value { return branch.Output })
}

func (ran branchRuns[R]) mapToList(of func(branchRun[R]) Value) Value {
	items := make([]Value, len(ran))
	for i, branch := range ran {
		items[i] = of(branch)
	}

	return newList(items)
}

// First returns the output of the first branch; none without branches.
func (ran branchRuns[R]) First() Value { return ran.Values().At(0) }

// Last returns the output of the last branch; none without branches.
func (ran branchRuns[R]) Last() Value { return ran.Values().At(len(ran) - 1) }
