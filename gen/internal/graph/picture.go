package graph

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// mostInner is how many inner machines, flows and workflows a picture shows that goes into a program. More make one that
// cannot be read, and programs that grow with the square of the depth to which machines are nested.
const mostInner = 24

// Picture draws a machine, a flow or a workflow for the program itself, as a Mermaid flowchart: with all that it contains,
// or, if that is more than 24 of them, alone; inner ones are then boxes with double sides.
func Picture(agent *ir.Agent) string {
	inner := slices.DeleteFunc(ir.Reached(agent), func(a *ir.Agent) bool { return a == agent || !framed(a) })

	return drawMermaid(&builder{shallow: len(inner) > mostInner}, []*ir.Agent{agent})
}
