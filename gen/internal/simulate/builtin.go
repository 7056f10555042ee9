package simulate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// builtin does a builtin step.
func (s *workSearch) builtin(t *ir.Task, do *ir.UseBuiltin, in paths) (e ends) {
	step, _ := builtin.StepByName(do.Builtin)
	var calls paths
	for _, p := range in {
		next, isOpen := p.copied(), false
		if step.Tool != "" {
			args := workflow.Object(p.run.members(do.Args)...)
			next.err = rt.Builtin(step.Tool).Check([]byte(args.JSON()))
		} else {
			next.value, isOpen, next.err = next.run.builtin(do, step, p.value)
		}
		switch {
		case next.err != nil:
			e.Failed = append(e.Failed, next)
		case step.Tool != "":
			calls = append(calls, next)
		default:
			e.Done = append(e.Done, next.dependingIf(isOpen))
		}
	}
	results := []workflow.Value{workflow.Text("A result of " + do.Builtin + ".")}
	called := s.answers(t, calls, answers{kind: kindOutput, name: step.Tool, values: results, turn: result})

	return ends{Done: slices.Concat(e.Done, called.Done), Failed: slices.Concat(e.Failed, called.Failed)}
}

// builtin does a builtin step that calls no tool. isOpen says that what it does depends on what is only
// known in a run.
func (r *workRun) builtin(do *ir.UseBuiltin, step builtin.Step, data workflow.Value) (v workflow.Value, isOpen bool, err error) {
	args := make([]workflow.Value, len(step.Params))
	isAnywhere := false
	for i, p := range step.Params {
		if arg := ir.FieldOf(do.Args, p.Name); arg != nil {
			args[i] = r.datum(arg)
		} else if p.Data {
			args[i] = data
		}
		isAnywhere = isAnywhere || p.Place && isUnknown(args[i])
	}
	switch {
	case isAnywhere:
		return unknown, true, nil
	case step.OfRun != nil:
		v, err = step.OfRun(&r.Run, args)
	case slices.ContainsFunc(args, isUnknown):
		v = unknown
	default:
		v, err = step.Apply(args)
	}

	return v, false, err
}
