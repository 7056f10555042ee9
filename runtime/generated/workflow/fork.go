package workflow

import (
	"errors"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// Parallel configures a parallel step.
type Parallel struct {
	Step string
	// Isolated drops what the branches write into their contexts. Otherwise Keep says which value
	// counts if two of them write different ones: that of the "first" branch, that of the "last"
	// one; "" makes it a ConflictError.
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
	// fields are those of the branch.
	fields [][]string
}

// Fork runs branches in parallel, each with a copy of the run, and merges their contexts. It
// returns those that did not fail.
func Fork[R any, P of[R]](r P, p Parallel, input Value, branches ...Branch[R]) (branchRuns[R], error) {
	runs := make([]R, len(branches))
	outputs := make([]Value, len(branches))
	list := make([]rt.Branch, len(branches))
	for i, branch := range branches {
		list[i] = rt.Branch{Name: branch.Name, Run: func(fx runtime.Effects, _ string, _ ...rt.Place) (runtime.Finish, error) {
			runs[i] = *r
			own := P(&runs[i])
			own.base().fx = fx
			own.Bind()
			var err error
			outputs[i], err = branch.Run(&runs[i], input)

			return runtime.Finish{}, withoutMark(err)
		}}
	}
	results, err := rt.Flow(r.base().workflow).Together(r.base().fx, 0, "", list...)
	if err := settleBranches(results, err, p); err != nil {
		return nil, err
	}

	var ran branchRuns[R]
	var contexts []Value
	for i, result := range results {
		if result.Err == nil {
			ran = append(ran, branchRun[R]{branches[i].Name, outputs[i], &runs[i], branches[i].Fields})
			contexts = append(contexts, P(&runs[i]).base().fullContext())
		}
	}
	if p.Isolated {
		return ran, nil
	}

	return ran, ran.joinContexts(r.base(), p.Keep, contexts)
}

// settleBranches returns what fails the step, or ends more than it.
func settleBranches(results rt.Results, err error, p Parallel) error {
	var left *leave
	if errors.As(err, &left) {
		return left
	}
	if err != nil {
		return reported{err}
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
		return reported{failed[0]}
	}

	return reported{errors.Join(failed...)}
}

// joinContexts brings the contexts of branches together.
func (ran branchRuns[R]) joinContexts(r *Run, keep string, contexts []Value) error {
	base := r.fullContext()
	for i, branch := range ran {
		if branch.fields == nil {
			continue
		}
		var err error
		if contexts[i], err = selectFields(branch.fields, contexts[i], base); err != nil {
			return pathError(nil, err)
		}
	}
	merged, clash := mergeBranches(base, contexts, keep)
	if clash != nil {
		return conflictError(clash.Path, ran[clash.First].Name, ran[clash.Second].Name)
	}

	return r.Inherit(merged)
}

// selectFields returns base with some places as they are in context.
func selectFields(fields [][]string, context, base Value) (Value, error) {
	for _, path := range fields {
		value := context.Get(path...)
		if isSame(value, base.Get(path...)) {
			continue
		}
		var err error
		if base, err = base.Set(path, value); err != nil {
			return Value{}, err
		}
	}

	return base, nil
}

// Outputs is an object: the outputs by branch.
func (ran branchRuns[R]) Outputs() Value {
	members := make([]Member, len(ran))
	for i, branch := range ran {
		members[i] = Member{branch.Name, branch.Output}
	}

	return Object(members...)
}

// Names is the list of the branches.
func (ran branchRuns[R]) Names() Value {
	return ran.listOf(func(branch branchRun[R]) Value { return Text(branch.Name) })
}

// Values is the list of the outputs.
func (ran branchRuns[R]) Values() Value {
	return ran.listOf(func(branch branchRun[R]) Value { return branch.Output })
}

func (ran branchRuns[R]) listOf(of func(branchRun[R]) Value) Value {
	items := make([]Value, len(ran))
	for i, branch := range ran {
		items[i] = of(branch)
	}

	return newList(items)
}

// First is the output of the first branch; none without one.
func (ran branchRuns[R]) First() Value { return ran.Values().At(0) }

// Last is the output of the last branch; none without one.
func (ran branchRuns[R]) Last() Value { return ran.Values().At(len(ran) - 1) }
