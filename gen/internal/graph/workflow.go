package graph

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// drawPipeline draws the steps of a workflow one after the other.
func (d *drawing) drawPipeline(p *ir.Pipeline) {
	for _, task := range p.Steps() {
		if task.IsStep() {
			d.drawTask(task)
		}
	}
}

// drawTask draws a step, and its fallback next to it.
func (d *drawing) drawTask(task *ir.Task) {
	first := len(d.joined)
	d.drawOperation(task)
	fallback := task.FailureFallback()
	if fallback == nil {
		return
	}
	ends := d.ends
	d.ends = []edge{{from: d.joined[first], label: "failure"}}
	d.drawTask(fallback)
	d.ends = append(d.ends, ends...)
}

func (d *drawing) drawOperation(task *ir.Task) {
	if ref := ir.AgentOf(task.Do); ref != nil {
		d.connectPart(d.drawRun(d.frame, labelWithUse(task, ref.Value), ref.Agent, kindAgent))
		return
	}
	switch do := task.Do.(type) {
	case *ir.Branch:
		d.drawChoice(task, do)
	case *ir.Loop:
		if do.Wraps {
			d.drawPipeline(do.Body)
			return
		}
		if f := d.drawSteps(workflowLoopLabel(task, do), "", do.Body); f != nil {
			d.appendFrame(f)
		} else {
			d.connectPart(d.addNode(d.frame, workflowLoopLabel(task, do), kindCode))
		}
	case *ir.Parallel:
		group := d.appendGroup(task.Name.Value + ", side by side")
		for _, arm := range do.Branches {
			inner := d.newInner(group, edge{from: group.nodes[0].id, label: arm.Name.Value})
			inner.drawPipeline(arm.Body)
			if len(inner.joined) == 0 {
				inner.connectPart(d.addNode(group, arm.Name.Value, kindCode))
			}
		}
	case *ir.Machine:
		f := d.builder.newFrame(task.Name.Value, "")
		d.appendFrame(f)
		d.drawMachine(f, d.addNode(f, "", kindStart), do)
	case *ir.Receive: // it is not a step
	case *ir.Run, *ir.PassOn, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Ask, *ir.Return, nil:
		id := d.addNode(d.frame, stepLabel(task), stepKind(task))
		d.markError(id, d.errors.overlaps(task.Span))
		d.connectPart(id)
	}
}

// drawChoice draws exclusive branches, beginning at a diamond.
func (d *drawing) drawChoice(task *ir.Task, do *ir.Branch) {
	choice := d.addNode(d.frame, stepLabel(task), kindChoice)
	d.connectPart(choice)
	var ends []edge
	branch := func(p *ir.Pipeline, from edge) {
		d.ends = []edge{from}
		d.drawPipeline(p)
		ends = append(ends, d.ends...)
	}
	for _, arm := range do.Branches {
		branch(arm.Body, edge{from: choice, label: arm.Name.Value})
	}
	if do.Default != nil {
		branch(do.Default, edge{from: choice, label: ir.CatchAll, dotted: true})
	}
	d.ends = ends
}

// drawSteps draws the steps of a pipeline in a frame, with a line back if they are repeated. It
// returns nil without steps.
func (b *builder) drawSteps(label string, k kind, p *ir.Pipeline) *frame {
	if !slices.ContainsFunc(p.Steps(), (*ir.Task).IsStep) {
		return nil
	}
	f := b.newFrame(label, k)
	inner := &drawing{builder: b, frame: f}
	inner.drawPipeline(p)
	f.begin = inner.joined[0]
	if k == "" {
		inner.drawBack(f.begin, "again")
	}

	return f
}
