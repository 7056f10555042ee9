package graph

import "github.com/agentc-dev/agentc/gen/internal/ir"

// mostInner is how many inner machines, flows and workflows a picture shows that goes into a program. More make one that
// cannot be read, and programs that grow with the square of the depth to which machines are nested.
const mostInner = 24

// Picture draws a machine, a flow or a workflow for the program itself, as a Mermaid flowchart: with all that it contains,
// or, if that is more than 24 of them, alone; inner ones are then boxes with double sides.
func Picture(agent *ir.Agent) string {
	return drawMermaid(&builder{shallow: len(framesIn(agent, map[*ir.Agent]bool{})) > mostInner+1}, []*ir.Agent{agent})
}

// framesIn adds agent and the machines and flows in it to seen; it stops when there are too many for a picture.
func framesIn(agent *ir.Agent, seen map[*ir.Agent]bool) map[*ir.Agent]bool {
	if !framed(agent) || seen[agent] || len(seen) > mostInner+1 {
		return seen
	}
	seen[agent] = true
	for _, ref := range agent.Contained() {
		framesIn(ref.Agent, seen)
	}

	return seen
}
