package can

import "github.com/agentc-dev/agentc/gen/internal/ir"

// followFacts follows facts through an operation whose input reads some values. It calls inner for each
// of its own facts after it, including valueFact, and around for each fact that passes by.
func (r *result) followFacts(
	in facts, read []fact, run func(from fact) *result, inner, around func(name fact, t *trace),
) {
	out := func(_ key, name fact, t *trace) { inner(name, t) }
	for _, name := range in.sortedFacts() {
		if name == reachedFact || name == memoryFact || name == worldFact {
			r.addAfter(in[name], run(name), out)
			continue
		}
		through := run(reachedFact)
		for _, key := range sortedKeys(through.exits) {
			if pass := through.exits[key][reachedFact]; pass != nil {
				around(name, in[name].withTrace(pass))
			}
		}
	}
	if t := in.bestPath(read); t != nil {
		r.addAfter(t, run(givenFact), out)
	}
}

// operationRunner returns a function that runs an operation of an agent.
func (x *analysis) operationRunner(a *ir.Agent, op *ir.Run) func(fact) *result {
	return func(from fact) *result {
		if op.Step != nil {
			of := conversation{agent: a, label: op.Step.Label(a.Name.Value), step: op.Step}
			return x.analyzeConversation(of, from)
		}
		return x.analyzeAgent(op.Agent.Agent, from)
	}
}

// askPerson returns the facts after a question, except the values that it shows. There are none if
// the person is blocked.
func (x *analysis) askPerson(name string, ask *ir.Ask, in facts, shows func(fact) bool) facts {
	out := facts{}
	for fact, t := range in {
		if x.blocked != personName(name) && !shows(fact) {
			out[fact] = t.withStep(Step{Do: "ask", Agent: name, ask: ask})
		}
	}

	return out
}

func personName(of string) string { return "person " + of }
