package emit

import (
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// flow adds the steps of a flow and what it does with them. What a run is given is left out: it is words for a model, as a
// prompt is, and what was interrupted has the answer to it already.
func (d *digest) flow(f *ir.Flow) {
	for _, s := range f.Steps {
		d.add("step", s.Name.Value, s.Node.Pattern())
		d.conversation(s)
	}
	d.body(f.Body)
}

// body adds operations, and that they end, so that what stands behind them is told from what stands in them.
func (d *digest) body(ops []ir.Op) {
	for _, op := range ops {
		d.op(op)
	}
	d.add("end")
}

func (d *digest) op(op ir.Op) {
	switch op := op.(type) {
	case *ir.Run:
		d.run(op)
	case *ir.Together:
		d.add("together", op.Var)
		for _, ref := range op.Agents {
			d.add("agent", ref.Agent.Name.Value)
		}
	case *ir.ForEach:
		d.add("for each", op.Var)
		d.list(op.List)
		d.run(op.Run)
	case *ir.Times:
		d.add("times", op.Var, strconv.Itoa(op.N))
		d.run(op.Run)
	case *ir.Loop:
		d.add("loop", strconv.Itoa(op.Times))
		d.body(op.Body)
	case *ir.Range:
		d.add("range")
		d.list(op.List)
		d.body(op.Body)
	case *ir.If:
		d.condition(op.Cond)
		d.body(op.Then)
	case *ir.Ask:
		d.add("ask", op.Var, op.Question)
	case *ir.Return:
		d.add("return", number(op.Key), number(op.Form), op.Var)
	}
}

func (d *digest) run(r *ir.Run) {
	if r.Agent != nil {
		d.add("agent", r.Agent.Agent.Name.Value)
	} else {
		d.add("step", r.Step.Name.Value)
	}
	d.add(r.Var, number(r.At.Kind), r.At.State)
	d.add(r.At.Keys...)
}

func (d *digest) list(l ir.List) { d.add("list", listKinds[l.Kind], l.Of) }

func (d *digest) condition(c ir.Cond) {
	switch c := c.(type) {
	case ir.KeyIs:
		d.add("if key", c.Var, c.Key, strconv.FormatBool(c.Not))
	case ir.SaysDone:
		d.add("if done", c.Var)
	case ir.AtLimit:
		d.add("if limit", strconv.Itoa(c.N))
	}
}

func number[T ~uint8](value T) string { return strconv.Itoa(int(value)) }
