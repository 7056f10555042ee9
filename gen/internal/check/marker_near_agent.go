package check

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
)

// markerNearAgent finds markers whose name is one or two letters from an agent's: most likely the
// agent was to run there. In a name of up to five letters two are too many to mean anything, so
// that it has to be near enough for a suggestion too. Where the agent has a state of this machine,
// that is where it runs.
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
			if !ok || u.agents[near] == x.agent || x.byName[near] != nil || !mistaken(s.Name.Value, near) {
				continue
			}
			u.report(diag.New(diag.MarkerNearAgent, s.Name.Span,
				"state %q of machine %q is a marker, so nothing runs in it, but there is an agent %q",
				s.Name.Value, x.name(), near).WithHint("did you mean %q?", near))
		}
	}
}}

// mistaken reports whether name may be near with a letter or two wrong: less than half of it, and
// more than its number.
func mistaken(name, near string) bool {
	letters := diag.Distance(name, near)

	return letters <= 2 && 2*letters < min(len(name), len(near)) && strings.Map(noDigit, name) != strings.Map(noDigit, near)
}
