package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// agentCycle finds agents that contain each other: a run would never get to the bottom. A circle is reported at the first
// of its places. Every circle contains a reference that closes a reported one, so that no circle is left when those are
// gone.
var agentCycle = Pass{Name: "agent-cycle", run: func(u *unit) {
	ir.WalkContained(u.program.Agents, func(circle []ir.Containment) {
		u.report(circleFinding(circle))
	}, func(*ir.Agent) {})
}}

func circleFinding(circle []ir.Containment) *diag.Diagnostic {
	first := 0
	for i, ref := range circle {
		if ref.At.Span.Before(circle[first].At.Span) {
			first = i
		}
	}
	circle = slices.Concat(circle[first:], circle[:first])

	names := append([]string{circle[0].By.Name.Value}, ir.Map(circle, func(ref ir.Containment) string { return ref.Agent.Name.Value })...)
	d := diag.New(diag.AgentCycle, circle[0].At.Span, "agents contain each other: %s", arrows(names))
	if len(circle) == 1 {
		d.Message = fmt.Sprintf("agent %q contains itself", names[0])
	}

	return noteEach(d, circle[1:], "and so on, through %d more agents", func(ref ir.Containment) {
		d.Note(ref.At.Span, "%q runs %q here", ref.By.Name.Value, ref.Agent.Name.Value)
	})
}

// arrows writes a path through names; of a long one the beginning and the end.
func arrows(names []string) string {
	if len(names) > maxListed {
		left := len(names) - maxListed + 1
		names = append(append(append([]string(nil), names[:maxListed-2]...), fmt.Sprintf("(%d more)", left)), names[len(names)-1])
	}

	return strings.Join(names, " → ")
}
