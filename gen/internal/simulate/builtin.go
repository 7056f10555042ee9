package simulate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// runBuiltin runs a builtin step.
func (s *workSearch) runBuiltin(t *ir.Task, do *ir.UseBuiltin, in paths) (e ends) {
	step, _ := builtin.StepByName(do.Builtin)
	var calls paths
	for _, p := range in {
		next, isOpen := p.clone(), false
		if step.Tool != "" {
			args := workflow.Object(p.run.datumMembers(do.Args)...)
			next.err = rt.Builtin(step.Tool).Check([]byte(args.JSON()))
		} else {
			next.value, isOpen, next.err = next.run.applyBuiltin(do, step, p.value)
		}
		switch {
		case next.err != nil:
			e.Failed = append(e.Failed, s.failForValue(t, next, next.err))
		case step.Tool != "":
			calls = append(calls, next)
		default:
			e.Done = append(e.Done, next.asOpenIf(isOpen))
		}
	}
	results := []workflow.Value{workflow.Text("A result of " + do.Builtin + ".")}
	called := s.branchOnAnswers(t, calls, answerSet{kind: kindOutput, name: step.Tool, values: results, turn: resultTurn})

	return ends{Done: slices.Concat(e.Done, called.Done), Failed: slices.Concat(e.Failed, called.Failed)}
}

// applyBuiltin runs a builtin step that calls no tool. isOpen is true if its effect depends on
// values that are only known in a run.
func (r *workRun) applyBuiltin(do *ir.UseBuiltin, step builtin.Step, data workflow.Value) (v workflow.Value, isOpen bool, err error) {
	args := make([]workflow.Value, len(step.Params))
	isAnywhere := false
	for i, p := range step.Params {
		if arg := ir.FieldOf(do.Args, p.Name); arg != nil {
			args[i] = r.datumValue(arg)
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
