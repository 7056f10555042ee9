package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

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
