package rehearsal

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// Steps that run other steps.

// looping waits for the body of a loop.
type looping struct {
	outer
	task *ir.Task
	do   *ir.Repeat
	turn int
}

func (f *looping) resume(s *search, p point) []point {
	if p.came != gave {
		p.next = f.frame
		return []point{p}
	}
	over := p
	over.next = f.frame
	if f.do.Func != nil {
		return f.asked(s, p)
	}
	h := never
	if f.do.Exit != nil {
		in := p.env.eval()
		in.result = p.value
		h = holds(in.formula(f.do.Exit))
	}
	switch h {
	case always:
		return []point{over}
	case maybe:
		p.doubtful, over.doubtful = true, true
		return append(f.next(s, []point{p}), over)
	}

	return f.next(s, []point{p})
}

// asked goes on as a function says.
func (f *looping) asked(s *search, p point) []point {
	var all []point
	for _, then := range s.verdicts(p, f.do.Func, workflow.Bool(true), workflow.Bool(false)) {
		if then.came == gave && !then.value.True() {
			all = append(all, f.next(s, []point{then.with(p.value)})...)
			continue
		}
		then.next = f.frame
		if then.came == gave {
			then = then.with(p.value)
		}
		all = append(all, then)
	}

	return all
}

// next begins the next turn from each of some points.
func (f *looping) next(s *search, from []point) []point {
	var all []point
	for _, p := range from {
		if f.turn == f.do.Max {
			p.next = f.frame
			all = append(all, p.failing())
			continue
		}
		next := *f
		next.turn++
		all = append(all, s.pipeline(p, f.do.Body, p.value, &next)...)
	}

	return all
}

func (f *looping) key(s *search, b *strings.Builder) {
	s.id(b, f.task)
	b.WriteString(strconv.Itoa(f.turn))
}

// eaching waits for what is done for an item of a list.
type eaching struct {
	outer
	task    *ir.Task
	do      *ir.Each
	items   []workflow.Value
	outputs []workflow.Value
	// this is the item of the map around it.
	this workflow.Value
}

// each begins a map.
func (s *search) each(p point, t *ir.Task, do *ir.Each) []point {
	f := &eaching{outer: outer{p.next}, task: t, do: do, this: p.env.this}
	list := p.env.run.Context(names(do.Items)...)
	switch {
	case list.Kind() == workflow.KindList:
		for _, item := range list.Items() {
			f.items = append(f.items, item)
		}
	case isUnknown(list):
		p.doubtful = true
		f.items = []workflow.Value{unknown}
	default:
		return []point{p.failing()}
	}

	return f.item(s, p)
}

// item goes on with the next item, or gives what they came to.
func (f *eaching) item(s *search, p point) []point {
	p.env = p.env.copied()
	if len(f.outputs) < len(f.items) {
		p.env.this = f.items[len(f.outputs)]
		return s.pipeline(p, f.do.Body, p.env.this, f)
	}
	p.env.this, p.next = f.this, f.frame
	list := workflow.List(f.outputs...)
	if f.do.Result == nil {
		return []point{p.with(list)}
	}
	in := p.env.eval()
	in.result = list

	return []point{p.with(in.datum(f.do.Result))}
}

func (f *eaching) resume(s *search, p point) []point {
	if p.came == gave {
		next := *f
		next.outputs = append(f.outputs[:len(f.outputs):len(f.outputs)], p.value)
		return next.item(s, p)
	}
	p.env = p.env.copied()
	p.env.this, p.next = f.this, f.frame

	return []point{p}
}

func (f *eaching) key(s *search, b *strings.Builder) {
	s.id(b, f.task)
	b.WriteString(workflow.List(f.items...).JSON() + workflow.List(f.outputs...).JSON() + f.this.JSON())
}

// imported waits for another workflow.
type imported struct {
	outer
	task *ir.Task
	do   *ir.Import
	env  *env
}

// imports begins another workflow.
func (s *search) imports(p point, t *ir.Task, do *ir.Import, data workflow.Value) []point {
	f := &imported{outer{p.next}, t, do, p.env}
	context := workflow.Object()
	if do.Inherit {
		context = f.env.run.Context()
	}
	child, ok := newEnv(do.Agent.Agent, context)
	if ok && do.InputTo != ir.InputToPrompt {
		ok = child.write(func(r *workflow.Run) error { return r.TakeInput(do.Key, data) })
	}
	if !ok {
		return []point{f.out(p.failing())}
	}
	p.env = child

	return s.pipeline(p, do.Agent.Agent.Node.(*ir.Workflow).Body, data, f)
}

func (f *imported) out(p point) point {
	p.env, p.next = f.env.copied(), f.frame

	return p
}

func (f *imported) resume(_ *search, p point) []point {
	child := p.env
	p = f.out(p)
	if p.came != gave {
		switch f.do.OnFailure {
		case ir.FailureSkip:
			return []point{p.with(workflow.None)}
		case ir.FailureDefault:
			return []point{p.with(workflow.Object())}
		}
		return []point{p}
	}
	if !f.task.UpdatesContext {
		return []point{p}
	}
	ok := p.env.write(func(r *workflow.Run) error {
		if f.do.All {
			return r.TakeAll(&child.run)
		}
		for _, o := range f.do.Outputs {
			if err := r.TakeBack(&child.run, p.value, names(o.Child), names(o.Parent)); err != nil {
				return err
			}
		}
		return nil
	})
	if !ok {
		return []point{p.failing()}
	}

	return []point{p}
}

func (f *imported) key(s *search, b *strings.Builder) {
	s.id(b, f.task)
	f.env.key(b)
}
