package flow

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scc"
)

// Calls is a number of calls of models. It ends at [Most].
type Calls uint64

// Most is itself and everything beyond: it is the largest integer that every reader of JSON takes as it is.
const Most Calls = 1<<53 - 1

func (c Calls) plus(d Calls) Calls {
	if c > Most-d {
		return Most
	}

	return c + d
}

func (c Calls) times(n int) Calls {
	if n <= 0 || c == 0 {
		return 0
	}
	if c > Most/Calls(n) {
		return Most
	}

	return c * Calls(n)
}

// String writes the number in groups of three digits; [Most], which is no exact number, with a plus behind it.
func (c Calls) String() string {
	digits := strconv.FormatUint(uint64(c), 10)
	var groups []string
	for len(digits) > 3 {
		groups = append([]string{digits[len(digits)-3:]}, groups...)
		digits = digits[:len(digits)-3]
	}
	text := strings.Join(append([]string{digits}, groups...), ",")
	if c == Most {
		text += "+"
	}

	return text
}

// Within returns the number that a budget lets pass.
func (c Calls) Within(b *ir.Budget) Calls {
	if b == nil || b.Calls <= 0 {
		return c
	}

	return min(c, Calls(b.Calls))
}

// exactSteps is how many steps of a path are looked at one by one. Each further one counts as the costliest state.
const exactSteps = 1000

// MostCalls returns a bound for the calls of models of one run of an agent; nil makes none.
func (p *Program) MostCalls(a *ir.Agent) Calls {
	if a == nil {
		return 0
	}
	calls, known := p.most[a]
	if known {
		return calls
	}
	switch node := a.Node.(type) {
	case *ir.Machine:
		if !node.External {
			calls = p.machines[node].most(false, func(s *State) Calls { return p.MostCalls(s.Agent) })
		}
	case *ir.Flow:
		c := p.costOf(node, true)
		calls = max(c.through.most, c.ended.most)
	case *ir.Workflow:
		calls = (&workMost{p, node}).pipeline(node.Body)
	default:
		calls = mostOfConversation(node)
	}
	calls = calls.Within(a.Budget)
	p.most[a] = calls

	return calls
}

func (p *Program) mostOfRun(r *ir.Run) Calls {
	if r.Step != nil {
		return mostOfConversation(r.Step.Node)
	}

	return p.MostCalls(r.Agent.Agent)
}

func mostOfConversation(node ir.Node) Calls {
	switch node := node.(type) {
	case *ir.React:
		return Calls(1).times(node.MaxIter)
	case *ir.Oneshot:
		return Calls(1).plus(Calls(1).times(node.Repair))
	}

	return 0
}

// most returns the calls of the costliest path of at most max_steps states, whose own calls are
// known; anywhere says that it may begin in any of them.
func (x *Machine) most(anywhere bool, of func(*State) Calls) Calls {
	if x.Start == nil {
		return 0
	}
	own := make([]Calls, len(x.States))
	for i, s := range x.States {
		own[i] = of(s)
	}
	from, rest := x.costliest(own)
	calls := from[x.Start.Index]
	if anywhere {
		calls = slices.Max(from)
	}

	return calls.plus(rest)
}

// costliest returns what the costliest path costs from each state, and what its steps cost that were
// not looked at one by one. It asks, for paths of one step, of two and so on, what they cost.
func (x *Machine) costliest(own []Calls) (from []Calls, rest Calls) {
	from = make([]Calls, len(own)) // the cost of paths of no step at all
	next := x.graph()
	for n := range min(x.MaxSteps, exactSteps) {
		longer := make([]Calls, len(own))
		highest := slices.Max(from)
		for i, s := range x.States {
			if s.End || s.Agent == nil && s.Body == nil {
				continue
			}
			behind := Calls(0)
			if s.Anywhere {
				behind = highest
			}
			for _, to := range next[i] {
				behind = max(behind, from[to])
			}
			longer[i] = own[i].plus(behind)
		}
		if slices.Equal(longer, from) {
			return from, 0
		}
		from, rest = longer, slices.Max(own).times(x.MaxSteps-n-1)
	}

	return from, rest
}

// graph returns the states that moves which can be taken lead to from each state.
func (x *Machine) graph() [][]int {
	next := make([][]int, len(x.States))
	for i, s := range x.States {
		for _, to := range s.Next() {
			next[i] = append(next[i], to.Index)
		}
	}

	return next
}

// Cycles returns how many groups of states lead to each other or to themselves.
func (x *Machine) Cycles() int {
	next := append(x.graph(), nil) // a node between the states from which every other one may be next, and these
	anywhere := len(x.States)
	for i, s := range x.States {
		next[anywhere] = append(next[anywhere], i)
		if s.Anywhere {
			next[i] = append(next[i], anywhere)
		}
	}
	found := 0
	for _, group := range scc.Groups(next) {
		if len(group) > 1 || slices.Contains(next[group[0]], group[0]) {
			found++
		}
	}

	return found
}

// workMost adds up the calls of a workflow.
type workMost struct {
	p *Program
	w *ir.Workflow
}

func (x *workMost) pipeline(p *ir.Pipeline) Calls {
	sum := Calls(0)
	if p != nil {
		for _, t := range p.Tasks {
			sum = sum.plus(x.task(t))
		}
	}

	return sum
}

func (x *workMost) task(t *ir.Task) Calls {
	calls := x.work(t).times(t.Retries + 1)
	if t.Fallback != nil {
		calls = calls.plus(x.task(t.Fallback))
	}

	return calls
}

// work is what one try of a step costs.
func (x *workMost) work(t *ir.Task) Calls {
	calls := Calls(0)
	switch do := t.Do.(type) {
	case *ir.Run:
		return x.p.mostOfRun(do)
	case *ir.Import:
		return x.p.MostCalls(do.Agent.Agent)
	case *ir.Conditional:
		for _, branch := range t.Pipelines() {
			calls = max(calls, x.pipeline(branch))
		}
	case *ir.Repeat:
		return x.pipeline(do.Body).times(do.Max)
	case *ir.Each:
		calls = x.pipeline(do.Body)
		items, bounded := mostItems(x.w.Context, do.Items)
		if calls > 0 && !bounded {
			return Most
		}
		return calls.times(items)
	case *ir.Fork:
		for _, arm := range do.Branches {
			calls = calls.plus(x.pipeline(arm.Body))
		}
	case *ir.Machine:
		first := slices.IndexFunc(x.w.Body.Tasks, isMachine)
		anywhere := first >= 0 && x.w.Body.Tasks[first] == t
		return x.p.machines[do].most(anywhere, func(s *State) Calls { return x.pipeline(s.Body) })
	}

	return calls
}

func isMachine(t *ir.Task) bool {
	_, is := t.Do.(*ir.Machine)

	return is
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
