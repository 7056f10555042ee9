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

// declared reports whether the place is a variable.
func (p place) declared() bool { return p.rule.Kind == ir.PlaceClosed || p.rule.Kind == ir.PlaceOpen }

// code returns the place as it is handed over: the last argument of a run, or none.
func (p place) code() []jen.Code {
	switch p.rule.Kind {
	case ir.PlaceOuter:
		return []jen.Code{jen.Id("at").Op("...")}
	case ir.PlaceOr:
		return []jen.Code{in("rt.Closed").Call(p.args()).Dot("Or").Call(jen.Id("at").Op("..."))}
	case ir.PlaceFree:
		return nil
	}

	return []jen.Code{jen.Id(names.Place(p.agent, p.state))}
}

// declaration returns the variable and its value.
func (p place) declaration() *jen.Statement {
	kind := in("rt.Closed")
	if p.rule.Kind == ir.PlaceOpen {
		kind = in("rt.Open")
	}

	return jen.Id(names.Place(p.agent, p.state)).Op("=").Add(kind).Call(p.args())
}

func (p place) args() jen.Code {
	return list(literals(append([]string{p.agent, p.state}, p.rule.Keys...)))
}

// emitPlaces emits the variables of an agent's places, each once. has is what each of them has.
func emitPlaces(f *jen.File, agent string, places []place, has string) {
	var declarations []jen.Code
	known := map[string]bool{}
	for _, p := range places {
		if p.declared() && !known[p.state] {
			known[p.state] = true
			declarations = append(declarations, p.declaration())
		}
	}
	variables(f, "The places of "+agent+" have "+has+".", declarations)
}
