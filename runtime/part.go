package runtime

import "time"

// Part is something that a binary carries besides run, because the project includes it (a line such as include: [mcp]). Package app
// says what a part has to have beside its name to be a command.
type Part interface {
	// Part is the word of the line.
	Part() string
}

// MachineInfo is a live machine of a program.
type MachineInfo struct {
	Name string
	// New makes a machine in its initial state, whose timers go by the clock; nil: the real one.
	New func(clock Clock) DrivenMachine
}

// Clock tells the time to what would otherwise ask the system, so that tests can move it.
type Clock interface {
	Now() time.Time
}
