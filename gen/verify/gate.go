package verify

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// gate compares the gate of a react agent.
type gate struct {
	*machine
	typ string
}

// gateOf returns the gate of an agent; nil if it has none.
func (r *reader) gateOf(a *ir.Agent) *gate {
	n, isReact := a.Node.(*ir.React)
	if !isReact || n.Gate == nil {
		return nil
	}

	return &gate{&machine{reader: r, ir: n.Gate.Machine, name: r.agent, title: r.agent}, names.Gate(r.agent)}
}

func (g *gate) all() {
	g.table()
	g.absent(g.stateType() + ".Runs")
	fields := "state, next " + g.stateType()
	if g.asked.guards {
		fields += "\nguards *" + names.GuardsType(g.name)
	}
	g.typeOf(g.typ, "struct { "+fields+" }")
	g.maker()
	g.hasMethod("State", "() string", "return g.state.String()")
	actions := "nil"
	if len(g.keys) > 0 {
		actions = "runtime.Texts(g.state.Keys())"
	}
	g.hasMethod("Actions", "() []string", "return "+actions)
	g.judge()
	visited := ""
	if g.asked.visits {
		visited = "\ng.guards.Visits[g.state]++"
	}
	g.hasMethod("Move", "()", "g.state = g.next"+visited)
	g.signals()
	g.live()
}

// hasMethod compares a whole method of the type.
func (g *gate) hasMethod(name, head, body string) {
	g.writtenFunc(g.typ+"."+name, "func (g *"+g.typ+") "+name+head+" { "+body+" }")
}

func (g *gate) initial() string { return names.State(g.name, g.ir.Initial.State.Name.Value) }

// maker compares the function that begins a gate with guards.
func (g *gate) maker() {
	name := names.NewGate(g.name)
	if !g.asked.guards {
		g.absent(name)
		return
	}
	visited := ""
	if g.asked.visits {
		visited = "guards.Visits[" + g.initial() + "]++\n"
	}
	g.writtenFunc(name, "func "+name+"(guards *"+names.GuardsType(g.name)+") *"+g.typ+" { "+visited+
		"return &"+g.typ+"{state: "+g.initial()+", guards: guards} }")
}

// judge compares the method that finds the row of an action.
func (g *gate) judge() {
	key := g.keyType() + "(action)"
	if g.asked.guards {
		g.hasMethod("Judge", "(action, value string) (step runtime.GateStep, err error)", `
			g.guards.Begin(g.state, `+key+`, value)
			next, ok := g.state.Next(`+key+`, g.guards)
			if !ok { return step, g.guards.Refusal(g.Actions()) }
			g.next = next
			return runtime.GateStep{
				To: next.String(), Matched: g.guards.Match(runtime.MatchExact), Guards: g.guards.Asked(),
			}, nil`)
		return
	}
	g.hasMethod("Judge", "(action, _ string) (step runtime.GateStep, err error)", `
		next, ok := g.state.Next(`+key+`)
		if !ok {
			return step, &runtime.InvalidTransitionError{
				Machine: `+strconv.Quote(g.agent)+`, State: g.State(), Key: action, Valid: g.Actions(),
			}
		}
		g.next = next
		return runtime.GateStep{To: next.String(), Matched: runtime.MatchExact}, nil`)
}

// begun is what begins the gate of a run.
func (g *gate) begun() string {
	if !g.asked.guards {
		return "&" + g.typ + "{state: " + g.initial() + "}"
	}

	return names.NewGate(g.name) + "(" + strings.TrimPrefix(g.guardsOfRun(), "guards := ") + ")"
}
