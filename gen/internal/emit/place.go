package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// place is where something runs in a machine or a flow, with the keys that it may finish with.
type place struct {
	// agent is the machine or the flow, state the name of the place in it.
	agent, state string
	rule         ir.Place
}

// isDeclared reports whether the place is a variable.
func (p place) isDeclared() bool { return p.rule.Kind == ir.PlaceClosed || p.rule.Kind == ir.PlaceOpen }

// argumentCode returns the place as the last argument of a run, or nothing.
func (p place) argumentCode() []jen.Code {
	switch p.rule.Kind {
	case ir.PlaceOuter:
		return []jen.Code{jen.Id("at").Op("...")}
	case ir.PlaceOr:
		return []jen.Code{inRuntime("rt.Closed").Call(p.placeArgs()).Dot("Or").Call(jen.Id("at").Op("..."))}
	case ir.PlaceFree:
		return nil
	}

	return []jen.Code{jen.Id(names.Place(p.agent, p.state))}
}

// declaration returns the variable and its value.
func (p place) declaration() *jen.Statement {
	kind := inRuntime("rt.Closed")
	if p.rule.Kind == ir.PlaceOpen {
		kind = inRuntime("rt.Open")
	}

	return jen.Id(names.Place(p.agent, p.state)).Op("=").Add(kind).Call(p.placeArgs())
}

func (p place) placeArgs() jen.Code {
	return wrapItems(quoteTexts(append([]string{p.agent, p.state}, p.rule.Keys...)))
}

// emitPlaces emits the variables of an agent's places, each once. Their comment ends with listed.
func emitPlaces(f *jen.File, agent string, places []place, listed string) {
	var declarations []jen.Code
	known := map[string]bool{}
	for _, p := range places {
		if p.isDeclared() && !known[p.state] {
			known[p.state] = true
			declarations = append(declarations, p.declaration())
		}
	}
	emitVariables(f, "The places of "+agent+" list "+listed+".", declarations)
}
