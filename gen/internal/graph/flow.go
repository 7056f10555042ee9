package graph

import "github.com/agentc-dev/agentc/gen/internal/ir"

// flow draws the operations of a flow: what runs becomes a node or a frame, all else decides how these are joined.
type flow struct {
	line
	b     *builder
	agent string
	// end is the node of the end; empty until something returns.
	end string
}

// flow draws the operations of a flow into its frame, which begins with start.
func (b *builder) flow(f *frame, start, agent string, n *ir.Flow) {
	d := &flow{line: line{frame: f, ends: []edge{{from: start}}}, b: b, agent: agent}
	d.body(n.Body)
}

func (d *flow) body(ops []ir.Op) {
	for _, op := range ops {
		d.op(op)
	}
}

func (d *flow) op(op ir.Op) {
	switch op := op.(type) {
	case *ir.Run:
		d.follow(d.run(d.frame, op))
	case *ir.Group:
		group := d.group(sideBySide(op))
		for _, run := range op.Runs {
			d.fork(group, d.run(group, run))
		}
	case *ir.Ask:
		d.follow(d.b.add(d.frame, "a person", kindPerson))
	case *ir.Loop:
		d.loop(op.Body, again(op))
		if op.Times == 0 && op.List == nil {
			d.ends = nil // such a loop is left by returning
		}
	case *ir.If:
		d.branch(op)
	case *ir.Return:
		d.finish()
	}
}

// run draws what an operation runs and returns its id.
func (d *flow) run(f *frame, r *ir.Run) string {
	switch {
	case r.Agent != nil:
		return d.runAgent(f, r.Agent)
	case r.Step.Name.Value == "":
		return d.b.add(f, d.agent, kindStep)
	}

	id := d.b.add(f, r.Step.Name.Value, kindStep)
	d.b.mark(id, d.b.errors.in(r.Step.File))

	return id
}

func (d *flow) runAgent(f *frame, ref *ir.AgentRef) string {
	if framed(ref.Agent) {
		return d.b.inner(f, ref.Value, ref.Agent, kindAgent)
	}

	return d.b.box(f, ref.Value, ref.Agent, kindAgent)
}

// group begins a frame for what runs side by side.
func (d *flow) group(label string) *frame {
	group := &frame{id: d.b.id(), label: label, kind: kindGroup}
	d.b.add(group, "", kindStart)
	d.frame.frames = append(d.frame.frames, group)
	d.follow(group.id)

	return group
}

// fork joins a branch to the beginning of its group.
func (d *flow) fork(group *frame, branch string) {
	group.edges = append(group.edges, edge{from: group.nodes[0].id, to: branch})
}

// loop draws a body whose end leads back to its first node. What follows the loop follows its body.
func (d *flow) loop(body []ir.Op, label string) {
	first := len(d.joined)
	d.body(body)
	if first == len(d.joined) {
		return
	}
	after := d.ends
	d.ends = labelled(after, label, true)
	d.join(d.joined[first])
	d.ends = after
}

// branch draws what happens under a condition, and goes on with both: its end, if it has one, and where it does not hold.
func (d *flow) branch(op *ir.If) {
	before := d.ends
	holds, otherwise := conditions(op.Cond)
	d.ends = labelled(before, holds, holds == ir.CatchAll)
	d.body(op.Then)
	d.ends = append(d.ends, labelled(before, otherwise, otherwise == ir.CatchAll)...)
}

// finish leads to the end of the flow.
func (d *flow) finish() {
	if d.end == "" {
		d.end = d.b.add(d.frame, "", kindEnd)
	}
	d.join(d.end)
	d.ends = nil
}
