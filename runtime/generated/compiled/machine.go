package compiled

import (
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
)

// Machine is a live machine of a program.
type Machine struct {
	Name string
	// New returns a machine in its initial state, with timers that use the clock; nil: the system's.
	New func(clock func() time.Time) drive.Machine
}
