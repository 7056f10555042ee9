package rehearsal

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// forking waits for the branches of a parallel step, which are rehearsed one after another.
type forking struct {
	outer
	task  *ir.Task
	do    *ir.Fork
	given workflow.Value
	// before is where the branches begin.
	before *env
	branch string
	done   []branched
}

// branched is a branch that is over.
type branched struct {
	env   *env
	came  outcome
	value workflow.Value
}

// fork begins a parallel step.
func (s *search) fork(p point, t *ir.Task, do *ir.Fork, given workflow.Value) []point {
	f := &forking{outer: outer{p.next}, task: t, do: do, given: given, before: p.env, branch: p.branch}

	return f.branches(s, p)
}

// branches begins the next branch, or joins them.
func (f *forking) branches(s *search, p point) []point {
	if at := len(f.done); at < len(f.do.Branches) {
		p.env, p.branch = f.before, f.branch+strconv.Itoa(at)+"."
		return s.pipeline(p, f.do.Branches[at].Body, f.given, f)
	}
	p.env, p.branch, p.next = f.before.copied(), f.branch, f.frame

	return []point{f.join(p)}
}

func (f *forking) resume(s *search, p point) []point {
	next := *f
	next.done = append(f.done[:len(f.done):len(f.done)], branched{p.env, p.came, p.value})

	return next.branches(s, p)
}

// join brings what the branches came to together.
func (f *forking) join(p point) point {
	var ran []branched
	var arms []*ir.Arm
	for i, b := range f.done {
		switch b.came {
		case left:
			p.came, p.value = left, b.value
			return p
		case gave:
			ran, arms = append(ran, b), append(arms, f.do.Branches[i])
		}
	}
	if len(ran) < len(f.done) && (!f.do.Ignore || len(ran) == 0) || !f.merge(&p, arms, ran) {
		return p.failing()
	}
	for i, arm := range arms {
		ir.WalkTasks(arm.Body, func(t *ir.Task) {
			if v, there := ran[i].env.outputs[t.Output]; there {
				p.env.took(t.Output, v)
			}
		})
	}
	v, ok := f.reduced(arms, ran)
	if !ok {
		return p.failing()
	}

	return p.with(v)
}

// merge brings the contexts of branches together.
func (f *forking) merge(p *point, arms []*ir.Arm, ran []branched) (ok bool) {
	if f.do.Merge == ir.MergeNone {
		return true
	}
	base := p.env.whole()
	wholes := make([]workflow.Value, len(ran))
	for i, b := range ran {
		wholes[i] = b.env.whole()
		if f.do.Fields != nil {
			wholes[i] = only(fieldsOf(f.do, arms[i]), wholes[i], base)
		}
	}
	merged, clash := workflow.MergeBranches(base, wholes, keeping(f.do))
	if clash != nil {
		return false
	}

	return p.env.write(func(r *workflow.Run) error { return r.Inherit(merged) })
}

// keeping says which of two values counts.
func keeping(do *ir.Fork) workflow.Keep {
	switch {
	case do.Merge == ir.MergeKeepFirst:
		return workflow.KeepFirst
	case do.Merge == ir.MergeOverwrite, do.Merge == ir.MergeUpdate && do.MergeAt.IsValid():
		return workflow.KeepLast
	}

	return workflow.KeepNeither
}

// fieldsOf returns the places that a branch writes back; nil for all.
func fieldsOf(do *ir.Fork, arm *ir.Arm) []*ir.ContextPath {
	i := slices.IndexFunc(do.Fields, func(f ir.ForkFields) bool { return f.Branch.Value == arm.Name.Value })
	if i < 0 {
		return nil
	}

	return do.Fields[i].Fields
}

// only returns base with some places as they are in context.
func only(fields []*ir.ContextPath, context, base workflow.Value) workflow.Value {
	if fields == nil {
		return context
	}
	for _, field := range fields {
		value := context.Get(names(field)...)
		if value.JSON() == base.Get(names(field)...).JSON() {
			continue
		}
		if changed, err := base.Set(names(field), value); err == nil {
			base = changed
		}
	}

	return base
}

// reduced is the output of a parallel step.
func (f *forking) reduced(arms []*ir.Arm, ran []branched) (v workflow.Value, ok bool) {
	values := make([]workflow.Value, len(ran))
	members := make([]workflow.Member, len(ran))
	labels := make([]workflow.Value, len(ran))
	for i, b := range ran {
		values[i] = b.value
		members[i] = workflow.Member{Name: arms[i].Name.Value, Value: b.value}
		labels[i] = workflow.Text(arms[i].Name.Value)
	}
	var err error
	switch f.do.Reduce {
	case ir.ReduceKeys:
		return workflow.List(labels...), true
	case ir.ReduceValues:
		return workflow.List(values...), true
	case ir.ReduceUnion:
		v, err = workflow.Union(values...)
		return v, err == nil
	case ir.ReduceConcat:
		v, err = workflow.Flatten(workflow.List(values...))
		return v, err == nil
	case ir.ReduceMajority:
		return workflow.Majority(values...), true
	case ir.ReduceFirst, ir.ReduceLast:
		if len(values) == 0 {
			return workflow.None, true
		}
		if f.do.Reduce == ir.ReduceFirst {
			return values[0], true
		}
		return values[len(values)-1], true
	}

	return workflow.Object(members...), true
}

func (f *forking) key(s *search, b *strings.Builder) {
	s.id(b, f.task)
	f.before.key(b)
	b.WriteString(f.given.JSON())
	for _, done := range f.done {
		done.env.key(b)
		b.WriteString(done.value.JSON())
		b.WriteByte(byte(done.came))
	}
}
