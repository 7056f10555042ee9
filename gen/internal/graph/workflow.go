package graph

import "github.com/agentc-dev/agentc/gen/internal/ir"

// pipeline draws the steps of a workflow: what runs becomes a node or a frame, and the next one
// follows it.
func (d *drawing) pipeline(p *ir.Pipeline) {
	for _, task := range p.Steps() {
		d.task(task)
	}
}

// task draws a step, and beside it the one that runs when it fails.
func (d *drawing) task(task *ir.Task) {
	first := len(d.joined)
	d.work(task)
	if task.Fallback == nil {
		return
	}
	after := d.ends
	d.ends = []edge{{from: d.joined[first], label: "failure"}}
	d.task(task.Fallback)
	d.ends = append(d.ends, after...)
}

func (d *drawing) work(task *ir.Task) {
	if ref := ir.AgentOf(task.Do); ref != nil {
		d.follow(d.run(d.frame, called(task, ref.Value), ref.Agent, kindAgent))
		return
	}
	switch do := task.Do.(type) {
	case *ir.Branch:
		d.choose(task, do)
	case *ir.Loop:
		if f := d.steps(turnsOf(task, do), "", do.Body); f != nil {
			d.put(f)
		} else {
			d.follow(d.add(d.frame, turnsOf(task, do), kindCode))
		}
	case *ir.Parallel:
		group := d.group(task.Name.Value + ", side by side")
		for _, arm := range do.Branches {
			inner := d.inside(group, edge{from: group.nodes[0].id, label: arm.Name.Value})
			inner.pipeline(arm.Body)
			if len(inner.joined) == 0 {
				inner.follow(d.add(group, arm.Name.Value, kindCode))
			}
		}
	case *ir.Machine:
		f := d.builder.frame(task.Name.Value, "")
		d.put(f)
		d.machine(f, d.add(f, "", kindStart), do)
	case *ir.Run, *ir.PassOn, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Ask, *ir.Return, nil:
		id := d.add(d.frame, labelOf(task), kindOf(task))
		d.mark(id, d.errors.at(task.Span))
		d.follow(id)
	}
}

// choose draws branches of which one runs, beginning at a diamond.
func (d *drawing) choose(task *ir.Task, do *ir.Branch) {
	choice := d.add(d.frame, labelOf(task), kindChoice)
	d.follow(choice)
	var after []edge
	branch := func(p *ir.Pipeline, from edge) {
		d.ends = []edge{from}
		d.pipeline(p)
		after = append(after, d.ends...)
	}
	for _, arm := range do.Branches {
		branch(arm.Body, edge{from: choice, label: arm.Name.Value})
	}
	if do.Default != nil {
		branch(do.Default, edge{from: choice, label: ir.CatchAll, dotted: true})
	}
	d.ends = after
}

// steps draws the steps of a pipeline as a frame of their own, with a line back where they are
// repeated; nil if there are none.
func (b *builder) steps(label string, k kind, p *ir.Pipeline) *frame {
	if len(p.Steps()) == 0 {
		return nil
	}
	f := b.frame(label, k)
	inner := &drawing{builder: b, frame: f}
	inner.pipeline(p)
	f.begin = inner.joined[0]
	if k == "" {
		inner.back(f.begin, "again")
	}

	return f
}
