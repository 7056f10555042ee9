package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// may emits the access rules: a switch in which those that deny stand first.
func (l *liveMachine) may(f *jen.File) {
	if len(l.live.Access) == 0 {
		return
	}
	f.Add(comment("may reports whether agent may fire key, which is folded, in s. What denies counts more than what allows, " +
		"and what no rule allows is denied."))
	f.Func().Params(jen.Id("s").Id(l.stateType)).Id("may").Params(jen.List(jen.Id("agent"), jen.Id("key")).String()).Bool().
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
		})
	f.Line()
}

// covers is the condition under which a rule is about an attempt.
func (l *liveMachine) covers(rule *ir.AccessRule) *jen.Statement {
	var parts [][]jen.Code
	if rule.Agent.Value != ir.CatchAll {
		parts = append(parts, []jen.Code{equal("agent", jen.Lit(rule.Agent.Value))})
	}
	var states, fired []jen.Code
	for _, ref := range rule.States {
		states = append(states, equal("s", l.state(ref.State)))
	}
	for _, key := range rule.Keys {
		fired = append(fired, equal("key", jen.Lit(ir.FoldKey(key.Value))))
	}
	for _, some := range [][]jen.Code{states, fired} {
		if len(some) > 0 {
			parts = append(parts, some)
		}
	}

	var all []jen.Code
	for _, part := range parts {
		one := joinedBy(part, "||")
		if len(part) > 1 && len(parts) > 1 {
			one = jen.Parens(one)
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return jen.True()
	}

	return joinedBy(all, "&&")
}

func equal(name string, to *jen.Statement) *jen.Statement { return jen.Id(name).Op("==").Add(to) }

// joinedBy returns conditions with an operator between them.
func joinedBy(conditions []jen.Code, operator string) *jen.Statement {
	all := &jen.Statement{}
	for i, c := range conditions {
		if i > 0 {
			all.Op(operator)
		}
		all.Add(c)
	}

	return all
}
