package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// signalRules returns the rules for signals; typed says that each has to name its type.
func signalRules(rules []*ir.SignalRule, typed bool) []jen.Code {
	return ir.Map(rules, func(rule *ir.SignalRule) jen.Code {
		key := wanted(rule.Do == ir.AnswerFire, jen.Lit(rule.Fire.Value))
		states := ir.Map(rule.In, func(ref ir.Ref) string { return ref.State.Name.Value })
		values := fieldsOf("On", rule.On, "In", states, "Do", in("signals."+names.Exported(rule.Do.String())), "Key", key, "Priority", rule.Priority).line()
		if typed {
			return in("signals.Rule").Add(values)
		}

		return values
	})
}

// signalled are the agents whose machines or gates have rules for signals, in the order of the program. Only with one of them
// has an App routes for signals.
func signalled(p *ir.Program) []string {
	var found []string
	for _, a := range p.Agents {
		if m := a.MachineOf(); m != nil && len(m.Live.Signals) > 0 {
			found = append(found, a.Name.Value)
		}
	}

	return found
}

// routes emits the method by which Go code adds rules for signals.
func (s *shared) routes(f *jen.File) {
	if len(signalled(s.p)) == 0 {
		return
	}
	declare(f, "Routes returns the rules for signals that Go code adds, which count where the files have none: for the machine of one "+
		"agent, which are asked first, or for all. They count in runs, and in live machines that get them by SetRoutes.",
		ofApp("Routes").Params().Op("*").Add(in("drive.Routes")).Block(jen.Return(jen.Op("&").Id("a").Dot("routes"))))
}
