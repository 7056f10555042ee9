package names

import "github.com/agentc-dev/agentc/gen/internal/ir"

// Identifiers of the gate of a react agent, beside those that its states and actions have as a machine. agent is the agent's name.

// Gate is the type of where one run of the agent is in its gate.
func Gate(agent string) string { return Unexported(agent) + "Gate" }

// NewGate is the function that makes one in a gate with guards.
func NewGate(agent string) string { return "new" + Exported(agent) + "Gate" }

// gate adds the identifiers of a gate.
func (t *Table) gate(agent ir.Text, g *ir.Gate) {
	t.machine(agent, g.Machine)
	t.add(Package, "agent", agent, Gate(agent.Value), NewGate(agent.Value))
}
