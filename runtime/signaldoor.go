package runtime

import (
	"github.com/agentc-dev/agentc/runtime/signals"
)

// SignalDoor is what an [Effects] may also be: one that wants to know which machines take signals now. It changes nothing that a
// machine does, but lets an engine find the innermost machine with a rule, and stop at once where that says force-stop.
type SignalDoor interface {
	// Listen says that a machine with rules is in a state. The function that it returns, which is called at the end of the state's
	// agent, says that it is so no more.
	Listen(machine, state string, rules []signals.Rule) (end func())
}
