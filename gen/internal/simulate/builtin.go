package simulate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// builtin does a builtin step.
func (r *workRun) builtin(do *ir.UseBuiltin, data workflow.Value) (workflow.Value, error) {
	step, _ := builtin.StepByName(do.Builtin)
	if step.Tool != "" {
		return r.tool(do, step.Tool)
	}
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
		r.x.depends()
		return unknown, nil
	case step.OfRun != nil:
		return step.OfRun(&r.Run, args)
	}
	if slices.ContainsFunc(args, isUnknown) {
		return unknown, nil
	}

	return step.Apply(args)
}

// tool is a tool that answers, or fails.
func (r *workRun) tool(do *ir.UseBuiltin, name string) (workflow.Value, error) {
	args := workflow.Object(r.members(do.Args)...)
	if err := rt.Builtin(name).Check([]byte(args.JSON())); err != nil {
		return workflow.Value{}, err
	}

	return r.answers(kindOutput, name, []workflow.Value{workflow.Text("A result of " + do.Builtin + ".")}, result)
}
