package ir

// Body returns the tasks of a flow or a workflow; none of any other agent.
func (a *Agent) Body() []Op {
	switch n := a.Node.(type) {
	case *Flow:
		return n.Body.Ops()
	}

	return nil
}

// Walk calls visit for each operation of a body in source order, an operation before those inside of it. What a task does, and
// its fallback, are inside of the task.
func Walk(body []Op, visit func(Op)) {
	for _, op := range body {
		visit(op)
		Walk(inside(op), visit)
	}
}

// inside returns the operations that an operation does itself.
func inside(op Op) []Op {
	if t, isTask := op.(*Task); isTask {
		return t.parts()
	}

	return Flat(pipelinesOf(op), (*Pipeline).Ops)
}

func (t *Task) parts() []Op {
	var parts []Op
	if t.Do != nil {
		parts = append(parts, t.Do)
	}
	if t.Fallback != nil {
		parts = append(parts, t.Fallback)
	}

	return parts
}

// Ops returns the operations of a pipeline; none of nil.
func (p *Pipeline) Ops() []Op {
	if p == nil {
		return nil
	}

	return Map(p.Tasks, func(t *Task) Op { return t })
}

// Fold computes something of each task of a pipeline, innermost first: of is given an operation and what it returned for the
// operations inside of that, in source order.
func Fold[T any](p *Pipeline, of func(op Op, inside []T) T) []T {
	return fold(p.Ops(), of)
}

func fold[T any](ops []Op, of func(op Op, inside []T) T) []T {
	return Map(ops, func(op Op) T { return of(op, fold(inside(op), of)) })
}

// OpsOf returns the operations of a kind that are in a body, as [Walk] visits them.
func OpsOf[T Op](body []Op) (ops []T) {
	Walk(body, func(op Op) {
		if of, is := op.(T); is {
			ops = append(ops, of)
		}
	})

	return ops
}

// WalkTasks calls visit for each task of a pipeline, as [Walk] does.
func WalkTasks(body *Pipeline, visit func(*Task)) {
	for _, t := range OpsOf[*Task](body.Ops()) {
		visit(t)
	}
}

// WalkPipelines calls visit for the pipeline and for each one inside of it, those of fallbacks included, a pipeline before those in
// its tasks.
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
	var inside []*Pipeline
	switch do := op.(type) {
	case *Branch:
		inside = bodies(do.Branches)
		if do.Default != nil {
			inside = append(inside, do.Default)
		}
	case *Loop:
		inside = append(inside, do.Body)
	case *Parallel:
		inside = bodies(do.Branches)
	case *Machine:
		inside = Map(do.States, func(s *State) *Pipeline { return s.Body })
	case *Run, *PassOn, *UseFunc, *UseBuiltin, *Import, *Ask, *Return: // no pipelines
	}

	return inside
}

func bodies(arms []*Arm) []*Pipeline {
	return Map(arms, func(arm *Arm) *Pipeline { return arm.Body })
}
