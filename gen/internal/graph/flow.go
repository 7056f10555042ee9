package graph

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// drawTasks draws the tasks of a pattern. Runs become nodes or frames; other operations decide how
// these are connected.
func (d *drawing) drawTasks(p *ir.Pipeline) {
	for _, t := range p.Steps() {
		switch op := t.Do.(type) {
		case *ir.Run:
			d.connectPart(d.drawConversation(op))
		case *ir.Parallel:
			d.drawParallel(parallelLabel(op), t.Pipelines())
		case *ir.Ask:
			d.connectPart(d.addNode(d.frame, "a person", kindPerson))
		case *ir.Loop:
			if op.Reduce == ir.ReduceResults {
				d.drawParallel(repeatedLabel(op), t.Pipelines())
				continue
			}
			d.drawLoop(op.Body, loopLabel(op))
			if op.EndsByReturn() {
				d.ends = nil
			}
		case *ir.Branch:
			d.drawBranch(op)
		case *ir.Return:
			d.drawEnd()
		case *ir.PassOn:
		case *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine:
			panic(fmt.Sprintf("no pattern has a %T", op))
		}
	}
}

// drawParallel draws parallel runs.
func (d *drawing) drawParallel(label string, runs []*ir.Pipeline) {
	group := d.appendGroup(label)
	for _, p := range runs {
		run := p.Tasks[0].Do.(*ir.Run)
		group.edges = append(group.edges, edge{from: group.nodes[0].id, to: d.newInner(group).drawConversation(run)})
	}
}

// drawConversation draws what a run operation runs, and returns its id.
func (d *drawing) drawConversation(r *ir.Run) string {
	switch {
	case r.Agent != nil:
		return d.drawRun(d.frame, r.Agent.Value, r.Agent.Agent, kindAgent)
	case r.Step.Name.Value == "":
		return d.addNode(d.frame, d.agent, kindStep)
	}

	id := d.addNode(d.frame, r.Step.Name.Value, kindStep)
	d.markError(id, d.errors.hasFile(r.Step.File))

	return id
}

// drawLoop draws a body, whose end leads back to its first node and to what follows the loop.
func (d *drawing) drawLoop(body *ir.Pipeline, label string) {
	first := len(d.joined)
	d.drawTasks(body)
	if first < len(d.joined) {
		d.drawBack(d.joined[first], label)
	}
}

// drawBranch draws the body of a condition. Both the end of the body and the false branch lead to
// what follows.
func (d *drawing) drawBranch(op *ir.Branch) {
	previous := d.ends
	holds, otherwise := conditionLabels(op.Condition())
	d.ends = withLabel(previous, holds, holds == ir.CatchAll)
	d.drawTasks(op.ThenBody())
	d.ends = append(d.ends, withLabel(previous, otherwise, otherwise == ir.CatchAll)...)
}
