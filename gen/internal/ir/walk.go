package ir

// Body returns the tasks of a flow or a workflow. Any other agent has none.
func (a *Agent) Body() []Op {
	switch n := a.Node.(type) {
	case *Flow:
		return n.Body.Ops()
	}

	return nil
}

// Walk calls visit for each operation of a body in source order, a parent before its children. The
// operation of a task and its fallback are children of the task.
func Walk(body []Op, visit func(Op)) {
	for _, op := range body {
		visit(op)
		Walk(children(op), visit)
	}
}

// children returns the operations that an operation runs itself.
func children(op Op) []Op {
	if t, isTask := op.(*Task); isTask {
		return t.children()
	}

	return FlatMap(pipelinesOf(op), (*Pipeline).Ops)
}

func (t *Task) children() []Op {
	var parts []Op
	if t.Do != nil {
		parts = append(parts, t.Do)
	}
	if t.Fallback != nil {
		parts = append(parts, t.Fallback)
	}

	return parts
}

// Ops returns the tasks of a pipeline as operations. A nil pipeline has none.
func (p *Pipeline) Ops() []Op {
	if p == nil {
		return nil
	}

	return Map(p.Tasks, func(t *Task) Op { return t })
}

// Fold computes a value for each task of a pipeline, innermost first. compute receives an operation
// and the values of its children, in source order.
func Fold[T any](p *Pipeline, compute func(op Op, inside []T) T) []T {
	return fold(p.Ops(), compute)
}

func fold[T any](ops []Op, compute func(op Op, inside []T) T) []T {
	return Map(ops, func(op Op) T { return compute(op, fold(children(op), compute)) })
}

// OpsOf returns the operations of a kind in a body, in the order of [Walk].
func OpsOf[T Op](body []Op) (ops []T) {
	Walk(body, func(op Op) {
		if of, is := op.(T); is {
			ops = append(ops, of)
		}
	})

	return ops
}

// WalkTasks calls visit for each task of a pipeline, in the order of [Walk].
func WalkTasks(body *Pipeline, visit func(*Task)) {
	for _, t := range OpsOf[*Task](body.Ops()) {
		visit(t)
	}
}

// WalkPipelines calls visit for the pipeline and for each one inside of it, including fallbacks, a
// parent before the pipelines in its tasks.
func WalkPipelines(body *Pipeline, visit func(*Pipeline)) {
	if body == nil {
		return
	}
	visit(body)
	Walk(body.Ops(), func(op Op) {
		for _, p := range pipelinesOf(op) {
			if p != nil {
				visit(p)
			}
		}
	})
}

// Pipelines returns the pipelines that the task itself runs, in source order.
func (t *Task) Pipelines() []*Pipeline { return pipelinesOf(t.Do) }

func pipelinesOf(op Op) []*Pipeline {
	var pipelines []*Pipeline
	switch do := op.(type) {
	case *Branch:
		pipelines = armBodies(do.Branches)
		if do.Default != nil {
			pipelines = append(pipelines, do.Default)
		}
	case *Loop:
		pipelines = append(pipelines, do.Body)
	case *Parallel:
		pipelines = armBodies(do.Branches)
	case *Machine:
		pipelines = Map(do.States, func(s *State) *Pipeline { return s.Body })
	case *Run, *PassOn, *Receive, *UseFunc, *UseBuiltin, *Import, *Ask, *Return: // no pipelines
	}

	return pipelines
}

func armBodies(arms []*Arm) []*Pipeline {
	return Map(arms, func(arm *Arm) *Pipeline { return arm.Body })
}
