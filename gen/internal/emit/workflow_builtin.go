package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// builtin returns the call of a builtin step.
func (b *paragraphs) builtin(t *ir.Task, do *ir.UseBuiltin) taskWork {
	step, _ := builtin.StepByName(do.Builtin)
	if step.Tool != "" {
		return fallible(jen.Id("r").Dot("Tool").Call(jen.Lit(step.Tool), b.toolArguments(t, do, step.Data().Name)))
	}
	receiver, params := jen.Id("r"), step.Params
	if !step.OfRun {
		receiver, params = b.argumentOf(t, do, params[0]), params[1:]
	}
	args := make([]jen.Code, len(params))
	for i, param := range params {
		args[i] = b.argumentOf(t, do, param)
	}

	return fallible(receiver.Dot(step.Go).Call(args...))
}

// toolArguments returns the arguments of a tool as an object.
func (b *paragraphs) toolArguments(t *ir.Task, do *ir.UseBuiltin, data string) *jen.Statement {
	members := b.members(do.Args)
	if !slices.ContainsFunc(do.Args, func(f ir.DatumField) bool { return f.Name.Value == data }) {
		members = append(members, memberOf(data, inWorkflow("Text").Call(b.givenText(t))))
	}

	return listed(inWorkflow("Object"), members)
}

// argumentOf returns an argument of a builtin; none if there is none.
func (b *paragraphs) argumentOf(t *ir.Task, do *ir.UseBuiltin, param builtin.Param) *jen.Statement {
	for _, arg := range do.Args {
		if arg.Name.Value == param.Name {
			return b.datum(arg.Value)
		}
	}
	if param.Data {
		return b.given(t)
	}

	return inWorkflow("Value").Values()
}
