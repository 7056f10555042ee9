package compiled

import "github.com/agentc-dev/agentc/runtime/drive"

// Machine is a live machine of a program.
type Machine struct {
	Name string
	// New makes a machine in its initial state, whose timers go by the clock; nil: the real one.
	New func(clock drive.Clock) drive.Machine
}
