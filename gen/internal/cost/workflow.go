package cost

import (
	"cmp"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// defaultKept is how much of a result of a tool there is at all, in bytes.
const defaultKept = 4_000_000

// workCosts is the domain that follows the sizes of values through a workflow, and what was spent.
type workCosts struct {
	*analysis
	agent *ir.Agent
	flow  *ir.Flow
	// begins says that the caller chooses the initial context, and so the state in which the first
	// machine begins.
	begins bool
	// isFallback says which tasks are run where another one has failed.
	isFallback map[*ir.Task]bool
	machines   map[*ir.Machine]*machineCosts
}

// runs bound all runs that are at one point of a workflow. They are never changed.
type runs struct {
	inside
	// input is what the pipeline is given, previous the output of the step before, and value the
	// output of the step that is under way.
	input, previous, value extent
	// items says how a loop over a list goes on.
	items items
	// spent is what was used since the block began, or the task.
	spent spending
}

// inside is what decides what happens in a block.
type inside struct {
	data data
	// given is what a task is given, and item is that of the innermost loop over a list.
	given, item extent
}

// workflow returns what is known of a workflow with what it is given.
func (x *analysis) workflow(a *ir.Agent, w *ir.Flow, with given) result {
	costs := &workCosts{
		analysis: x, agent: a, flow: w, begins: with.entry, isFallback: map[*ir.Task]bool{}, machines: map[*ir.Machine]*machineCosts{},
	}
	ir.WalkTasks(w.Body, func(t *ir.Task) { costs.isFallback[t.Fallback] = true })
	config := interp.Config{IsPossible: costs.isPossible, Starts: costs.startsOf, Apart: visitsApart}
	start := &runs{input: with.input, previous: with.input}
	start.data = contextOf(w.Context, with.context)

	ends := interp.New(costs, config).Pipeline(w.Body, start)
	got := result{}
	if failed := ends.Failed; failed != nil {
		got.bound.most, got.bound.traits = failed.spent.used, failed.spent.traits
		got.context = failed.data.whole()
	}
	if done := ends.Done; done != nil {
		got.bound.ends, got.bound.done = true, done.spent.used
		got.bound.most = got.bound.most.or(done.spent.used)
		got.bound.traits = done.spent.or(spending{traits: got.bound.traits}).traits
		got.value, got.context = done.previous, max(got.context, done.data.whole())
	}

	return got
}

// None returns the state that no run is in.
func (*workCosts) None() *runs { return nil }

// IsNone reports whether no run is in a state.
func (*workCosts) IsNone(in *runs) bool { return in == nil }

// Join returns the larger sizes of two states, and the larger spending.
func (*workCosts) Join(a, b *runs) *runs {
	switch {
	case a == nil || a == b:
		return b
	case b == nil:
		return a
	}
	both := *a
	both.data = a.data.or(b.data)
	both.given, both.item = a.given.or(b.given), a.item.or(b.item)
	both.input, both.previous, both.value = a.input.or(b.input), a.previous.or(b.previous), a.value.or(b.value)
	both.spent = a.spent.or(b.spent)

	return &both
}

// Fresh returns the runs that have a larger value than all of seen. What they have spent is no reason
// to look at them.
func (x *workCosts) Fresh(seen, in *runs) (fresh, all *runs) {
	switch {
	case seen == nil:
		return in, in
	case in == nil || seen.covers(in):
		return nil, x.Join(seen, in)
	}

	return in, x.Join(seen, in)
}

// covers reports whether what happens in a block is not less than with others.
func (in *inside) covers(others *runs) bool {
	return in.given.covers(others.given) && in.item.covers(others.item) && in.data.tree.covers(others.data.tree)
}

// Give computes the input of a task. Without one of its own, a fallback has that of the task in whose
// place it is run.
func (x *workCosts) Give(t *ir.Task, in *runs) *runs {
	out := *in
	out.value, out.items, out.spent = extent{}, items{}, spending{}
	switch {
	case t.Input != nil:
		out.given = reader{x, in}.datum(t.Input)
	case !x.isFallback[t]:
		out.given = in.previous
	}

	return &out
}

// Retry returns the state in which a task is tried again, or its fallback is: what steps inside of it
// have written is undone.
func (*workCosts) Retry(_ *ir.Task, given, failed *runs) *runs {
	out := *given
	out.spent = failed.spent

	return &out
}

// Settle adds what the tries of a task use, within its own budget, to what was used before.
func (x *workCosts) Settle(t *ir.Task, in *runs, ends interp.Ends[*runs]) interp.Ends[*runs] {
	rounds, unit := Amount(1), "rounds"
	if loop, isLoop := t.Do.(*ir.Loop); isLoop {
		rounds = amount.Of(loop.Max)
		if loop.IsForEach() {
			rounds, unit = x.mostItems(loop), "items"
		}
	}

	return mapEnds(ends, func(out *runs) *runs {
		settled := *out
		spent := out.spent.counted(rounds, unit).counted(amount.Of(t.Retries).Plus(1), "tries")
		settled.spent = in.spent.then(spent.within(&ir.Budget{Tokens: t.Tokens, USD: t.USD}))
		return &settled
	})
}

// mapEnds changes the states of ends in which there are runs.
func mapEnds[S any](ends interp.Ends[*S], change func(*S) *S) interp.Ends[*S] {
	for _, end := range []**S{&ends.Done, &ends.Failed, &ends.Paused, &ends.Returned} {
		if *end != nil {
			*end = change(*end)
		}
	}

	return ends
}

// Keep puts the output of a task where the task says.
func (x *workCosts) Keep(t *ir.Task, in *runs) interp.Ends[*runs] {
	out := *in
	out.previous = in.value
	out.data = out.data.widen(outputOf(t.Name.Value), in.value)
	for _, w := range t.ContextWrites() {
		out.data = out.data.written(t, w, in.value, reader{x, &out})
	}

	return interp.Ends[*runs]{Done: &out, Failed: &out}
}

// written returns the data behind what a task writes; value is its output.
func (d data) written(t *ir.Task, w ir.ContextWrite, value extent, r reader) data {
	by, times := writer{task: t}, Amount(1)
	if w.Path != nil {
		by.path = w.Path.Value
	}
	if w.Value != nil {
		value = r.datum(w.Value)
	}
	switch {
	case w.Merge && w.Path != nil && len(w.Path.Path) == 0:
		return d.merge(by, w.Schema, value)
	case w.Merge || w.Path == nil:
		times = kept(w.Schema, 0)
	}
	d = d.put(by, w.Path, value, times)
	if w.Merge { // all that was merged there
		d = d.put(by, w.Path, d.of(partOf(by)), times)
	}

	return d
}

// Do does a task that has no steps inside. Each may fail.
func (x *workCosts) Do(t *ir.Task, in *runs) interp.Ends[*runs] {
	switch do := t.Do.(type) {
	case *ir.Run:
		return x.run(do, in)
	case *ir.Import:
		return x.imported(t, do, in)
	case *ir.Ask:
		ends := in.gives(x.answer(do.Answer.Schema))
		ends.Paused = in
		return ends
	case *ir.UseBuiltin:
		return in.gives(x.builtin(do, in))
	case *ir.UseFunc:
		x.outside("the result of the function " + do.Func.Name.Value)
		return in.gives(fitting(do.Func.Output, Unbounded))
	case *ir.PassOn, *ir.Return, *ir.Branch, *ir.Loop, *ir.Parallel, *ir.Machine:
	}

	return in.gives(in.given)
}

// gives returns the ends of a step with an output, which uses nothing.
func (in *runs) gives(value extent) interp.Ends[*runs] {
	out := *in
	out.value = value

	return interp.Ends[*runs]{Done: &out, Failed: in}
}

// uses returns the ends of a step with an output and a bound.
func (in *runs) uses(b bound, value extent) interp.Ends[*runs] {
	done, failed := spendingOf(b)
	fails := *in
	fails.spent = in.spent.then(failed)
	ends := interp.Ends[*runs]{Failed: &fails}
	if b.ends {
		out := *in
		out.value, out.spent = value, in.spent.then(done)
		ends.Done = &out
	}

	return ends
}

// outside notes a value that comes from elsewhere.
func (x *workCosts) outside(what string) {
	x.analysis.unbounded(what, "context of the models of "+x.agent.Name.Value+" in prices.yaml")
}

// answer is what a person says.
func (x *workCosts) answer(s *ir.Schema) extent {
	if s == nil {
		return written(x.options.Input)
	}

	return fitting(s, x.options.Input)
}

// run runs a conversation or an agent.
func (x *workCosts) run(do *ir.Run, in *runs) interp.Ends[*runs] {
	if do.Step == nil {
		got := x.visit(do.Agent.Agent, given{input: in.given}, do.At)
		return in.uses(got.bound, valueOf(do.Agent.Agent, got.value))
	}
	system := size(do.Step.Prompt.Value)
	if do.Step.Template != nil {
		system = reader{x, in}.parts(do.Step.Template.Parts).text
	}
	b, reply := x.conversation(talk{
		label: do.Step.Label(x.agent.Name.Value), step: do.Step, settings: "model_settings", system: system, input: in.given.text,
	})
	value := written(reply)
	if output := do.Step.Output(); output != nil {
		value = fitting(output, reply)
	}

	return in.uses(b, value)
}

// valueOf is what an agent's value is in a workflow.
func valueOf(a *ir.Agent, value extent) extent {
	switch node := a.Node.(type) {
	case *ir.Oneshot:
		if node.Output == nil && node.List == nil {
			return value
		}
		return fitting(node.Output, value.text)
	case *ir.React: // which finishes with any JSON
		return fitting(node.Output, value.text)
	}

	return asJSON(quotedText(value.text))
}

// imported runs another workflow, with a context of its own. Where its failure is none of the step,
// the output is empty then.
func (x *workCosts) imported(t *ir.Task, do *ir.Import, in *runs) interp.Ends[*runs] {
	with := given{input: in.given}
	if do.Inherit {
		with.context = asJSON(in.data.whole())
	}
	if do.InputTo != ir.InputToPrompt {
		with.context = asJSON(amount.Sum(with.context.json, in.given.json, quotedText(size(do.Key)), around))
	}
	child := x.visit(do.Agent.Agent, with, ir.Place{})
	b, value := child.bound, child.value
	if do.OnFailure != ir.FailureAbort {
		b, value = b.settled(), value.or(asJSON(longest))
	}
	ends := in.uses(b, value)
	if t.UpdatesContext && ends.Done != nil { // all of it, or places of its context, or of its output
		out := *ends.Done
		out.data = out.data.put(writer{t, "child"}, nil, asJSON(max(child.context, child.value.json)), 1)
		ends.Done = &out
	}

	return ends
}

// builtin is what a builtin step returns.
func (x *workCosts) builtin(do *ir.UseBuiltin, in *runs) extent {
	step, _ := builtin.StepByName(do.Builtin)
	if step.Tool != "" {
		return asJSON(quotedText(cmp.Or(amount.Of(int(x.program.Limits.ToolResultMax)), defaultKept).Plus(mostRemark)))
	}
	args := ir.Map(step.Params, func(p builtin.Param) builtin.Size {
		arg := ir.FieldOf(do.Args, p.Name)
		if arg == nil && p.Data {
			return in.given.size()
		}
		return reader{x, in}.datum(arg).size()
	})

	return extentOf(step.Bound(args, asJSON(in.data.whole()).size()))
}
