package verify

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// place is where an agent or a step runs, and which keys it may finish with there.
type place struct {
	// agent is the machine or the flow, state the name of the place in it.
	agent, state string
	rule         ir.Place
}

// flow compares the allowed keys of the steps of a flow.
func (r *reader) flow(f *ir.Flow) {
	ir.Walk(f.Body, func(op ir.Op) {
		if run, isRun := op.(*ir.Run); isRun && (run.At.Kind == ir.PlaceClosed || run.At.Kind == ir.PlaceOpen) {
			r.place(place{r.agent, run.At.State, run.At})
		}
	})
}

// place is what is handed to a run at a place. A variable that it is in is compared.
func (r *reader) place(p place) string {
	texts := fmt.Sprintf("%q, %q", p.agent, p.state)
	for _, key := range p.rule.Keys {
		texts += fmt.Sprintf(", %q", key)
	}
	kind := "Closed"
	switch p.rule.Kind {
	case ir.PlaceFree:
		return ""
	case ir.PlaceOuter:
		return ", at..."
	case ir.PlaceOr:
		return ", rt.Or(at, " + texts + ")"
	case ir.PlaceOpen:
		kind = "Open"
	}
	name := names.Place(p.agent, p.state)
	r.equal(name, "rt."+kind+"("+texts+")", r.text(r.values[name]))

	return ", " + name
}
