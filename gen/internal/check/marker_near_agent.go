package check

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
)

// markerNearAgent finds markers whose name differs from an agent's by one or two letters: most
// likely the agent was meant to run there. In short names two letters mean nothing, so the agent's
// name must be near enough for a suggestion too. An agent that has a state in this machine runs in
// that state.
var markerNearAgent = Pass{Name: "marker-near-agent", run: func(u *unit) {
	for _, x := range u.machines {
		if x.isDriven() {
			continue
		}
		for _, s := range x.States {
			if !s.IsMarker() || s == x.Initial.State || x.misspelledRefs[s] != nil {
				continue
			}
			near, ok := u.nearestAgent(s.Name.Value)
			if !ok || u.agents[near] == x.agent || x.byName[near] != nil || !isMisspelling(s.Name.Value, near) {
				continue
			}
			u.report(diag.New(diag.MarkerNearAgent, s.Name.Span,
				"state %q of machine %q is a marker, so nothing runs in it, but there is an agent %q",
				s.Name.Value, x.name(), near).WithHint("did you mean %q?", near))
		}
	}
}}

// isMisspelling reports whether name may be near with one or two wrong letters: fewer than half of
// them, and not only digits.
func isMisspelling(name, near string) bool {
	letters := diag.Distance(name, near)

	return letters <= 2 && 2*letters < min(len(name), len(near)) && strings.Map(dropDigit, name) != strings.Map(dropDigit, near)
}
