package can

import (
	"cmp"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// workTexts is the domain that follows facts through the steps of a workflow. Each fact is derived
// from one other fact: so a block is looked at once for each fact that is true where it begins and
// that its steps touch, and the paths inside of it begin there.
type workTexts struct {
	texts
	// inputs are what tasks are given that say so, or that are fallbacks of such a task.
	inputs map[*ir.Task]*ir.Datum
	// touched are the values that blocks touch, and named are the outputs of steps that some step
	// reads by name.
	touched map[*ir.Pipeline]*touched
	named   *touched
}

// workflow follows facts through a workflow.
func (x *analysis) workflow(r *result, a *ir.Agent, node *ir.Flow, in facts) {
	in.add(previous, in[given])
	ends := x.driverOf(a, node).Pipeline(node.Body, in)
	for name, t := range ends.Done {
		switch {
		case name.isOf(previous):
			r.exit("", value, t)
		case name == reached, name == memory, name == world, name.isOf(context):
			r.exit("", name, t)
		}
	}
	r.note(ends)
}

// driverOf returns the interpreter of a workflow, which keeps what comes of its blocks for all
// facts.
func (x *analysis) driverOf(a *ir.Agent, node *ir.Flow) *interp.Interp[facts] {
	if known := x.drivers[a]; known != nil {
		return known
	}
	w := &workTexts{texts: texts{x, a}, inputs: map[*ir.Task]*ir.Datum{}, touched: map[*ir.Pipeline]*touched{}, named: newTouched()}
	ir.WalkTasks(node.Body, func(t *ir.Task) { // a task before its fallback
		w.inputs[t] = cmp.Or(t.Input, w.inputs[t])
		if t.Fallback != nil {
			w.inputs[t.Fallback] = w.inputs[t]
		}
		t.WalkOwnReads(func(access *ir.Access) { w.named.add(accessReads(access)...) })
	})
	x.drivers[a] = interp.New(w, interp.Config{IsPossible: w.isPossible})

	return x.drivers[a]
}

// Advance goes on with the facts with which no round has begun.
func (w *workTexts) Advance(p interp.Progress[facts]) interp.Step[facts] {
	fresh, all := w.Fresh(p.Seen, p.After)

	return interp.Step[facts]{Next: fresh, Seen: all}
}

// reads are the values that are read in what a task is given.
func (w *workTexts) reads(t *ir.Task) []fact {
	if input := w.inputs[t]; input != nil {
		return datumReads(input)
	}

	return []fact{previous}
}

// Give computes what a task is given: the fact argument.
func (w *workTexts) Give(t *ir.Task, in facts) facts {
	out := in.without(argument, value)
	out.add(argument, in.best(w.reads(t)))

	return out
}

// Retry returns the facts with which a task begins again, or its fallback does: what steps inside
// of it have written is undone.
func (*workTexts) Retry(t *ir.Task, begin, failed facts) facts {
	kept := failed.without(argument, value)
	if len(t.Pipelines()) > 0 {
		kept = facts{}
		for _, name := range []fact{memory, world} {
			kept.add(name, failed[name])
		}
	}
	if t.Retries > 0 {
		kept = kept.with(Step{Do: "finish", open: "a step is tried again"})
	}
	out := maps.Clone(begin)
	out.addAll(kept)

	return out
}

// Keep writes the output of a task, which is the fact value.
func (w *workTexts) Keep(t *ir.Task, in facts) interp.Ends[facts] {
	text, schema := in[value], t.Type.Schema
	if t.Fallback != nil {
		schema = nil
	}
	done := in.without(argument).write(previous, schema, text)
	if output := outputs.member(t.Name.Value); w.named.isTouched(output) {
		done = done.write(output, schema, text)
	}
	for _, to := range t.ContextWrites() {
		if copiedByImport(t, to) {
			continue
		}
		result := text
		if to.Value != nil {
			result = in.best(datumReads(to.Value))
		}
		done = done.intoContext(to, result)
	}
	failed := in.without(value)
	failed.addAll(done.without(value))
	ends := interp.Ends[facts]{Done: done, Failed: failed}
	if _, asks := t.Do.(*ir.Ask); asks {
		ends.Paused = done
	}

	return ends
}

// write replaces a value. Only fields that can hold a text hold an untrusted one.
func (f facts) write(to fact, schema *ir.Schema, t *trace) facts {
	out := f.without(to)
	for _, name := range fieldsOf(to, schema) {
		out.add(name, t)
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
		return f.write(context.member(to.Path.Path[0].Value), to.Schema, text)
	default:
		out.add(context.member(to.Path.Path[0].Value), text)
	}

	return out
}

// Do follows facts through what a task does that has no steps inside; its output is the fact value.
// It may fail at any point.
func (w *workTexts) Do(t *ir.Task, in facts) interp.Ends[facts] {
	r := newResult()
	done := w.work(r, t, in)
	ends := ended(r, in, done)
	if _, imports := t.Do.(*ir.Import); imports { // it fails behind the first of several fields that it has copied, too
		for name, at := range done {
			if name.isOf(context) {
				ends.Failed.add(name, at.then(Step{Do: "finish", open: "an import fails"}))
			}
		}
	}

	return ends
}

// ended returns the ends of what begins with some facts, and leaves others and calls if it ends
// well.
func ended(r *result, begin, done facts) interp.Ends[facts] {
	ends := interp.Ends[facts]{Done: done, Failed: maps.Clone(begin), Noted: noted(r)}
	ends.Failed.addAll(done.stored(failedReason))

	return ends
}

// work follows facts through what a task does.
func (w *workTexts) work(r *result, t *ir.Task, in facts) facts {
	switch do := t.Do.(type) {
	case *ir.Run:
		return w.run(r, do, in)
	case *ir.Import:
		return w.importWorkflow(r, t, do, in)
	case *ir.Ask:
		return w.ask(do, t, in)
	case *ir.UseFunc:
		out, text := w.call(r, function(do.Func), t, in, append(datumReads(do.Params), argument))
		return out.gives(text)
	case *ir.UseBuiltin:
		return w.builtin(r, do, t, in)
	case *ir.PassOn, nil:
		return in.gives(in[argument])
	case *ir.Branch, *ir.Loop, *ir.Parallel, *ir.Machine: // they have steps inside
	case *ir.Return: // no workflow has one
	}

	panic(notFollowed(t.Do))
}

// gives makes a text the output of a step.
func (f facts) gives(text *trace) facts {
	out := maps.Clone(f)
	out.add(value, text)

	return out
}

// run runs a conversation or an agent. The prompt of a conversation may have placeholders.
func (w *workTexts) run(r *result, do *ir.Run, in facts) facts {
	read := []fact{argument}
	if do.Step != nil && do.Step.Template != nil {
		read = append(read, partReads(do.Step.Template.Parts)...)
	}
	out := facts{}
	r.outcomes(in, read, w.runner(w.agent, do), func(name fact, t *trace) {
		if name != failure && !name.isOf(context) { // an agent has a context of its own
			out.add(name, t)
		}
	}, out.add)

	return out
}

// ask waits for a person, whose answer is trusted, and so is what the question shows from then on.
func (w *workTexts) ask(do *ir.Ask, t *ir.Task, in facts) facts {
	seen, input := w.reads(t), w.inputs[t]
	switch {
	case do.Message != nil:
		seen = shown(do.Message.Parts)
	case input != nil && input.Text != nil:
		seen = shown(input.Text.Parts)
	case input != nil:
		seen = nil
	}

	return w.asks(w.nameOf(t), do, in, func(name fact) bool {
		return slices.ContainsFunc(seen, name.isOf) || in.sameAs(name, seen)
	})
}

// sameAs reports whether a fact is about the output of the step before, of which a value that is
// seen is another name.
func (f facts) sameAs(name fact, seen []fact) bool {
	for other, t := range f {
		isSeen := t == f[name] && slices.ContainsFunc(seen, other.isOf)
		if isSeen && name.isSameOutput(other) {
			return true
		}
	}

	return false
}

// Decide calls the function by which a conditional or a loop decides. Its answer is the output of
// no step.
func (w *workTexts) Decide(t *ir.Task, in facts) interp.Ends[facts] {
	r := newResult()
	var done facts
	switch do := t.Do.(type) {
	case *ir.Branch:
		done, _ = w.call(r, function(do.Func), t, in, []fact{argument})
	case *ir.Loop:
		done, _ = w.call(r, function(do.Func), t, in, []fact{value})
	default:
		panic(notFollowed(t.Do))
	}

	return ended(r, in, done)
}

// call calls a function, or a tool, with what is read. It returns the facts behind the call, and
// the text of its result.
func (w *workTexts) call(r *result, t tool, task *ir.Task, in facts, read []fact) (out facts, text *trace) {
	name := w.nameOf(task)
	t.at = task.Name
	made := func(at *trace, source string, bad bool) *trace {
		return at.then(Step{
			Do: "call", Agent: name, Calls: []Call{{Tool: t.name, Source: source, Bad: bad, tool: t}},
			Given: bad, Gives: bad && t.source != "" || source != "",
		})
	}
	out = facts{}
	for name, at := range in {
		out[name] = made(at, "", false)
	}
	texts := facts{}
	source := func(at *trace) {
		if at != nil && t.source != "" {
			texts.add(value, made(at, t.source, false))
		}
	}
	if w.untrusted[t.source] {
		source(in[reached])
	}
	source(in[world])
	if at := in[reached]; at != nil && w.all {
		r.call(call{use{name, t.name}, made(at, "", false), t})
	}
	if at := in.best(read); at != nil {
		bad := made(at, "", true)
		r.call(call{use{name, t.name}, bad, t})
		if t.changes {
			out.add(world, bad)
		}
		if t.source != "" {
			texts.add(value, bad)
		}
	}

	return out, texts[value]
}

// builtin does a builtin step: a tool, or what computes a value of others.
func (w *workTexts) builtin(r *result, do *ir.UseBuiltin, t *ir.Task, in facts) facts {
	step, _ := builtin.StepByName(do.Builtin)
	read := ir.FlatMap(do.Args, fieldReads)
	if ir.FieldOf(do.Args, do.Data) == nil { // else what the step is given is not used
		read = append(read, argument)
	}
	if step.Tool != "" {
		out, text := w.call(r, builtinTool(step.Tool), t, in, read)
		return out.gives(text)
	}
	if do.Context == ir.ContextRead {
		read = append(read, pathReads(do.Path)...)
	}

	return in.gives(in.best(read))
}
