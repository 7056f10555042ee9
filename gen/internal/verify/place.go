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

// place compares a place that is handed to a run: its third argument, or none.
func (r *reader) place(where string, p place, run *ast.CallExpr) {
	where += ", the allowed keys"
	if isFree := p.rule.Kind == ir.PlaceFree; isFree != (len(run.Args) == 2) || len(run.Args) > 3 {
		r.fail(where, "an argument unless all keys are allowed", r.text(run))
		return
	}
	switch p.rule.Kind {
	case ir.PlaceFree:
	case ir.PlaceOuter:
		if r.equal(where, "at", r.text(run.Args[2])); !run.Ellipsis.IsValid() {
			r.fail(where, "at...", "at")
		}
	case ir.PlaceOr:
		r.made(where, "Or", p, run.Args[2])
	default:
		name := names.Place(p.agent, p.state)
		r.equal(where, name, r.text(run.Args[2]))
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
	args := call.Args
	if kind == "Or" {
		if len(args) == 0 || ident(args[0]) != "at" {
			r.fail(where, "at", r.text(call))
			return
		}
		args = args[1:]
	}
	r.same(where, append([]string{p.agent, p.state}, p.rule.Keys...), constants(args))
}
