package simulate

import (
	"errors"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime/signals"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// effects are those of the runs of a workflow: branches run one after another, and nothing observes
// them.
type effects struct {
	runtime.Effects
	search *workSearch
}

func (*effects) Watched() bool { return false }

func (*effects) Limit(string, string, *runtime.Budget) (end func()) { return func() {} }

func (*effects) Listen(string, string, []signals.Rule) (end func()) { return func() {} }

func (*effects) Note(event.Event) {}

func (*effects) Sleep(time.Duration) error { return nil }

func (e *effects) Ask(runtime.Question) (runtime.Answer, error) {
	return runtime.Answer{Value: e.search.said}, nil
}

func (e *effects) Parallel(n, _ int, branch func(i int, fx runtime.Effects) error) error {
	errs := make([]error, n)
	for i := range n {
		e.search.x.beside(i, func() { errs[i] = branch(i, e) })
	}

	return errors.Join(errs...)
}

// fork runs branches side by side and brings together what they gave.
func (r *workRun) fork(t *ir.Task, do *ir.Parallel, input workflow.Value) (workflow.Value, error) {
	before := ""
	branches := make([]workflow.Branch[workRun], len(do.Branches))
	for i, arm := range do.Branches {
		branches[i] = workflow.Branch[workRun]{Name: arm.Name.Value, Fields: fieldsOf(arm)}
		branches[i].Run = func(in *workRun, input workflow.Value) (workflow.Value, error) {
			defer r.x.inside(arm, r.key(), before)()
			value, err := in.pipeline(arm.Body, input)
			if err != nil {
				r.takeFailure(t, CaseFailedBranch, arm.Name.Value, err)
			}
			before += in.key() + value.JSON() + strconv.FormatBool(err != nil)
			return value, err
		}
	}
	p := workflow.Parallel{Step: t.Name.Value, Isolated: do.Merge == ir.MergeNone, Keep: do.Merge.Keeps(), Ignore: do.Failed == ir.FailureIgnored}
	ran, err := workflow.Fork(r, p, input, branches...)
	if err != nil {
		return workflow.Value{}, err
	}
	for _, branch := range ran {
		arm := ir.First(do.Branches, func(arm *ir.Arm) bool { return arm.Name.Value == branch.Name })
		ir.WalkTasks(arm.Body, func(t *ir.Task) {
			if v, there := branch.Run.outputs[t.Output]; there {
				r.output(t.Output, v)
			}
		})
	}

	switch do.Reduce {
	case ir.ReduceKeys:
		return ran.Names(), nil
	case ir.ReduceFirst:
		return ran.First(), nil
	case ir.ReduceLast:
		return ran.Last(), nil
	case ir.ReduceObject:
		return ran.Outputs(), nil
	case ir.ReduceUnion:
		return ran.Values().Union()
	case ir.ReduceConcat:
		return ran.Values().Flatten()
	case ir.ReduceMajority:
		return ran.Values().Majority(), nil
	}

	return ran.Values(), nil
}

// fieldsOf returns the places that a branch writes back; nil for all.
func fieldsOf(arm *ir.Arm) [][]string {
	if !arm.Only {
		return nil
	}

	return ir.Map(arm.Fields, names)
}
