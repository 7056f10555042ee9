package can

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// workRun follows facts through the steps of a workflow.
type workRun struct {
	*analysis
	*result
	agent *ir.Agent
	// failing are the facts at each point of the innermost steps, any of which may fail.
	failing facts
	depth   int
}

func (x *analysis) workflow(r *result, a *ir.Agent, node *ir.Flow, from fact) {
	w := &workRun{analysis: x, result: r, agent: a, failing: facts{}}
	in := facts{from: new(trace)}
	for name, t := range w.steps(node.Body, w.give(in, []fact{given})) {
		switch {
		case name.isOf(previous):
			r.exit("", value, t)
		case name == reached, name == memory, name == world, name.isOf(context):
			r.exit("", name, t)
		}
	}
}

// steps follows facts through the steps of a pipeline.
func (w *workRun) steps(p *ir.Pipeline, in facts) facts {
	for _, t := range p.Steps() {
		w.failing.addAll(in)
		in = w.task(t, in)
	}
	w.failing.addAll(in)

	return in
}

// inside follows facts through steps inside of a step. What they are given, and their item where it is not nil, has the names of what
// the steps around them have.
func (w *workRun) inside(in facts, read, items []fact, do func(facts) facts) facts {
	w.depth++
	defer func() { w.depth-- }()
	hide := func(name fact) fact { return fact(fmt.Sprintf("outer %d %s", w.depth, name)) }
	hidden := []fact{given}
	if items != nil {
		hidden = append(hidden, item)
	}
	inner := facts{}
	for name, t := range in {
		if slices.ContainsFunc(hidden, name.isOf) {
			name = hide(name)
		}
		inner[name] = t
	}
	inner.add(given, in.best(read))
	inner.add(item, in.best(items))
	out := facts{}
	for name, t := range do(w.give(inner, []fact{given})) {
		if slices.ContainsFunc(hidden, name.isOf) {
			continue
		}
		if rest, isHidden := strings.CutPrefix(string(name), string(hide(""))); isHidden {
			name = fact(rest)
		}
		out.add(name, t)
	}

	return w.gives(out, out.best([]fact{previous}))
}

// give makes what is read the output of the step before.
func (w *workRun) give(in facts, read []fact) facts { return in.write(previous, nil, in.best(read)) }

// best is the shortest path to one of the facts that what is read may hold; nil if it can hold no untrusted text.
func (f facts) best(read []fact) *trace {
	var best *trace
	for _, name := range sorted(f) {
		if t := f[name]; slices.ContainsFunc(read, name.touches) && (best == nil || t.length < best.length) {
			best = t
		}
	}

	return best
}

// write replaces a value. Only fields that can hold a text hold an untrusted one.
func (f facts) write(to fact, schema *ir.Schema, t *trace) facts {
	out := facts{}
	for name, known := range f {
		if !name.isOf(to) {
			out[name] = known
		}
	}
	for _, name := range fieldsOf(to, schema) {
		out.add(name, t)
	}

	return out
}

// task follows facts through a step, with its fallback.
func (w *workRun) task(t *ir.Task, in facts) facts {
	read := []fact{previous}
	if t.Input != nil {
		read = datumReads(t.Input)
	}
	around := w.failing
	w.failing = maps.Clone(in)
	try := func(in facts) facts { return w.written(t, w.work(t, in, read)) }
	var out facts
	if t.Retries > 0 {
		out = withStored(in, "a step is tried again", try)
	} else {
		out = try(in)
	}
	w.failing.addAll(out.stored("a step fails after it has stored the text"))
	if t.Fallback != nil {
		instead := w.task(t.Fallback, w.give(w.failing, read))
		out.addAll(w.written(t, w.gives(instead, instead.best([]fact{previous}))))
	}
	around.addAll(w.failing)
	w.failing = around

	return out
}

// written keeps the output of a step, which is the fact value.
func (w *workRun) written(t *ir.Task, in facts) facts {
	text, schema := in[value], t.Type.Schema
	if t.Fallback != nil {
		schema = nil
	}
	out := in.write(value, nil, nil).write(previous, schema, text).write(outputs.field(t.Name.Value), schema, text)
	for _, to := range t.Writes() {
		if copiedByImport(t, to) {
			continue
		}
		result := text
		if to.Value != nil {
			result = in.best(datumReads(to.Value))
		}
		out = out.intoContext(to, result)
	}

	return out
}

// intoContext writes something into the context.
func (f facts) intoContext(to ir.ContextWrite, text *trace) facts {
	out := maps.Clone(f)
	switch {
	case to.Path == nil:
		out.add(context, text)
	case len(to.Path.Path) == 0:
		for _, name := range mergedFields(to.Schema) {
			out.add(name, text)
		}
	case len(to.Path.Path) == 1 && !to.Merge:
		return f.write(context.field(to.Path.Path[0].Value), to.Schema, text)
	default:
		out.add(context.field(to.Path.Path[0].Value), text)
	}

	return out
}

// work follows facts through what a step does, which is given what is read; its output is the fact value.
func (w *workRun) work(t *ir.Task, in facts, read []fact) facts {
	switch do := t.Do.(type) {
	case *ir.Run:
		return w.run(do, in, read)
	case *ir.Import:
		return w.importWorkflow(t, do, in, read)
	case *ir.Ask:
		return w.ask(do, t, in, read)
	case *ir.UseFunc:
		return w.call(function(do.Func), t, in, append(datumReads(do.Params), read...))
	case *ir.UseBuiltin:
		return w.builtin(do, t, in, read)
	case *ir.Branch:
		if do.Func != nil {
			in = w.call(function(do.Func), t, in, read)
			delete(in, value)
		}
		return w.branches(t, in, read)
	case *ir.Parallel:
		return w.branches(t, in, read)
	case *ir.Loop:
		if do.Each() {
			return w.each(do, in)
		}
		return w.repeat(do, t, in, read)
	case *ir.Machine:
		return w.inside(in, read, nil, func(in facts) facts { return w.machine(do, t, in) })
	case *ir.PassOn, nil:
		return w.gives(in, in.best(read))
	case *ir.Return:
	}

	panic(notFollowed(t.Do))
}

// notFollowed is the fault of a part of the language of which it is not known here what comes of texts in it: it must not be harmless.
func notFollowed(part any) string { return fmt.Sprintf("can: %T is not followed", part) }

// gives makes a text the output of a step.
func (*workRun) gives(in facts, text *trace) facts {
	out := maps.Clone(in)
	out.add(value, text)

	return out
}

// run runs a conversation or an agent. The prompt of a conversation may have placeholders.
func (w *workRun) run(do *ir.Run, in facts, read []fact) facts {
	if do.Step != nil && do.Step.Template != nil {
		read = append(partReads(do.Step.Template.Parts), read...)
	}
	out := facts{}
	w.outcomes(in, read, w.runner(w.agent, do), func(name fact, t *trace) {
		if name != failure && !name.isOf(context) { // an agent has a context of its own
			out.add(name, t)
		}
	}, out.add)

	return out
}

// ask waits for a person, whose answer is trusted, and so is what the question shows from then on.
func (w *workRun) ask(do *ir.Ask, t *ir.Task, in facts, read []fact) facts {
	seen := read
	switch {
	case do.Message != nil:
		seen = shown(do.Message.Parts)
	case t.Input != nil && t.Input.Text != nil:
		seen = shown(t.Input.Text.Parts)
	case t.Input != nil:
		seen = nil
	}

	return w.asks(w.agent.Name.Value+"/"+t.Name.Value, do, in, func(name fact) bool {
		return slices.ContainsFunc(seen, name.isOf) || in.sameAs(name, seen)
	})
}

// sameAs reports whether a fact is about the output of the step before, of which a value that is seen is another name.
func (f facts) sameAs(name fact, seen []fact) bool {
	for other, t := range f {
		if t != f[name] || !slices.ContainsFunc(seen, other.isOf) {
			continue
		}
		if name.alias() == other.alias() {
			return true
		}
	}

	return false
}

// alias is what is the same of a field of the output of the step before and of that of the step by name.
func (f fact) alias() string {
	parts := strings.Split(string(f), separator)
	switch {
	case f.isOf(previous):
		return strings.Join(parts[1:], separator)
	case f.isOf(outputs) && len(parts) > 1:
		return strings.Join(parts[2:], separator)
	}

	return "none " + string(f)
}

// call calls a function, or a tool, with what is read.
func (w *workRun) call(t tool, task *ir.Task, in facts, read []fact) facts {
	name := w.agent.Name.Value + "/" + task.Name.Value
	made := func(at *trace, source string, bad bool) *trace {
		return at.then(Step{
			Do: "call", Agent: name, Calls: []Call{{Tool: t.name, Source: source, Bad: bad, tool: t}},
			Given: bad, Gives: bad && t.source != "" || source != "",
		})
	}
	t.at = task.Name
	out := facts{}
	for name, at := range in {
		out[name] = made(at, "", false)
	}
	source := func(at *trace) {
		if at != nil && t.source != "" {
			out.add(value, made(at, t.source, false))
		}
	}
	if w.untrusted[t.source] {
		source(in[reached])
	}
	source(in[world])
	if at := in[reached]; at != nil && w.all {
		w.result.call(call{use{name, t.name}, made(at, "", false), t})
	}
	at := in.best(read)
	if at == nil {
		return out
	}
	bad := made(at, "", true)
	w.result.call(call{use{name, t.name}, bad, t})
	if t.changes {
		out.add(world, bad)
	}
	if t.source != "" {
		out.add(value, bad)
	}

	return out
}

// builtin does a builtin step: a tool, or what computes a value of others.
func (w *workRun) builtin(do *ir.UseBuiltin, t *ir.Task, in facts, read []fact) facts {
	step, _ := builtin.StepByName(do.Builtin)
	data := do.Data
	if slices.ContainsFunc(do.Args, func(arg ir.DatumField) bool { return arg.Name.Value == data }) {
		read = nil // then what the step is given is not used
	}
	read = append(read, ir.Flat(do.Args, fieldReads)...)
	if step.Tool != "" {
		return w.call(builtinTool(step.Tool), t, in, read)
	}
	if do.Context == ir.ContextRead {
		read = append(read, pathReads(do.Path)...)
	}

	return w.gives(in, in.best(read))
}

// branches follows facts through branches of which one runs, or which all run side by side.
func (w *workRun) branches(t *ir.Task, in facts, read []fact) facts {
	do, isParallel := t.Do.(*ir.Parallel)
	run := func(in facts) facts {
		out := facts{}
		for i, p := range t.Pipelines() {
			taken := in.with(w.chosen(t, i))
			behind := w.inside(taken, read, nil, func(in facts) facts { return w.steps(p, in) })
			if isParallel {
				behind = joined(do, i, taken, behind)
			}
			out.addAll(behind)
		}
		return out
	}
	if isParallel {
		return withStored(in, besideReason, run)
	}

	return run(in)
}

// joined returns the facts behind a branch that runs beside others: those about its context come back as the step says, and what it does
// not bring back is still what it was before.
func joined(do *ir.Parallel, branch int, in, behind facts) facts {
	arm := do.Branches[branch]
	brings := func(name fact) bool {
		within := func(path *ir.ContextPath) bool { return name.touches(pathReads(path)[0]) }
		return do.Merge != ir.MergeNone && (!arm.Only || slices.ContainsFunc(arm.Fields, within))
	}
	out := facts{}
	for name, t := range behind {
		if !name.isOf(context) || brings(name) {
			out.add(name, t)
		}
	}
	for name, t := range in {
		isLeft := do.Failed == ir.FailureIgnored || name.isOf(context) && (do.Merge == ir.MergeNone || arm.Only)
		if isLeft && out[name] == nil && name != previous {
			out.add(name, t)
		}
	}
	isOutput := do.Reduce != ir.ReduceFirst && do.Reduce != ir.ReduceLast ||
		do.Reduce == ir.ReduceFirst && branch == 0 || do.Reduce == ir.ReduceLast && branch == len(do.Branches)-1
	if do.Failed != ir.FailureIgnored && !isOutput {
		delete(out, value) // the output is that of another branch
	}

	return out
}

// chosen is the choice of a branch, or the begin of one of several that run side by side.
func (w *workRun) chosen(t *ir.Task, branch int) Step {
	s := Step{Do: "choose", Agent: w.agent.Name.Value + "/" + t.Name.Value, Branch: branch + 1}
	do, one := t.Do.(*ir.Branch)
	switch {
	case !one:
		s.beside = true
		return s
	case do.Key == nil || do.Key.Root == nil:
		s.open = "a branch is chosen"
		return s
	}
	conditions := ir.Map(do.Branches, func(arm *ir.Arm) ir.Expression { return interp.Takes(do.Key.Root, arm.Name.Value) })

	return w.way(s, "a branch is chosen", conditions, branch)
}

// exits is what lets a run leave a loop, with number 0, or go on in it, with 1.
func (w *workRun) exits(do *ir.Loop, number int) Step {
	finish := Step{Do: "finish"}
	if do.Exit == nil || do.Exit.Root == nil {
		finish.open = "a function decides"
		return finish
	}
	return w.way(finish, "an expression decides", []ir.Expression{do.Exit.Root}, number)
}

// repeat repeats steps. Each round is given the output of the one before.
func (w *workRun) repeat(do *ir.Loop, t *ir.Task, in facts, read []fact) facts {
	out := facts{}
	for round := 0; round < do.Max; round++ {
		in = w.inside(in, read, nil, func(in facts) facts {
			in = w.steps(do.Body, in)
			if do.Func != nil {
				in = w.call(function(do.Func), t, in, []fact{previous})
				delete(in, value)
			}
			return in
		})
		before := len(out)
		out.addAll(in.with(w.exits(do, 0)))
		if len(out) == before {
			break
		}
		in = in.with(w.exits(do, 1))
		in, read = in.write(previous, nil, in[value]).write(value, nil, nil), []fact{previous}
	}

	return out
}

// each goes through a list of the context.
func (w *workRun) each(do *ir.Loop, in facts) facts {
	out := maps.Clone(in)
	items := pathReads(do.Items())
	for before := -1; before < len(out); {
		before = len(out)
		in = w.inside(in, items, items, func(in facts) facts { return w.steps(do.Body, in) })
		out.addAll(in)
		in = in.write(value, nil, nil)
	}
	if do.Result == nil {
		return out
	}
	list := out.write(previous, nil, out[value])

	return w.gives(out.write(value, nil, nil), list.best(datumReads(do.Result)))
}

// machine follows facts through a machine, each of whose states is given what the machine is given.
func (w *workRun) machine(m *ir.Machine, t *ir.Task, in facts) facts {
	machine := w.facts.Machine(m)
	if machine == nil || machine.Start == nil || machine.Start.End {
		return in
	}
	around := w.failing
	defer func() { w.failing = around }()
	out := facts{}
	begin := in.write(previous, nil, nil)
	states(machine, w.agent.Name.Value+"/"+t.Name.Value, begin, func(at spot, begin *trace, enter func(spot, *trace)) {
		w.failing = facts{}
		behind := w.steps(at.state.Body, w.give(facts{at.fact: begin}, []fact{given}))
		w.moves(machine, at.state, behind, func(to *flow.State, name fact, t *trace) {
			switch {
			case to.End:
				out.add(name, t)
			case !name.isOf(previous):
				enter(spot{to, name}, t)
			}
		})
		if at.state.Stops {
			for _, name := range sorted(behind) {
				out.add(name, behind[name].then(Step{Do: "finish"}))
			}
		}
		around.addAll(w.failing)
	})

	return out
}

// moves follows the rows of a state. Where its steps fail, or are left for the answer of a person, some of them have not run.
func (w *workRun) moves(machine *flow.Machine, s *flow.State, behind facts, enter func(*flow.State, fact, *trace)) {
	for _, move := range s.Moves {
		if move.Dead != flow.Alive || move.Row != nil && interp.Stays(s.State, move.Row) {
			continue
		}
		from, finish := behind, Step{Do: "finish"}
		if move.Row != nil {
			if !w.passes(move.Row, &finish) {
				continue
			}
			if move.Row.Key.Value != ir.OnSuccess {
				from, finish.open = w.failing, "steps fail"
			} else {
				tried := s.TriedOn(ir.OnSuccess)
				conditions := ir.Map(tried, func(row *ir.Row) ir.Expression { return interp.Condition(row.When) })
				finish = w.way(finish, "a guard decides", conditions, slices.Index(tried, move.Row))
			}
		}
		next := []*flow.State{move.To}
		if move.To == nil {
			next = machine.States
		}
		for _, name := range sorted(from) {
			for _, to := range next {
				enter(to, name, from[name].then(finish))
			}
		}
	}
	for _, to := range machine.States {
		for _, name := range sorted(behind) {
			if s.Anywhere {
				enter(to, name, behind[name].then(Step{Do: "finish", open: "only the run decides what follows"}))
			}
		}
	}
}
