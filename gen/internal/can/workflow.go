package can

import (
	"cmp"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// workTexts is the domain of facts in a workflow. Each fact is derived from one other fact. So a
// block is analyzed once for each fact that is true at its beginning and that its steps touch, and
// the paths inside of it begin there.
type workTexts struct {
	texts
	// inputs are the declared inputs of tasks, and of their fallbacks.
	inputs map[*ir.Task]*ir.Datum
	// touched are the values that blocks touch, and named the outputs of steps that some step reads
	// by name.
	touched map[*ir.Pipeline]*touched
	named   *touched
	// rules are how fields of the context combine values.
	rules ir.FieldRules
}

// analyzeWorkflow follows facts through a workflow.
func (x *analysis) analyzeWorkflow(r *result, a *ir.Agent, node *ir.Flow, in facts) {
	in.addFact(previousFact, in[givenFact])
	ends := x.interpreterOf(a, node).RunPipeline(node.Body, in)
	for name, t := range ends.Done {
		switch {
		case name.isPartOf(previousFact):
			r.addExit("", valueFact, t)
		case name == reachedFact, name == memoryFact, name == worldFact, name.isPartOf(contextFact):
			r.addExit("", name, t)
		}
	}
	r.addNoted(ends)
}

// interpreterOf returns the interpreter of a workflow, which keeps the summaries of its blocks for
// all facts.
func (x *analysis) interpreterOf(a *ir.Agent, node *ir.Flow) *interp.Interp[facts] {
	if known := x.interpreters[a]; known != nil {
		return known
	}
	w := &workTexts{texts: texts{x, a}, inputs: map[*ir.Task]*ir.Datum{}, touched: map[*ir.Pipeline]*touched{}, named: newTouched(), rules: node.Context.FieldRules()}
	ir.WalkTasks(node.Body, func(t *ir.Task) { // a task before its fallback
		w.inputs[t] = cmp.Or(t.Input, w.inputs[t])
		if fallback := t.FailureFallback(); fallback != nil && !t.ForTimeout {
			w.inputs[fallback] = w.inputs[t]
		}
		t.WalkOwnReads(func(access *ir.Access) { w.named.addValues(accessReads(access)...) })
	})
	x.interpreters[a] = interp.New(w, interp.Config{IsPossible: w.isPossible})

	return x.interpreters[a]
}

// Advance continues with the facts that no round has begun with.
func (w *workTexts) Advance(p interp.Progress[facts]) interp.Step[facts] {
	fresh, all := w.Fresh(p.Seen, p.After)

	return interp.Step[facts]{Next: fresh, Seen: all}
}

// inputReads returns the values that the input of a task reads.
func (w *workTexts) inputReads(t *ir.Task) []fact {
	if input := w.inputs[t]; input != nil {
		return datumReads(input)
	}

	return []fact{previousFact}
}

// Give computes the input of a task, which is the argumentFact.
func (w *workTexts) Give(t *ir.Task, in facts) facts {
	out := in.withoutValues(argumentFact, valueFact)
	out.addFact(argumentFact, in.bestPath(w.inputReads(t)))

	return out
}

// Undo returns the facts before a task, and what its attempt has left outside of the workflow.
func (*workTexts) Undo(_ *ir.Task, begin, failed facts) facts {
	out := maps.Clone(begin)
	for _, name := range []fact{memoryFact, worldFact, failureFact} {
		out.addFact(name, failed[name])
	}

	return out
}

// Retry returns the facts at a retry or a fallback, which is given the same.
func (*workTexts) Retry(t *ir.Task, begin, failed facts) facts {
	kept := failed.withoutValues(argumentFact, valueFact)
	if t.Retries > 0 {
		kept = kept.withStep(Step{Do: "finish", openReason: "a step is tried again"})
	}
	out := maps.Clone(begin)
	out.addFacts(kept)

	return out
}

// Keep writes the output of a task, which is the valueFact.
func (w *workTexts) Keep(t *ir.Task, in facts) interp.Ends[facts] {
	text, schema := in[valueFact], t.Type.Schema
	if t.Fallback != nil {
		schema = nil
	}
	done := in.withoutValues(argumentFact).writeValue(previousFact, schema, text)
	if output := outputsFact.fieldFact(t.Name.Value); w.named.isTouched(output) {
		done = done.writeValue(output, schema, text)
	}
	for _, to := range t.ContextWrites() {
		if isCopiedByImport(t, to) {
			continue
		}
		result := text
		if to.Value != nil {
			result = in.bestPath(datumReads(to.Value))
		}
		done = done.writeContext(to, result, w.rules)
	}
	failed := in.withoutValues(valueFact)
	failed.addFacts(done.withoutValues(valueFact))
	failed.addFailure(text)
	ends := interp.Ends[facts]{Done: done, Failed: failed}
	if _, asks := t.Do.(*ir.Ask); asks {
		ends.Paused = done
	}

	return ends
}

// writeValue replaces a value. Only fields that can contain a text are untrusted.
func (f facts) writeValue(to fact, schema *ir.Schema, t *trace) facts {
	out := f.withoutValues(to)
	for _, name := range openFieldFacts(to, schema) {
		out.addFact(name, t)
	}

	return out
}

// writeContext writes a value to the context. A field with a rule may keep what it has.
func (f facts) writeContext(to ir.ContextWrite, text *trace, rules ir.FieldRules) facts {
	out := maps.Clone(f)
	isReplaced := to.Path != nil && len(to.Path.Path) == 1 && !to.Merge
	if isReplaced && !to.Replaces {
		isReplaced = rules.Of(ir.Values(to.Path.Path)).ReplacesValue()
	}
	switch {
	case to.Path == nil:
		out.addFact(contextFact, text)
	case len(to.Path.Path) == 0:
		for _, name := range mergedFields(to.Schema) {
			out.addFact(name, text)
		}
	case isReplaced:
		return f.writeValue(contextFact.fieldFact(to.Path.Path[0].Value), to.Schema, text)
	default:
		out.addFact(contextFact.fieldFact(to.Path.Path[0].Value), text)
	}

	return out
}

// Do follows facts through a task without inner steps. Its output is the valueFact. It may fail at
// any point.
func (w *workTexts) Do(t *ir.Task, in facts) interp.Ends[facts] {
	r := newResult()
	done := w.runOperation(r, t, in)
	ends := operationEnds(r, in, done)
	ends.Failed.addFailure(in.bestPath([]fact{argumentFact}))
	ends.Failed.addFailure(done[valueFact])
	if _, imports := t.Do.(*ir.Import); imports { // it may also fail after the first of several copied fields
		for name, at := range done {
			if name.isPartOf(contextFact) {
				ends.Failed.addFact(name, at.withStep(Step{Do: "finish", openReason: "an import fails"}))
			}
		}
	}

	return ends
}

// addFailure adds that the error of a failed step may quote a text.
func (f facts) addFailure(quoted *trace) {
	if quoted != nil {
		f.addFact(failureFact, quoted.withStep(Step{Do: "finish", openReason: "the error of a step quotes the text"}))
	}
}

// operationEnds returns the ends of an operation that begins with some facts, and if it ends well leaves
// others and calls.
func operationEnds(r *result, begin, done facts) interp.Ends[facts] {
	ends := interp.Ends[facts]{Done: done, Failed: maps.Clone(begin), Noted: callFacts(r)}
	ends.Failed.addFacts(done.storedFacts(failedReason))

	return ends
}

// runOperation follows facts through the operation of a task.
func (w *workTexts) runOperation(r *result, t *ir.Task, in facts) facts {
	switch do := t.Do.(type) {
	case *ir.Run:
		return w.runStep(r, do, in)
	case *ir.Import:
		return w.importWorkflow(r, t, do, in)
	case *ir.Ask:
		return w.askQuestion(do, t, in)
	case *ir.UseFunc:
		out, text := w.callTool(r, functionTool(do.Func), t, in, slices.Concat(datumReads(do.Params), datumReads(do.Fields), []fact{argumentFact}))
		return out.withOutput(text)
	case *ir.UseBuiltin:
		return w.runBuiltin(r, do, t, in)
	case *ir.PassOn, *ir.Receive, nil:
		return in.withOutput(in[argumentFact])
	case *ir.Branch, *ir.Loop, *ir.Parallel, *ir.Machine: // they have inner steps
	case *ir.Return: // not in workflows
	}

	panic(unsupportedMessage(t.Do))
}

// withOutput makes a text the output of a step.
func (f facts) withOutput(text *trace) facts {
	out := maps.Clone(f)
	out.addFact(valueFact, text)

	return out
}

// runStep runs a conversation or an agent. The prompt of a conversation may have placeholders.
func (w *workTexts) runStep(r *result, do *ir.Run, in facts) facts {
	read := []fact{argumentFact}
	if do.Step != nil && do.Step.Template != nil {
		read = append(read, partReads(do.Step.Template.Parts)...)
	}
	if history := do.HistoryAccess(); history != nil {
		read = append(read, accessReads(history)...)
	}
	out := facts{}
	r.followFacts(in, read, w.operationRunner(w.agent, do), func(name fact, t *trace) {
		if name != failureFact && !name.isPartOf(contextFact) { // an agent has its own context
			out.addFact(name, t)
		}
	}, out.addFact)
	if history := do.HistoryAccess(); history != nil {
		remembered := accessReads(history)[0]
		out.addFact(remembered, in[argumentFact])
		out.addFact(remembered, out[valueFact])
	}

	return out
}

// askQuestion waits for a person, whose answer is trusted. What the question shows is then trusted,
// too.
func (w *workTexts) askQuestion(do *ir.Ask, t *ir.Task, in facts) facts {
	seen, input := w.inputReads(t), w.inputs[t]
	switch {
	case do.Message != nil:
		seen = shownValues(do.Message.Parts)
	case input != nil && input.Text != nil:
		seen = shownValues(input.Text.Parts)
	case input != nil:
		seen = nil
	}

	return w.askPerson(w.taskName(t), do, in, func(name fact) bool {
		return slices.ContainsFunc(seen, name.isPartOf) || in.isSameOutput(name, seen)
	})
}

// isSameOutput reports whether a fact is about the previous output, for which a seen value is
// another name.
func (f facts) isSameOutput(name fact, seen []fact) bool {
	for other, t := range f {
		isSeen := t == f[name] && slices.ContainsFunc(seen, other.isPartOf)
		if isSeen && name.isSameOutput(other) {
			return true
		}
	}

	return false
}

// Decide calls the function that decides a conditional or a loop. Its result is not an output of a
// step.
func (w *workTexts) Decide(t *ir.Task, in facts) interp.Ends[facts] {
	r := newResult()
	var done facts
	switch do := t.Do.(type) {
	case *ir.Branch:
		done, _ = w.callTool(r, functionTool(do.Func), t, in, []fact{argumentFact})
	case *ir.Loop:
		done, _ = w.callTool(r, functionTool(do.Func), t, in, []fact{valueFact})
	default:
		panic(unsupportedMessage(t.Do))
	}

	return operationEnds(r, in, done)
}

// callTool calls a function, or a tool, with arguments that read some values. It returns the facts
// after the call, and the text of its result.
func (w *workTexts) callTool(r *result, t tool, task *ir.Task, in facts, read []fact) (out facts, text *trace) {
	name := w.taskName(task)
	t.at = task.Name
	made := func(at *trace, source string, bad bool) *trace {
		return at.withStep(Step{
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
			texts.addFact(valueFact, made(at, t.source, false))
		}
	}
	if w.untrusted[t.source] {
		source(in[reachedFact])
	}
	source(in[worldFact])
	if at := in[reachedFact]; at != nil && w.countsAllCalls {
		r.addCall(reachedCall{toolUse{name, t.name}, made(at, "", false), t})
	}
	if at := in.bestPath(read); at != nil {
		bad := made(at, "", true)
		r.addCall(reachedCall{toolUse{name, t.name}, bad, t})
		if t.changesWorld {
			out.addFact(worldFact, bad)
		}
		if t.source != "" {
			texts.addFact(valueFact, bad)
		}
	}

	return out, texts[valueFact]
}

// runBuiltin runs a builtin step: a tool, or a computation of values.
func (w *workTexts) runBuiltin(r *result, do *ir.UseBuiltin, t *ir.Task, in facts) facts {
	step, _ := builtin.StepByName(do.Builtin)
	read := ir.FlatMap(do.Args, fieldReads)
	if ir.FieldOf(do.Args, do.Data) == nil { // otherwise the input of the step is not used
		read = append(read, argumentFact)
	}
	if step.Tool != "" {
		out, text := w.callTool(r, builtinTool(step.Tool), t, in, read)
		return out.withOutput(text)
	}
	if do.Context == ir.ContextRead {
		read = append(read, pathReads(do.Path)...)
	}

	return in.withOutput(in.bestPath(read))
}
