package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// agentCycle finds agents that contain each other: such a run would never end. A cycle is reported
// at its first reference. Each cycle contains a reference that closes a reported one, so fixing the
// reported references fixes all cycles.
var agentCycle = Pass{Name: "agent-cycle", run: func(u *unit) {
	ir.WalkContained(u.program.Agents, func(circle []ir.Containment) {
		u.report(cycleDiagnostic(circle))
	}, func(*ir.Agent) {})
}}

func cycleDiagnostic(circle []ir.Containment) *diag.Diagnostic {
	first := 0
	for i, ref := range circle {
		if ref.At.Span.Before(circle[first].At.Span) {
			first = i
		}
	}
	circle = slices.Concat(circle[first:], circle[:first])

	names := append([]string{circle[0].By.Name.Value}, ir.Map(circle, func(ref ir.Containment) string { return ref.Agent.Name.Value })...)
	d := diag.New(diag.AgentCycle, circle[0].At.Span, "agents contain each other: %s", formatPath(names))
	if len(circle) == 1 {
		d.Message = fmt.Sprintf("agent %q contains itself", names[0])
	}

	return noteEach(d, circle[1:], "and so on, through %d more agents", func(ref ir.Containment) {
		d.Note(ref.At.Span, "%q runs %q here", ref.By.Name.Value, ref.Agent.Name.Value)
	})
}

// formatPath writes a path through names. A long path is shortened in the middle.
func formatPath(names []string) string {
	if len(names) > maxListed {
		left := len(names) - maxListed + 1
		names = append(append(append([]string(nil), names[:maxListed-2]...), fmt.Sprintf("(%d more)", left)), names[len(names)-1])
	}

	return strings.Join(names, " → ")
}
