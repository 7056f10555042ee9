package app

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/diagram"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// way is a row by which a machine can leave a state; to is "" where it ends the machine.
type way struct {
	label, to string
}

func wayOf(row *diagram.Edge) way { return way{row.Label, strings.TrimSpace(row.To.Label)} }

func (w way) String() string {
	e := event.Event{Key: w.label, To: w.to}
	if w.label == "" {
		e.Matched = string(rt.MatchUnconditional)
	}

	return strings.TrimSpace(transition(e))
}

// waysFrom are the rows by which a machine of a picture leaves a state, in the order of the source.
func waysFrom(d *diagram.Diagram, machine, state string) []way {
	var ways []way
	for _, row := range d.Rows(machine, state) {
		ways = append(ways, wayOf(row))
	}

	return ways
}
