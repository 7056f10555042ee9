package stats

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/hops"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scc"
)

// workflow is the bound of a workflow while it is added up.
type workflow struct {
	*bounds
	context *ir.Schema
	// first is the machine that may begin in any state.
	first *ir.Task
}

// workflow returns the bound of a workflow.
func (b *bounds) workflow(w *ir.Workflow) Calls {
	x := &workflow{bounds: b, context: w.Context}
	if w.Body == nil {
		return 0
	}
	if i := slices.IndexFunc(w.Body.Tasks, isMachine); i >= 0 {
		x.first = w.Body.Tasks[i]
	}

	return x.pipeline(w.Body)
}

func isMachine(t *ir.Task) bool {
	_, is := t.Do.(*ir.Machine)

	return is
}

func (x *workflow) pipeline(p *ir.Pipeline) Calls {
	sum := Calls(0)
	if p == nil {
		return sum
	}
	for _, t := range p.Tasks {
		sum = sum.plus(x.task(t))
	}

	return sum
}

func (x *workflow) task(t *ir.Task) Calls {
	calls := x.work(t).times(t.Retries + 1)
	if t.Fallback != nil {
		calls = calls.plus(x.task(t.Fallback))
	}

	return calls
}

// work is what one try of a step costs.
func (x *workflow) work(t *ir.Task) Calls {
	switch do := t.Do.(type) {
	case *ir.Run:
		return x.run(do)
	case *ir.Import:
		return x.agent(do.Agent.Agent)
	case *ir.Conditional:
		costliest := Calls(0)
		for _, branch := range t.Pipelines() {
			costliest = max(costliest, x.pipeline(branch))
		}
		return costliest
	case *ir.Repeat:
		return x.pipeline(do.Body).times(do.Max)
	case *ir.Each:
		return x.each(do)
	case *ir.Fork:
		sum := Calls(0)
		for _, arm := range do.Branches {
			sum = sum.plus(x.pipeline(arm.Body))
		}
		return sum
	case *ir.Machine:
		return x.machine(do, t == x.first)
	}

	return 0
}

// each is what a step costs that is done for each item of a list.
func (x *workflow) each(do *ir.Each) Calls {
	once := x.pipeline(do.Body)
	items, bounded := mostItems(x.context, do.Items)
	if once > 0 && !bounded {
		return Most
	}

	return once.times(items)
}

// mostItems returns how many items the schema of a context lets the list at a path have.
func mostItems(s *ir.Schema, path *ir.ContextPath) (n int, bounded bool) {
	if path == nil {
		return 0, false
	}
	for _, name := range path.Path {
		if s == nil {
			return 0, false
		}
		i := slices.IndexFunc(s.Properties, func(p *ir.Property) bool { return p.Name.Value == name.Value })
		if i < 0 {
			return 0, false
		}
		s = s.Properties[i].Schema
	}
	if s == nil || s.Kind != ir.SchemaArray || s.MaxItems == nil {
		return 0, false
	}

	return *s.MaxItems, true
}

// machine returns the bound of the costliest walk; anywhere says that the machine may begin in any state.
func (x *workflow) machine(m *ir.Machine, anywhere bool) Calls {
	if len(m.States) == 0 || m.Initial.State == nil {
		return 0
	}
	g := hops.Of(m)
	t := tableOfWork(g)
	own := make([]Calls, len(m.States))
	for i, s := range g.States {
		if !s.End {
			own[i] = x.pipeline(s.Body)
		}
	}
	from, rest := t.costliest(own, m.MaxSteps)
	calls := from[t.start]
	if anywhere {
		calls = slices.Max(from)
	}

	return calls.plus(rest)
}

func tableOfWork(g *hops.Machine) table {
	t := newTable(len(g.States))
	t.start = g.Start.Index
	for i, s := range g.States {
		t.runs[i], t.open[i] = !s.End, s.Open
		for _, to := range g.Leads(s) {
			t.next[i] = append(t.next[i], to.Index)
		}
	}

	return t
}

// addTask counts what a step of a workflow is made of.
func (e *Entry) addTask(t *ir.Task) {
	switch do := t.Do.(type) {
	case *ir.Repeat:
		e.Cycles++
	case *ir.Machine:
		e.States += len(do.States)
		e.Rows += len(do.Rows())
		for _, row := range do.Rows() {
			if row.When != nil {
				e.Guarded++
			}
		}
		e.Cycles += workCycles(do)
	}
}

// workCycles returns how many groups of a machine's states lead to each other or to themselves.
func workCycles(m *ir.Machine) int {
	g := hops.Of(m)
	anywhere := len(g.States) // a node between the states from which every other one may be next, and these
	next := make([][]int, anywhere+1)
	for i, s := range g.States {
		for _, to := range g.Leads(s) {
			next[i] = append(next[i], to.Index)
		}
		if s.Open {
			next[i] = append(next[i], anywhere)
		}
		next[anywhere] = append(next[anywhere], i)
	}
	found := 0
	for _, group := range scc.Groups(next) {
		if len(group) > 1 || slices.Contains(next[group[0]], group[0]) {
			found++
		}
	}

	return found
}
