package graph

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// tasks draws the tasks of a pattern: what runs becomes a node or a frame, all else decides how
// these are joined.
func (d *drawing) tasks(p *ir.Pipeline) {
	for _, t := range p.Steps() {
		switch op := t.Do.(type) {
		case *ir.Run:
			d.follow(d.conversation(op))
		case *ir.Parallel:
			d.together(sideBySide(op), t.Pipelines())
		case *ir.Ask:
			d.follow(d.add(d.frame, "a person", kindPerson))
		case *ir.Loop:
			if op.Reduce == ir.ReduceResults {
				d.together(inTurns(op), t.Pipelines())
				continue
			}
			d.loop(op.Body, again(op))
			if op.EndsByReturn() {
				d.ends = nil
			}
		case *ir.Branch:
			d.branch(op)
		case *ir.Return:
			d.finish()
		case *ir.PassOn:
		case *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine:
			panic(fmt.Sprintf("no pattern has a %T", op))
		}
	}
}

// together draws runs side by side.
func (d *drawing) together(label string, runs []*ir.Pipeline) {
	group := d.group(label)
	for _, p := range runs {
		run := p.Tasks[0].Do.(*ir.Run)
		group.edges = append(group.edges, edge{from: group.nodes[0].id, to: d.inside(group).conversation(run)})
	}
}

// conversation draws what an operation runs and returns its id.
func (d *drawing) conversation(r *ir.Run) string {
	switch {
	case r.Agent != nil:
		return d.run(d.frame, r.Agent.Value, r.Agent.Agent, kindAgent)
	case r.Step.Name.Value == "":
		return d.add(d.frame, d.agent, kindStep)
	}

	id := d.add(d.frame, r.Step.Name.Value, kindStep)
	d.mark(id, d.errors.in(r.Step.File))

	return id
}

// loop draws a body whose end leads back to its first node. What follows the loop follows its body.
func (d *drawing) loop(body *ir.Pipeline, label string) {
	first := len(d.joined)
	d.tasks(body)
	if first < len(d.joined) {
		d.back(d.joined[first], label)
	}
}

// branch draws what happens under a condition, and continues with both: its end, if it has one, and
// where it does not hold.
func (d *drawing) branch(op *ir.Branch) {
	before := d.ends
	holds, otherwise := conditions(op.Condition())
	d.ends = labelled(before, holds, holds == ir.CatchAll)
	d.tasks(op.Then())
	d.ends = append(d.ends, labelled(before, otherwise, otherwise == ir.CatchAll)...)
}
