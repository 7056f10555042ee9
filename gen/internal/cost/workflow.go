package cost

import (
	"cmp"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// defaultResultMax bounds the result of a tool, in bytes.
const defaultResultMax = 4_000_000

// workCosts is the domain of the sizes of values in a workflow, and of its spending.
type workCosts struct {
	*analysis
	agent *ir.Agent
	flow  *ir.Flow
	// isEntry is set if the caller chooses the initial context, and so the initial state of the
	// first machine.
	isEntry bool
	// isFallback has the fallbacks of tasks.
	isFallback map[*ir.Task]bool
	machines   map[*ir.Machine]*machineCosts
}

// The interpreter finds optional methods by a type assertion. The compiler checks them here.
var (
	_ interp.Settler[*runs]      = (*workCosts)(nil)
	_ interp.Extrapolator[*runs] = (*workCosts)(nil)
)

// runs bound all runs at one point of a workflow. They are immutable.
type runs struct {
	inside
	// input is the input of the pipeline, previous the output of the previous step, and value the
	// output of the current step.
	input, previous, value extent
	// items is the progress of a loop over a list.
	items items
	// spent is the spending since the block or the task began.
	spent spending
}

// inside are the values that decide what happens in a block.
type inside struct {
	data data
	// given is the input of a task, and item the item of the innermost loop over a list.
	given, item extent
}

// boundWorkflow returns the result of a workflow with an input.
func (x *analysis) boundWorkflow(a *ir.Agent, w *ir.Flow, with agentInput) agentResult {
	costs := &workCosts{
		analysis: x, agent: a, flow: w, isEntry: with.isEntry, isFallback: map[*ir.Task]bool{}, machines: map[*ir.Machine]*machineCosts{},
	}
	ir.WalkTasks(w.Body, func(t *ir.Task) { costs.isFallback[t.Fallback] = true })
	config := interp.Config{IsPossible: costs.isPossible, Starts: costs.machineStarts, MaxVisitsApart: maxVisitsApart}
	start := &runs{input: with.input, previous: with.input}
	start.data = initialData(w.Context, with.context)

	ends := interp.New(costs, config).RunPipeline(w.Body, start)
	got := agentResult{bound: boundOfRuns(ends)}
	if failed := ends.Failed; failed != nil {
		got.context = failed.data.wholeSize()
	}
	if done := ends.Done; done != nil {
		got.value, got.context = done.previous, max(got.context, done.data.wholeSize())
	}

	return got
}

// boundOfRuns returns the bound of all runs that end.
func boundOfRuns(ends interp.Ends[*runs]) (b bound) {
	if failed := ends.Failed; failed != nil {
		b.most, b.traits = failed.spent.used, failed.spent.traits
	}
	if done := ends.Done; done != nil {
		b.canEndWell, b.done = true, done.spent.used
		b.most = b.most.max(done.spent.used)
		b.traits = done.spent.either(spending{traits: b.traits}).traits
	}

	return b
}

// None returns the state without runs.
func (*workCosts) None() *runs { return nil }

// IsNone reports whether there are no runs.
func (*workCosts) IsNone(in *runs) bool { return in == nil }

// Union returns the larger sizes of two states, and the larger spending.
func (*workCosts) Union(a, b *runs) *runs {
	if a == b {
		return a
	}
	both := *a
	both.data = a.data.union(b.data)
	both.given, both.item = a.given.Or(b.given), a.item.Or(b.item)
	both.input, both.previous, both.value = a.input.Or(b.input), a.previous.Or(b.previous), a.value.Or(b.value)
	both.spent = a.spent.either(b.spent)

	return &both
}

// Fresh returns the runs with a larger value than all of seen. Their spending does not matter.
func (x *workCosts) Fresh(seen, in *runs) (fresh, all *runs) {
	switch {
	case seen == nil:
		return in, in
	case in == nil || seen.covers(in):
		return nil, interp.Join(x, seen, in)
	}

	return in, interp.Join(x, seen, in)
}

// covers reports whether a block with these values is not cheaper than with others.
func (in *inside) covers(others *runs) bool {
	return in.given.Covers(others.given) && in.item.Covers(others.item) && in.data.tree.covers(others.data.tree)
}

// Give computes the input of a task. A fallback without its own input has the input of its task.
func (x *workCosts) Give(t *ir.Task, in *runs) *runs {
	out := *in
	out.value, out.items, out.spent = extent{}, items{}, spending{}
	switch {
	case t.Input != nil:
		out.given = reader{x, in}.datumExtent(t.Input)
	case !x.isFallback[t]:
		out.given = in.previous
	}

	return &out
}

// Undo returns the state before the task, with the spending of the attempt.
func (*workCosts) Undo(_ *ir.Task, given, failed *runs) *runs {
	out := *given
	out.spent = failed.spent

	return &out
}

// Retry returns the state of a retry or a fallback, which is given the same.
func (*workCosts) Retry(_ *ir.Task, given, failed *runs) *runs {
	out := *given
	out.data, out.spent = failed.data, failed.spent

	return &out
}

// Settle adds the spending of a task's attempts, under its own budget, to the spending before.
func (x *workCosts) Settle(t *ir.Task, in *runs, ends interp.Ends[*runs]) interp.Ends[*runs] {
	turns, unit, width := Amount(1), "turns", Amount(1)
	if loop, isLoop := t.Do.(*ir.Loop); isLoop {
		turns = amount.Of(loop.Max)
		if loop.IsForEach() {
			turns, unit = x.maxItems(loop), "items"
		}
		width = turnWidth(loop, turns)
	}

	return mapEnds(ends, func(out *runs) *runs {
		settled, spent := *out, out.spent
		spent.width = spent.width.Times(width)
		spent = spent.withCount(turns, unit).withCount(amount.Of(t.Retries).Plus(1), "tries")
		settled.spent = in.spent.then(spent.underBudget(&ir.Budget{Tokens: t.Tokens, USD: t.USD}))
		return &settled
	})
}

// mapEnds changes the states of ends with runs.
func mapEnds[S any](ends interp.Ends[*S], change func(*S) *S) interp.Ends[*S] {
	for _, end := range []**S{&ends.Done, &ends.Failed, &ends.Paused, &ends.Returned} {
		if *end != nil {
			*end = change(*end)
		}
	}

	return ends
}

// Keep writes the output of a task to where the task directs it.
func (x *workCosts) Keep(t *ir.Task, in *runs) interp.Ends[*runs] {
	out := *in
	out.previous = in.value
	out.data = out.data.widen(outputSlot(t.Name.Value), in.value)
	if t.Part == ir.PartState {
		out.data = out.data.assignVariables(t, reader{x, in})
	}
	for _, w := range t.ContextWrites() {
		out.data = out.data.applyWrite(t, w, in.value, reader{x, &out})
	}

	ends := interp.Ends[*runs]{Done: &out, Failed: &out}
	if _, asks := t.Do.(*ir.Ask); asks {
		ends.Paused = &out
	}

	return ends
}

// assignVariables returns the data after an assignment of the variables of a loop. Each has a size of
// its own, because one that is part of all of them would seem to contain the others.
func (d data) assignVariables(t *ir.Task, before reader) data {
	for _, f := range t.Input.Fields {
		d = d.widen(variableSlot(t.Name.Value, f.Name.Value), before.datumExtent(f.Value))
	}

	return d
}

// applyWrite returns the data after a write of a task; value is its output.
func (d data) applyWrite(t *ir.Task, w ir.ContextWrite, value extent, r reader) data {
	by, times := writer{task: t}, Amount(1)
	if w.Path != nil {
		by.path = w.Path.Value
	}
	if w.Value != nil {
		value = r.datumExtent(w.Value)
	}
	switch {
	case w.Merge && w.Path != nil && len(w.Path.Path) == 0:
		return d.mergeObject(by, w.Schema, value)
	case w.Merge || w.Path == nil:
		times = mergedObjects(w.Schema, 0)
	}
	d = d.writeValue(by, w.Path, value, times)
	if w.Merge { // everything that was merged there
		d = d.writeValue(by, w.Path, d.slotExtent(partSlot(by)), times)
	}

	return d
}

// Do runs a task without inner steps. Each may fail.
func (x *workCosts) Do(t *ir.Task, in *runs) interp.Ends[*runs] {
	switch do := t.Do.(type) {
	case *ir.Run:
		return x.runStep(do, in)
	case *ir.Import:
		return x.runImport(t, do, in)
	case *ir.Ask:
		return in.withOutput(x.answerExtent(do.Answer.Schema))
	case *ir.UseBuiltin:
		return in.withOutput(x.builtinExtent(do, in))
	case *ir.UseFunc:
		x.recordOutsideValue("the result of the function " + do.Func.Name.Value)
		return in.withOutput(schemaExtent(do.Func.Output, Unbounded))
	case *ir.Receive:
		return in.withOutput(schemaExtent(do.Schema, in.given.Longest))
	case *ir.PassOn, *ir.Return, *ir.Branch, *ir.Loop, *ir.Parallel, *ir.Machine:
	}

	return in.withOutput(in.given)
}

// withOutput returns the ends of a step with an output that spends nothing.
func (in *runs) withOutput(value extent) interp.Ends[*runs] {
	out := *in
	out.value = value

	return interp.Ends[*runs]{Done: &out, Failed: in}
}

// spend returns the ends of a step with an output and a bound.
func (in *runs) spend(b bound, value extent) interp.Ends[*runs] {
	done, failed := boundSpending(b)
	fails := *in
	fails.spent = in.spent.then(failed)
	ends := interp.Ends[*runs]{Failed: &fails}
	if b.canEndWell {
		out := *in
		out.value, out.spent = value, in.spent.then(done)
		ends.Done = &out
	}

	return ends
}

// recordOutsideValue records a value from outside of the program.
func (x *workCosts) recordOutsideValue(what string) {
	x.analysis.recordUnbounded(what, "context of the models of "+x.agent.Name.Value+" in prices.yaml")
}

// answerExtent returns the extent of a person's answer.
func (x *workCosts) answerExtent(s *ir.Schema) extent {
	if s == nil {
		return builtin.SizeOfText(x.options.Input)
	}

	return schemaExtent(s, x.options.Input)
}

// runStep runs a conversation or an agent.
func (x *workCosts) runStep(do *ir.Run, in *runs) interp.Ends[*runs] {
	if do.Step == nil {
		got := x.analyzeAgent(do.Agent.Agent, agentInput{input: in.given}, do.At)
		return in.spend(got.bound, agentValue(do.Agent.Agent, got.value))
	}
	system := size(do.Step.Prompt.Value)
	if do.Step.Template != nil {
		system = reader{x, in}.templateExtent(do.Step.Template.Parts).Text
	}
	input, remembered := in.given.Text, Amount(0)
	if do.History != nil {
		remembered = in.data.slotExtent(outputSlot(do.History.Name.Value)).Text
		input = input.Plus(remembered)
	}
	b, reply := x.boundConversation(conversation{
		label: do.Step.Label(x.agent.Name.Value), step: do.Step, settings: "model_settings", system: system, input: input,
	})
	value := builtin.SizeOfText(reply)
	if output := do.Step.Output(); output != nil {
		value = schemaExtent(output, reply)
	}
	ends := in.spend(b, value)
	if do.History != nil && ends.Done != nil {
		remembered = amount.Sum(remembered, in.given.Text, reply, 2*perMessage)
		ends.Done.data = ends.Done.data.widen(outputSlot(do.History.Name.Value), builtin.SizeOfText(remembered))
	}

	return ends
}

// agentValue returns the extent of an agent's value in a workflow.
func agentValue(a *ir.Agent, value extent) extent {
	switch node := a.Node.(type) {
	case *ir.Oneshot:
		if node.Output == nil && node.List == nil {
			return value
		}
		return schemaExtent(node.Output, value.Text)
	case *ir.React: // it finishes with any JSON
		return schemaExtent(node.Output, value.Text)
	}

	return builtin.SizeOfJSON(builtin.QuotedSize(value.Text))
}

// runImport runs another workflow with its own context. If its failure does not fail the step, the
// output is empty then.
func (x *workCosts) runImport(t *ir.Task, do *ir.Import, in *runs) interp.Ends[*runs] {
	with := agentInput{input: in.given}
	if do.Inherit {
		with.context = builtin.SizeOfJSON(in.data.wholeSize())
	}
	if do.InputTo != ir.InputToPrompt {
		with.context = builtin.SizeOfJSON(amount.Sum(with.context.JSON, in.given.JSON, builtin.QuotedSize(size(do.Key)), fieldOverhead))
	}
	child := x.analyzeAgent(do.Agent.Agent, with, ir.Place{})
	b, value := child.bound, child.value
	if do.OnFailure != ir.FailureAbort {
		b, value = b.withoutFailure(), value.Or(builtin.SizeOfJSON(builtin.LongestNumber))
	}
	ends := in.spend(b, value)
	if t.UpdatesContext && ends.Done != nil { // all of it, or parts of its context or output
		out := *ends.Done
		out.data = out.data.writeValue(writer{t, "child"}, nil, builtin.SizeOfJSON(max(child.context, child.value.JSON)), 1)
		ends.Done = &out
	}

	return ends
}

// builtinExtent returns the extent of a builtin step's result.
func (x *workCosts) builtinExtent(do *ir.UseBuiltin, in *runs) extent {
	step, _ := builtin.StepByName(do.Builtin)
	if step.Tool != "" {
		return builtin.SizeOfJSON(builtin.QuotedSize(cmp.Or(amount.Of(int(x.program.Limits.ToolResultMax)), defaultResultMax).Plus(maxRemark)))
	}
	args := ir.Map(step.Params, func(p builtin.Param) builtin.Size {
		arg := ir.FieldOf(do.Args, p.Name)
		if arg == nil && p.Data {
			return in.given
		}
		return reader{x, in}.datumExtent(arg)
	})

	return step.Bound(args, builtin.SizeOfJSON(in.data.wholeSize()))
}
