package rehearsal

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// sequence runs the steps of a pipeline.
type sequence struct {
	outer
	pipeline *ir.Pipeline
	at       int
	// input is that of the pipeline around it.
	input workflow.Value
}

// pipeline begins a pipeline.
func (s *search) pipeline(p point, steps *ir.Pipeline, given workflow.Value, next frame) []point {
	f := &sequence{outer{next}, steps, 0, p.env.input}
	p.env = p.env.copied()
	p.env.input = given
	p.next = f

	return []point{p.with(given)}
}

func (f *sequence) resume(s *search, p point) []point {
	if p.came == gave && f.at < len(f.pipeline.Tasks) {
		next := *f
		next.at++
		p.next = &next
		return s.task(p, f.pipeline.Tasks[f.at], p.value)
	}
	p.env = p.env.copied()
	p.env.input = f.input
	p.next = f.frame

	return []point{p}
}

func (f *sequence) key(s *search, b *strings.Builder) {
	s.id(b, f.pipeline)
	b.WriteString(strconv.Itoa(f.at) + f.input.JSON())
}

// tried waits for a step that is tried again when it fails.
type tried struct {
	outer
	task *ir.Task
	// given is what the step is given when it has no input of its own; before is where it began.
	given  workflow.Value
	before point
}

// task begins a step.
func (s *search) task(p point, t *ir.Task, given workflow.Value) []point {
	data := given
	if t.Input != nil {
		data = p.env.eval().datum(t.Input)
	}
	p.next = &tried{outer{p.next}, t, given, p}

	return s.work(p, t, data)
}

func (f *tried) resume(s *search, p point) []point {
	p.next = f.frame
	switch {
	case p.came == gave:
		return s.keep(p, f.task)
	case p.came == left:
		return []point{p}
	}
	p = f.again(p)
	if f.undoes() {
		p.env = f.before.env
	}
	if f.task.Fallback == nil {
		return []point{p}
	}
	other := *f.task.Fallback
	if other.Input == nil {
		other.Input = f.task.Input
	}
	p.next = &stoodIn{outer{f.frame}, f.task}

	return s.task(p.with(f.given), &other, f.given)
}

// undoes reports whether what a try that failed wrote is taken back: where there may be another one, and steps inside.
func (f *tried) undoes() bool {
	t := f.task

	return len(t.Pipelines()) > 0 && (t.Retries > 0 || t.Timeout > 0 || t.Tokens > 0 || t.USD > 0 || t.Fallback != nil)
}

// again repeats what happened in the try that failed as often as the step is tried again: all tries fail in the same way.
func (f *tried) again(p point) point {
	var items []Item
	for e := p.log; e != f.before.log; e = e.before {
		items = append(items, e.item)
	}
	for range f.task.Retries {
		for i := len(items) - 1; i >= 0; i-- {
			p.log = &entry{items[i], p.log}
			p.turns += items[i].turns()
		}
	}

	return p
}

func (f *tried) key(s *search, b *strings.Builder) {
	s.id(b, f.task)
	b.WriteString(f.given.JSON())
	if f.undoes() {
		f.before.env.key(b)
	}
}

// stoodIn waits for the fallback of a step.
type stoodIn struct {
	outer
	task *ir.Task
}

func (f *stoodIn) resume(s *search, p point) []point {
	p.next = f.frame
	if p.came == gave {
		return s.keep(p, f.task)
	}

	return []point{p}
}

func (f *stoodIn) key(s *search, b *strings.Builder) { s.id(b, f.task) }

// keep puts the output of a step where the step says, and leaves the state if a row is for the answer of a person.
func (s *search) keep(p point, t *ir.Task) []point {
	p.env = p.env.copied()
	if t.Merges() {
		if !s.change(&p, func(r *workflow.Run) error { return r.MergeContext(p.value) }) {
			return []point{p.failing()}
		}
	}
	if t.SinkTo != nil {
		if !s.change(&p, func(r *workflow.Run) error { return r.SetContext(p.value, names(t.SinkTo)...) }) {
			return []point{p.failing()}
		}
	}
	p.env.did(t, p.value)

	return s.leave(p, t)
}

// change changes the context by the value of p. What becomes of it when nothing is known of that value is doubtful.
func (s *search) change(p *point, change func(*workflow.Run) error) (ok bool) {
	if text, isText := p.value.AsText(); isText && text == mark {
		p.doubtful = true
		if change(&p.env.run) != nil {
			return true // it may be what fits
		}
	}

	return p.env.write(change)
}

func names(p *ir.ContextPath) []string {
	list := make([]string, len(p.Path))
	for i, name := range p.Path {
		list[i] = name.Value
	}

	return list
}

// leave leaves a state where a person has answered and a row on that leads to another state.
func (s *search) leave(p point, t *ir.Task) []point {
	if !asks(t) {
		return []point{p}
	}
	in := innermost(p.next)
	if in == nil {
		return []point{p}
	}
	going := p
	going.came = left
	for _, row := range in.state.Rows {
		if row.Key.Value != ir.OnPause {
			continue
		}
		switch in.guard(p.env, row, p.value) {
		case always:
			if row.To.State == in.state.State {
				return []point{p}
			}
			return []point{going}
		case maybe:
			p.doubtful, going.doubtful = true, true
			if row.To.State != in.state.State {
				return []point{p, going}
			}
		}
	}

	return []point{p}
}

func asks(t *ir.Task) bool {
	_, asks := t.Do.(*ir.Hitl)

	return asks
}

// innermost returns the state around a point, in the same workflow; nil outside of all machines.
func innermost(f frame) *inState {
	for ; f != nil; f = f.around() {
		switch f := f.(type) {
		case *inState:
			return f
		case *imported:
			return nil
		}
	}

	return nil
}
