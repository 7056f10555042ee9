package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// listens emits the statement by which the walk of a machine with rules for signals learns of them. A machine without rules has
// none, and never asks.
func (m *machine) listens(g *jen.Group) {
	if len(m.ir.Live.Signals) > 0 {
		g.Id("walk").Dot("Listen").Custom(broken, signalRules(m.ir.Live.Signals, true)...)
	}
}

// over returns the question whether the walk ends with the state's agent, be it by a signal.
func (m *machine) over() *jen.Statement {
	if len(m.ir.Live.Signals) > 0 {
		return jen.Id("walk").Dot("Stopped").Call()
	}

	return jen.Id("walk").Dot("Failed").Call()
}

// signalRules returns the rules for signals; typed says that each has to name its type.
func signalRules(rules []*ir.SignalRule, typed bool) []jen.Code {
	return eachOf(rules, func(rule *ir.SignalRule) jen.Code {
		key := wanted(rule.Do == ir.AnswerFire, jen.Lit(rule.Fire.Value))
		values := fieldsOf("On", rule.On, "In", statesNamed(rule.In), "Do", in(answers[rule.Do]), "Key", key, "Priority", rule.Priority).line()
		if typed {
			return in("signals.Rule").Add(values)
		}

		return values
	})
}

// answers are the names of what becomes of signals.
var answers = map[ir.SignalAnswer]string{
	ir.AnswerContinue: "signals.Continue", ir.AnswerGracefulStop: "signals.GracefulStop", ir.AnswerForceStop: "signals.ForceStop",
	ir.AnswerFire: "signals.Fire",
}
