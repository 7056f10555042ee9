package names

import "github.com/agentc-dev/agentc/gen/internal/ir"

// Identifiers of one live machine. agent is the agent's name.

// LiveMachine is the type of the live machine.
func LiveMachine(agent string) string { return Exported(agent) + "Machine" }

// NewLive is the function that makes a live machine.
func NewLive(agent string) string { return "New" + LiveMachine(agent) }

// LiveSpec is the variable that holds what all live machines of the agent have in common.
func LiveSpec(agent string) string { return Unexported(agent) + "Live" }

// LiveMemory is the type of what a live machine remembers besides its state.
func LiveMemory(agent string) string { return Unexported(agent) + "Memory" }

// live adds the identifiers of a live machine.
func (t *Table) live(agent ir.Text) {
	name := agent.Value
	t.add(Package, "agent", agent, LiveMachine(name), NewLive(name), LiveSpec(name), LiveMemory(name))
}
