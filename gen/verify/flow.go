package verify

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// flow compares one flow.
type flow struct {
	*reader
	of *ir.Agent
	ir *ir.Flow
}

func (f *flow) all() {
	name := names.RunAt(f.agent)
	f.entry()
	f.head("App."+name, runHead(name, f.placeParam()))
	f.statements(name, f.body(f.ir.Body), f.limited(name, f.of, f.function("App."+name)))
	f.declared(f.places())
}

// places returns where the agents and the steps of the flow run.
func (f *flow) places() []place {
	var places []place
	ir.Walk(f.ir.Body, func(op ir.Op) {
		if run, isRun := op.(*ir.Run); isRun {
			places = append(places, f.place(run))
		}
	})

	return places
}

func (f *flow) place(run *ir.Run) place { return place{f.agent, run.At.State, run.At} }

// placeParam is the name of the flow's own place: a blank if nothing asks for it.
func (f *flow) placeParam() string {
	used := slices.ContainsFunc(f.places(), place.inherits)
	ir.Walk(f.ir.Body, func(op ir.Op) {
		if end, isReturn := op.(*ir.Return); isReturn {
			used = used || end.Key == ir.KeyExhausted || end.Key == ir.KeyUnfinished
		}
	})
	if used {
		return "at"
	}

	return "_"
}

// body returns the statements of operations.
func (f *flow) body(ops []ir.Op) []statement {
	list := []statement{} // a body without statements is one, too
	for _, op := range ops {
		list = append(list, f.op(op)...)
	}

	return list
}
