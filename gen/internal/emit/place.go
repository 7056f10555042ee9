package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// place is where something runs in a machine or a flow, and which keys it may finish with there.
type place struct {
	// agent is the machine or the flow, state what the place is called in it.
	agent, state string
	rule         ir.Place
}

// usesOuter reports whether the place follows from that of the machine or the flow itself.
func (p place) usesOuter() bool { return p.rule.Kind == ir.PlaceOuter || p.rule.Kind == ir.PlaceOr }

// declared reports whether the place is a variable.
func (p place) declared() bool { return p.rule.Kind == ir.PlaceClosed || p.rule.Kind == ir.PlaceOpen }

// code returns the place as it is handed over: the last argument of a run, or none.
func (p place) code() []jen.Code {
	switch p.rule.Kind {
	case ir.PlaceOuter:
		return []jen.Code{jen.Id("at").Op("...")}
	case ir.PlaceOr:
		return []jen.Code{in("Or").Call(jen.Id("at"), p.args())}
	case ir.PlaceFree:
		return nil
	}

	return []jen.Code{jen.Id(names.Place(p.agent, p.state))}
}

// declaration returns the variable and its value.
func (p place) declaration() *jen.Statement {
	kind := in("Closed")
	if p.rule.Kind == ir.PlaceOpen {
		kind = in("Open")
	}

	return jen.Id(names.Place(p.agent, p.state)).Op("=").Add(kind).Call(p.args())
}

func (p place) args() jen.Code {
	return list(literals(append([]string{p.agent, p.state}, p.rule.Keys...)))
}

// emitPlaces emits the variables of an agent's places, each once. one and all say what a place is, and what all of them are.
func emitPlaces(f *jen.File, agent string, places []place, one, all string) {
	var declarations []jen.Code
	var state string
	known := map[string]bool{}
	for _, p := range places {
		if p.declared() && !known[p.state] {
			known[p.state], state = true, p.state
			declarations = append(declarations, p.declaration())
		}
	}

	switch len(declarations) {
	case 0:
		return
	case 1:
		f.Add(comment(names.Place(agent, state) + " has " + one + " in " + state + "."))
		f.Var().Add(declarations[0])
	default:
		f.Add(comment("The places of " + agent + " have " + all + "."))
		f.Var().Defs(declarations...)
	}
	f.Line()
}
