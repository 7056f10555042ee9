package check

import "github.com/agentc-dev/agentc/gen/diag"

// unreachable finds states that neither a row nor a next_state leads to, guards and failures taken as possible. It is a
// warning: the initial context may name any state as the one to start with.
func (x *workMachine) unreachable(u *unit) {
	eachUnreached(x.next, x.reachable(), func(group, behind []int) {
		d := diag.New(diag.UnreachableState, x.States[group[0]].Name.Span,
			"state %q of machine %q is never reached: neither a row nor a next_state leads to it from %q",
			x.names[group[0]], x.name(), x.start.Name.Value)
		noteUnreached(d, x.namesOf(group), x.namesOf(behind))
		u.report(d.Warn().Note(x.Initial.Span, "the machine starts in %q", x.start.Name.Value))
	})
}
