package graph

import "github.com/agentc-dev/agentc/gen/internal/ir"

// ops draws operations of a flow: what runs becomes a node or a frame, all else decides how these are joined.
func (d *drawing) ops(ops []ir.Op) {
	for _, op := range ops {
		switch op := op.(type) {
		case *ir.Run:
			d.follow(d.conversation(op))
		case *ir.Parallel:
			group := d.group(sideBySide(op))
			for _, run := range op.Runs() {
				group.edges = append(group.edges, edge{from: group.nodes[0].id, to: d.inside(group).conversation(run)})
			}
		case *ir.Ask:
			d.follow(d.add(d.frame, "a person", kindPerson))
		case *ir.Loop:
			d.loop(op.Body.Body, again(op))
			if op.Times == 0 && op.List == nil {
				d.ends = nil // such a loop is left by returning
			}
		case *ir.Branch:
			d.branch(op)
		case *ir.Return:
			d.finish()
		}
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
func (d *drawing) loop(body []ir.Op, label string) {
	first := len(d.joined)
	d.ops(body)
	if first < len(d.joined) {
		d.back(d.joined[first], label)
	}
}

// branch draws what happens under a condition, and continues with both: its end, if it has one, and where it does not hold.
func (d *drawing) branch(op *ir.Branch) {
	before := d.ends
	holds, otherwise := conditions(op.Cond)
	d.ends = labelled(before, holds, holds == ir.CatchAll)
	d.ops(op.Then())
	d.ends = append(d.ends, labelled(before, otherwise, otherwise == ir.CatchAll)...)
}
