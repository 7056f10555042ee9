package emit

import "github.com/agentc-dev/agentc/gen/internal/ir"

// statePlace is a state of a machine; zero outside of machines.
type statePlace struct {
	machine *machine
	state   *ir.State
}

// reads are the outputs of steps that expressions read.
type reads struct {
	// values are the outputs that are read after the next step has begun, typed the outputs whose
	// Go type is used.
	values, typed map[*ir.Output]bool
	// items are the items of maps whose struct is used.
	items map[*mapItem]bool
	// all is set if the object of all outputs is read.
	all bool
}

func newReads() reads {
	return reads{values: map[*ir.Output]bool{}, typed: map[*ir.Output]bool{}, items: map[*mapItem]bool{}}
}

// isKept reports whether an output is kept for later steps.
func (r *reads) isKept(o *ir.Output) bool { return r.typed[o] || r.values[o] || r.all }

// scanPipeline finds the machines, the places and the reads of a pipeline.
func (w *workflow) scanPipeline(p *ir.Pipeline) {
	var previous *ir.Output
	for _, task := range w.runnableTasks(p) {
		switch task.Part {
		case ir.PartTurn: // it has no statements
		case ir.PartState:
			w.scanTask(p, task, previous)
			w.reads.typed[task.Output] = true
		default:
			w.scanTask(p, task, previous)
			previous = task.Output
		}
	}
}

// scanTask finds them in a step, in its pipelines and in its fallback. The output of the previous
// step is previous.
func (w *workflow) scanTask(p *ir.Pipeline, task *ir.Task, previous *ir.Output) {
	task.WalkInputs(w.readsAfter(p, previous))
	switch do := task.Do.(type) {
	case *ir.Run:
		if do.History != nil {
			w.reads.values[do.History] = true
		}
	case *ir.Machine:
		w.scanMachine(w.newStepMachine(p, task, do))
	case *ir.Loop:
		do.Exit.Walk(w.readsAfter(p, outputOfTurn(do)))
		do.Result.Walk(w.readsAfter(p, task.Output))
		item := w.items[p]
		if do.IsForEach() {
			item = w.mapItemOf(p, task, do)
		}
		w.scanBodies([]*ir.Pipeline{do.Body}, w.places[p], item)
	default:
		w.scanBodies(task.Pipelines(), w.places[p], w.items[p])
	}
	if task.Fallback != nil {
		w.scanTask(p, task.Fallback, previous)
	}
}

// scanMachine finds them in a machine. Its guards are evaluated after all steps of a state.
func (w *workflow) scanMachine(m *machine) {
	w.machines = append(w.machines, m)
	for _, guard := range m.ir.Guards() {
		guard.Formula.Walk(w.readsAfter(m.at, nil))
	}
	for _, s := range m.ir.States {
		if hasRunnableSteps(s) {
			w.scanBodies([]*ir.Pipeline{s.Body}, statePlace{m, s}, w.items[m.at])
		}
	}
}

// scanBodies finds them in pipelines of a step at a place, in the body of a map with an item.
func (w *workflow) scanBodies(bodies []*ir.Pipeline, at statePlace, item *mapItem) {
	for _, body := range bodies {
		w.places[body], w.items[body] = at, item
		w.scanPipeline(body)
	}
}

// outputOfTurn returns the output that a variable has where the exit of a loop is tested: that of
// the last step of the body. It is nil without steps, and where the exit is tested before them.
func outputOfTurn(do *ir.Loop) *ir.Output {
	if last := do.Body.LastTasks(); last != nil && !do.ExitFirst {
		return last[0].Output
	}

	return nil
}

// readsAfter returns a function that records an access of an expression in a pipeline. The output
// of the step before the expression, if it is not nil, is in a variable there.
func (w *workflow) readsAfter(p *ir.Pipeline, previous *ir.Output) func(*ir.Access) {
	at := view{w: w, item: w.items[p]}

	return func(x *ir.Access) {
		switch {
		case x.Root == ir.RootSteps:
			w.reads.all = true
		case x.Root == ir.RootAtBound:
			w.reads.values[x.Output] = true
		case x.Root == ir.RootThis && at.fieldAt(x).form != formOther:
			w.reads.items[at.item] = true
		case x.Root != ir.RootStep:
		case at.fieldAt(x).form != formOther:
			w.reads.typed[x.Output] = true
		case x.Output != previous:
			w.reads.values[x.Output] = true
		}
	}
}

// runnableTasks returns the steps of a pipeline that can run.
func (w *workflow) runnableTasks(p *ir.Pipeline) []*ir.Task {
	for i, task := range p.Tasks {
		if w.alwaysLeaves(p, task) {
			return p.Tasks[:i+1]
		}
	}

	return p.Tasks
}

// alwaysLeaves reports whether a step is the last one that runs in its state, because a person's
// answer leads to another state.
func (w *workflow) alwaysLeaves(p *ir.Pipeline, t *ir.Task) bool {
	rows := w.rowsOnAnswer(p, t)

	return rows != nil && rows[0].When == nil && rows[0].To.State != w.places[p].state
}

// rowsOnAnswer returns the rows that a person's answer to a step can take; nil for other steps.
func (w *workflow) rowsOnAnswer(p *ir.Pipeline, t *ir.Task) []*ir.Row {
	_, asks := t.Do.(*ir.Ask)
	at := w.places[p]
	if !asks || at.machine == nil {
		return nil
	}

	return at.machine.ir.RowsOn(at.state, ir.OnPause)
}
