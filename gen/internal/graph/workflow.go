package graph

import "github.com/agentc-dev/agentc/gen/internal/ir"

// tasks draws the steps of a workflow: what runs becomes a node or a frame, and the next one follows it.
type tasks struct {
	line
	b *builder
}

// workflow draws the steps of a workflow into its frame, which begins with start.
func (b *builder) workflow(f *frame, start string, w *ir.Workflow) {
	t := &tasks{line: line{frame: f, ends: []edge{{from: start}}}, b: b}
	t.pipeline(w.Body)
	t.join(b.add(f, "", kindEnd))
}

func (t *tasks) pipeline(p *ir.Pipeline) {
	if p == nil {
		return
	}
	for _, task := range p.Tasks {
		t.task(task)
	}
}

// task draws a step, and beside it the one that stands in for it when it fails.
func (t *tasks) task(task *ir.Task) {
	first := len(t.joined)
	t.work(task)
	if task.Fallback == nil {
		return
	}
	after := t.ends
	t.ends = []edge{{from: t.joined[first], label: "failure"}}
	t.task(task.Fallback)
	t.ends = append(t.ends, after...)
}

func (t *tasks) work(task *ir.Task) {
	switch do := task.Do.(type) {
	case *ir.Run:
		if do.Agent != nil {
			t.contained(task, do.Agent)
		} else {
			t.single(task)
		}
	case *ir.Import:
		t.contained(task, do.Agent)
	case *ir.Conditional:
		t.choose(task, do)
	case *ir.Repeat:
		t.again(repeated(task, do), do.Body)
	case *ir.Each:
		t.again(eachItem(task, do), do.Body)
	case *ir.Fork:
		t.fork(task, do)
	case *ir.Machine:
		f := &frame{id: t.b.id(), label: task.Name.Value}
		t.put(f)
		t.b.workMachine(f, do)
	default:
		t.single(task)
	}
}

// single draws a step that is one node.
func (t *tasks) single(task *ir.Task) {
	id := t.b.add(t.frame, labelOf(task), kindOf(task))
	t.b.mark(id, t.b.errors.at(task.Span))
	t.follow(id)
}

// put adds a frame that follows what came before.
func (t *tasks) put(f *frame) {
	t.frame.frames = append(t.frame.frames, f)
	t.follow(f.id)
}

func (t *tasks) contained(task *ir.Task, ref *ir.AgentRef) {
	if framed(ref.Agent) {
		t.follow(t.b.inner(t.frame, called(task, ref.Value), ref.Agent, kindAgent))
		return
	}
	t.follow(t.b.box(t.frame, called(task, ref.Value), ref.Agent, kindAgent))
}

// choose draws branches of which one runs, beginning at a diamond.
func (t *tasks) choose(task *ir.Task, do *ir.Conditional) {
	choice := t.b.add(t.frame, labelOf(task), kindChoice)
	t.follow(choice)
	var after []edge
	branch := func(p *ir.Pipeline, from edge) {
		t.ends = []edge{from}
		t.pipeline(p)
		after = append(after, t.ends...)
	}
	for _, arm := range do.Branches {
		branch(arm.Body, edge{from: choice, label: arm.Name.Value})
	}
	if do.Default != nil {
		branch(do.Default, edge{from: choice, label: ir.CatchAll, dotted: true})
	}
	t.ends = after
}

// again draws a body that is done several times as a frame with a line back.
func (t *tasks) again(label string, body *ir.Pipeline) {
	f := t.b.steps(label, "", body)
	if f == nil {
		t.follow(t.b.add(t.frame, label, kindCode))
		return
	}
	t.put(f)
}

// steps draws the steps of a pipeline as a frame of their own; nil if there are none.
func (b *builder) steps(label string, k kind, p *ir.Pipeline) *frame {
	if p == nil || len(p.Tasks) == 0 {
		return nil
	}
	f := &frame{id: b.id(), label: label, kind: k}
	inner := &tasks{line: line{frame: f}, b: b}
	inner.pipeline(p)
	f.begin = inner.joined[0]
	if k == "" {
		inner.ends = labelled(inner.ends, "again", true)
		inner.join(f.begin)
	}

	return f
}

// fork draws branches that run side by side.
func (t *tasks) fork(task *ir.Task, do *ir.Fork) {
	group := &frame{id: t.b.id(), label: task.Name.Value + ", side by side", kind: kindGroup}
	t.put(group)
	start := t.b.add(group, "", kindStart)
	for _, arm := range do.Branches {
		inner := &tasks{line: line{frame: group, ends: []edge{{from: start, label: arm.Name.Value}}}, b: t.b}
		inner.pipeline(arm.Body)
		if len(inner.joined) == 0 {
			inner.follow(t.b.add(group, arm.Name.Value, kindCode))
		}
	}
}
