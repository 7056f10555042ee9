package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// may emits the access rules: a switch in which those that deny come first.
func (l *liveMachine) may(f *jen.File) {
	if len(l.live.Access) == 0 {
		return
	}
	declare(f, "may reports whether agent may fire key, which is folded, in s. What denies counts more than what allows, "+
		"and what no rule allows is denied.",
		jen.Func().Params(jen.Id("s").Id(l.stateType)).Id("may").Params(jen.List(jen.Id("agent"), jen.Id("key")).String()).Bool().
			BlockFunc(func(g *jen.Group) {
				g.Switch().BlockFunc(func(g *jen.Group) {
					for _, deny := range []bool{true, false} {
						for _, rule := range l.live.Access {
							if rule.Deny == deny {
								g.Case(l.covers(rule)).Block(jen.Return(jen.Lit(!deny)))
							}
						}
					}
				})
				g.Line()
				g.Return(jen.False())
			}))
}

// covers is the condition under which a rule is about an attempt.
func (l *liveMachine) covers(rule *ir.AccessRule) *jen.Statement {
	var all []jen.Code
	if rule.Agent.Value != ir.CatchAll {
		all = append(all, jen.Id("agent").Op("==").Lit(rule.Agent.Value))
	}
	var states, fired []string
	for _, ref := range rule.States {
		states = append(states, names.State(l.name, ref.State.Name.Value))
	}
	for _, key := range rule.Keys {
		fired = append(fired, strconv.Quote(ir.FoldKey(key.Value)))
	}
	all = append(append(all, isOneOf("s", jen.Id(l.stateType), states)...), isOneOf("key", jen.String(), fired)...)
	if len(all) == 0 {
		return jen.True()
	}

	condition := jen.Add(all[0])
	for _, one := range all[1:] {
		condition.Op("&&").Add(one)
	}

	return condition
}

// isOneOf is the condition that a variable has one of some values; none without values.
func isOneOf(name string, typ *jen.Statement, values []string) []jen.Code {
	switch len(values) {
	case 0:
		return nil
	case 1:
		return []jen.Code{jen.Id(name).Op("==").Op(values[0])}
	}

	return []jen.Code{jen.Qual("slices", "Contains").Call(jen.Index().Add(typ).Values(list(values)), jen.Id(name))}
}
