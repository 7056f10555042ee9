package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/hops"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// workMachine is a machine of a workflow with what may lead from state to state.
type workMachine struct {
	*hops.Machine
	agent *ir.Agent
	task  *ir.Task
	names []string
	// next are the states that rows and next_state lead to from each one, as they are written: also by rows that are never
	// taken, which have a finding of their own. Rows from "*" lead from every state.
	next [][]int
	// onward is the same without the rows from "*" on failure, which are no way on.
	onward [][]int
	// anywhere marks the states from which every other one may be next: only the run tells, or a name is at fault and nobody
	// can guess what it means.
	anywhere []bool
	start    *hops.State
}

// addWorkMachines adds the machines of a workflow, in source order.
func (u *unit) addWorkMachines(a *ir.Agent, w *ir.Workflow) {
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		if m, isMachine := t.Do.(*ir.Machine); isMachine {
			x := newWorkMachine(a, t, m)
			u.workMachines = append(u.workMachines, x)
			u.workMachineOf[t] = x
		}
	})
}

func newWorkMachine(a *ir.Agent, t *ir.Task, m *ir.Machine) *workMachine {
	n := len(m.States)
	x := &workMachine{
		Machine: hops.Of(m), agent: a, task: t,
		names: make([]string, n), next: make([][]int, n), onward: make([][]int, n), anywhere: make([]bool, n),
	}
	for i, s := range m.States {
		x.names[i] = s.Name.Value
	}
	x.start = x.resolve(m.Initial)
	x.lead()

	return x
}

// lead finds what leads from state to state.
func (x *workMachine) lead() {
	g := &edges{machine: x, seen: map[[2]int]bool{}}
	for _, row := range x.Machine.Rows() {
		if from := x.StateOf(row.From.State); from != nil && !from.End && !hops.Stays(from.State, row) {
			g.add(from.Index, row.To)
		}
	}
	for _, s := range x.States {
		for _, ref := range s.State.Next {
			g.add(s.Index, ref)
		}
		x.anywhere[s.Index] = x.anywhere[s.Index] || s.NextOpen && !s.End
	}
	g.addAny(func(row *ir.Row) bool { return row.Key.Value != ir.OnFailure })
	for i, next := range x.next {
		x.onward[i] = slices.Clone(next)
	}
	g.addAny(func(row *ir.Row) bool { return row.Key.Value == ir.OnFailure })
}

// edges collects what leads from state to state, each way once.
type edges struct {
	machine *workMachine
	seen    map[[2]int]bool
}

func (g *edges) add(from int, ref ir.Ref) {
	x := g.machine
	to := x.resolve(ref)
	switch {
	case x.States[from].End:
	case to == nil:
		x.anywhere[from] = true
	case !g.seen[[2]int{from, to.Index}]:
		g.seen[[2]int{from, to.Index}] = true
		x.next[from] = append(x.next[from], to.Index)
	}
}

// addAny adds those rows from "*" which are wanted, each target once.
func (g *edges) addAny(wanted func(*ir.Row) bool) {
	targets := map[string]bool{}
	for _, row := range g.machine.Machine.Rows() {
		if !row.FromAny() || !wanted(row) || targets[row.To.Value] {
			continue
		}
		targets[row.To.Value] = true
		for i := range g.machine.States {
			g.add(i, row.To)
		}
	}
}

// resolve returns the state that ref names or most likely means; nil if nobody can say.
func (x *workMachine) resolve(ref ir.Ref) *hops.State {
	if ref.State != nil {
		return x.StateOf(ref.State)
	}
	near, ok := diag.Nearest(ref.Value, x.names)
	if !ok {
		return nil
	}
	for i, name := range x.names {
		if name == near {
			return x.States[i]
		}
	}

	return nil
}

// meant is resolve for the state itself.
func (x *workMachine) meant(ref ir.Ref) *ir.State {
	if s := x.resolve(ref); s != nil {
		return s.State
	}

	return nil
}

// reachable marks the states that something leads to from the start; all of them if nobody can say where that is.
func (x *workMachine) reachable() []bool {
	seen := make([]bool, len(x.States))
	if x.start == nil {
		markAll(seen)
		return seen
	}
	seen[x.start.Index] = true
	for queue := []int{x.start.Index}; len(queue) > 0; queue = queue[1:] {
		if x.anywhere[queue[0]] {
			markAll(seen)
			return seen
		}
		for _, to := range x.next[queue[0]] {
			if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}

	return seen
}

func markAll(marks []bool) {
	for i := range marks {
		marks[i] = true
	}
}

// name is what the machine is called.
func (x *workMachine) name() string { return x.task.Name.Value }
