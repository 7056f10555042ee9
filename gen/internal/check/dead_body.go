package check

import "github.com/agentc-dev/agentc/gen/diag"

// deadBody finds end states with steps: a machine ends when it reaches such a state.
var deadBody = Pass{Name: "dead-body", run: func(u *unit) {
	for _, x := range u.workMachines {
		for _, s := range x.States {
			n := len(s.Body.Steps())
			if !s.End || n == 0 {
				continue
			}
			u.report(diag.New(diag.DeadBody, s.Name.Span, "the %s of end state %q never %s: machine %q ends when it reaches that state",
				plural(n, "step", "steps"), s.Name.Value, plural(n, "runs", "run"), x.name()).
				WithHint("let %s run in a state before it, or write %s: []", plural(n, "it", "them"), s.Name.Value).
				Note(s.EndAt, "%q is an end state", s.Name.Value))
		}
	}
}}
