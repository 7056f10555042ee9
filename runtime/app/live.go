package app

import (
	"fmt"
	"strings"
)

// live is what the line says that is drawn over again and again: where the run is now.
type live struct {
	// on says that there is such a line; drawn is what stands on the terminal.
	on    bool
	drawn string
	// agent is what was started.
	agent string
	// where are the machines that are running outside of branches, outermost first, each with its state.
	where []place
	// working is whom a model was asked for last, running how many branches there are now.
	working string
	running int
}

type place struct {
	machine, state string
}

// enter notes that a machine is in a state: machines inside of the state before are over.
func (l *live) enter(machine, state string) {
	for i, w := range l.where {
		if w.machine == machine {
			l.where = l.where[:i]
			break
		}
	}
	l.where = append(l.where, place{machine, state})
	l.working = ""
}

func (l *live) works(agent string) { l.working = agent }

// text is the line: machines with their states, how many branches there are, and whom a model was asked for last.
func (l *live) text() string {
	parts, innermost := []string{l.agent}, l.agent
	if len(l.where) > 0 {
		parts = nil
	}
	for _, w := range l.where {
		parts = append(parts, w.machine+": "+w.state)
		innermost = w.state
	}

	working := strings.TrimPrefix(l.working, innermost+"/")
	switch {
	case l.running > 1 && working != "":
		parts = append(parts, fmt.Sprintf("%d at once: %s", l.running, working))
	case working != "" && working != innermost:
		parts = append(parts, working)
	}

	return strings.Join(parts, " > ")
}
