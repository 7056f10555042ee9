package board

import (
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
)

// maxLive is how many machines are kept ready; any other is made again from its snapshot when it is asked.
const maxLive = 4096

// liveMachines are machines that are ready to step. What counts is the record: a machine that is not as the record has it is made
// again.
type liveMachines struct {
	machines map[string]liveMachine
	// now is still during a turn: a timer is due or not before a step, and not in the middle of it.
	now time.Time
}

type liveMachine struct {
	machine drive.Machine
	// version is the number of the entry that brought it where it is.
	version uint64
}

// clock is the clock of machines.
func (l *liveMachines) clock() time.Time { return l.now }

// beginTurn begins a turn.
func (l *liveMachines) beginTurn(now time.Time) {
	l.now = now
	if l.machines == nil || len(l.machines) > maxLive {
		l.machines = map[string]liveMachine{}
	}
}

// cached returns the machine if it is as the entry of that number left it, or as the turn has moved it; else nil.
func (l *liveMachines) cached(id string, version uint64, moved bool) drive.Machine {
	if at, ok := l.machines[id]; ok && (moved || at.version == version) {
		return at.machine
	}

	return nil
}

func (l *liveMachines) cache(id string, m drive.Machine, version uint64) {
	l.machines[id] = liveMachine{m, version}
}

func (l *liveMachines) forget(id string) { delete(l.machines, id) }
