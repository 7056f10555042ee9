package can

import "github.com/agentc-dev/agentc/gen/internal/ir"

// outcomes follows facts through something that is given what is read of in. It calls inner for each
// fact of its own behind it, value among them, and around for each fact that it does not know of.
func (r *result) outcomes(
	in facts, read []fact, run func(from fact) *result, inner, around func(name fact, t *trace),
) {
	out := func(_ key, name fact, t *trace) { inner(name, t) }
	for _, name := range in.sorted() {
		if name == reached || name == memory || name == world {
			r.behind(in[name], run(name), out)
			continue
		}
		through := run(reached)
		for _, key := range sorted(through.exits) {
			if pass := through.exits[key][reached]; pass != nil {
				around(name, in[name].sub(pass))
			}
		}
	}
	if t := in.best(read); t != nil {
		r.behind(t, run(given), out)
	}
}

// runner is what an operation of an agent runs.
func (x *analysis) runner(a *ir.Agent, op *ir.Run) func(fact) *result {
	return func(from fact) *result {
		if op.Step != nil {
			of := talk{agent: a, label: op.Step.Label(a.Name.Value), step: op.Step}
			return x.conversation(of, from)
		}
		return x.agent(op.Agent.Agent, from)
	}
}

// asks returns the facts behind a question, but for those that it shows. There are none if no run
// gets past it.
func (x *analysis) asks(name string, ask *ir.Ask, in facts, shows func(fact) bool) facts {
	out := facts{}
	for fact, t := range in {
		if x.blocked != personName(name) && !shows(fact) {
			out[fact] = t.then(Step{Do: "ask", Agent: name, ask: ask})
		}
	}

	return out
}

func personName(of string) string { return "person " + of }
