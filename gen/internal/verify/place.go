package verify

import (
	"go/ast"

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
		run, isRun := op.(*ir.Run)
		if !isRun {
			return
		}
		p := place{r.agent, run.At.State, run.At}
		if p.rule.Kind == ir.PlaceClosed || p.rule.Kind == ir.PlaceOpen {
			r.declared(names.Place(p.agent, p.state), p)
		}
	})
}

// place compares a place that is handed to a run.
func (r *reader) place(where string, p place, e ast.Expr) {
	switch p.rule.Kind {
	case ir.PlaceOuter:
		r.equal(where+", the allowed keys", "at", r.text(e))
	case ir.PlaceFree:
		r.equal(where+", the allowed keys", "runtime.Free", r.text(e))
	case ir.PlaceOr:
		r.made(where+", the allowed keys", "Or", p, e)
	default:
		name := names.Place(p.agent, p.state)
		r.equal(where+", the allowed keys", name, r.text(e))
		r.declared(name, p)
	}
}

// declared compares the variable of a place.
func (r *reader) declared(name string, p place) {
	kind := "Closed"
	if p.rule.Kind == ir.PlaceOpen {
		kind = "Open"
	}
	r.made(name, kind, p, r.values[name])
}

// made compares the call that makes a place.
func (r *reader) made(where, kind string, p place, e ast.Expr) {
	call, isCall := e.(*ast.CallExpr)
	if !isCall || called(call) != kind {
		r.fail(where, kind, "something else")
		return
	}
	r.same(where, append([]string{p.agent, p.state}, p.rule.Keys...), constants(call.Args))
}
