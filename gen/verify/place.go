package verify

import (
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// place is where an agent or a step runs, and which keys it may finish with there.
type place struct {
	// agent is the machine or the flow, state what it calls the place.
	agent, state string
	rule         ir.Place
}

// argument is how the place is handed over.
func (p place) argument() string {
	switch p.rule.Kind {
	case ir.PlaceOuter:
		return "at"
	case ir.PlaceOr:
		return "at.Or" + p.args()
	case ir.PlaceFree:
		return "runtime.Free"
	}

	return names.Place(p.agent, p.state)
}

func (p place) args() string {
	return "(" + quoted(append([]string{p.agent, p.state}, p.rule.Keys...)...) + ")"
}

// inherits reports whether the place follows from that of its machine or flow.
func (p place) inherits() bool { return p.rule.Kind == ir.PlaceOuter || p.rule.Kind == ir.PlaceOr }

// declared compares the variables of places that have one.
func (r *reader) declared(places []place) {
	for _, p := range places {
		kind := "runtime.Closed"
		switch p.rule.Kind {
		case ir.PlaceOuter, ir.PlaceOr, ir.PlaceFree:
			continue
		case ir.PlaceOpen:
			kind = "runtime.Open"
		}
		name := names.Place(p.agent, p.state)
		value := r.values[name]
		if value == nil {
			r.fail(name, "a place", "none")
			return
		}
		r.written(name, kind+p.args(), value)
	}
}
