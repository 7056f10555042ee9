package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/can"
)

// deniedFlow finds calls that untrusted text can reach in spite of deny_flow. Each call is reported
// once, with the shortest path. Programs with errors are not analyzed.
var deniedFlow = Pass{Name: "denied-flow", run: func(u *unit) {
	from, to := u.program.DeniedFrom, u.program.DeniedTo
	if from.Value == "" || to.Value == "" || u.list.HasErrors() {
		return
	}
	shortest := map[[2]string]can.Path{}
	var order [][2]string
	for _, p := range can.FindFlows(u.flow, u.program.EntryPoints(), can.Flow{From: []string{from.Value}, To: []string{to.Value}}) {
		of := [2]string{p.Agent, p.Tool}
		known, isKnown := shortest[of]
		if !isKnown {
			order = append(order, of)
		}
		if !isKnown || len(p.Steps) < len(known.Steps) {
			shortest[of] = p
		}
	}
	for _, of := range order {
		p := shortest[of]
		d := diag.New(diag.DeniedFlow, p.At.Span, "untrusted text (%s) can reach %s of %s in a run of %q", p.From, p.Tool, p.Agent, p.Entry).
			WithHint("%s", flowHint(p)).Note(from.Span, "deny_flow keeps %s text from %s calls", from.Value, to.Value)
		for _, line := range p.FormatLines() {
			d.Note(noSpan, "%s", line)
		}
		u.report(d)
	}
}}

// flowHint describes how to stop the text on the path.
func flowHint(p can.Path) string {
	const ask = "have a person see the text before"
	last := p.Steps[len(p.Steps)-1]
	switch {
	case last.Do == "call":
		return ask + ", or give the step that reads it an output_schema of enumerations, numbers and booleans"
	case !last.Given:
		return "set confirm: true for the tool, or let an agent with an output of enumerations, numbers and booleans do the reading"
	}

	return "set confirm: true for the tool, give the agent that reads the text an output of enumerations, numbers and booleans, or " + ask
}
