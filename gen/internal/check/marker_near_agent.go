package check

import "github.com/agentc-dev/agentc/gen/diag"

// markerNearAgent finds markers whose name is one or two letters from an agent's: most likely the agent was to run there.
// In a name of up to five letters two are too many to mean anything, so that it has to be near enough for a suggestion too.
var markerNearAgent = Pass{Name: "marker-near-agent", run: func(u *unit) {
	for _, x := range u.machines {
		if x.driven() {
			continue
		}
		for _, s := range x.States {
			if !s.Marker() || s == x.Initial.State || x.ledBy[s] != nil {
				continue
			}
			near, ok := u.nearestAgent(s.Name.Value)
			if !ok || diag.Distance(s.Name.Value, near) > 2 || u.agents[near] == x.agent {
				continue
			}
			u.report(diag.New(diag.MarkerNearAgent, s.Name.Span,
				"state %q of machine %q is a marker, in which nothing runs; there is an agent %q",
				s.Name.Value, x.agent.Name.Value, near).WithHint("did you mean %q?", near))
		}
	}
}}
