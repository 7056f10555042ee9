package graph

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// gate draws the gate of an agent into its frame, which begins with start.
func (b *builder) gate(f *frame, start string, g *ir.Gate) {
	if len(g.Ungated) > 0 {
		actions := make([]string, len(g.Ungated))
		for i, a := range g.Ungated {
			actions[i] = a.Value
		}
		f.label += ", in every state: " + strings.Join(actions, ", ")
	}
	b.machine(f, start, g.Machine)
}
