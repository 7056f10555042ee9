package cost

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// defaultKept is how much of a result of a tool there is at all, in bytes.
const defaultKept = 4_000_000

// workRun is the interpretation of one run of a workflow.
type workRun struct {
	*analysis
	agent *ir.Agent
	node  *ir.Flow
	// begins says that the caller chooses the initial context, and so the state in which the first machine begins.
	begins bool
	// input is what the pipeline is given, previous the output of the step before, item that of a loop over a list.
	input, previous, item extent
	data
}

func (x *analysis) workflow(a *ir.Agent, w *ir.Flow, with given) result {
	r := &workRun{
		analysis: x, agent: a, node: w, begins: with.entry, previous: with.input, data: contextOf(w.Context, with.context),
	}
	b := r.pipeline(w.Body)

	return result{b, r.previous, r.data.whole()}
}

// pipeline adds up the steps of a pipeline, the first of which is given what previous is.
func (r *workRun) pipeline(p *ir.Pipeline) bound {
	all := nothing
	r.input = r.previous
	for _, t := range p.Steps() {
		all = all.then(r.task(t))
	}

	return all
}

func (r *workRun) task(t *ir.Task) bound {
	given := r.previous
	if t.Input != nil {
		given = r.datum(t.Input)
	}
	b, value := r.work(t, given)
	b = b.settled().times(amount.Of(t.Retries).Plus(1), "tries")
	b = b.within(&ir.Budget{Tokens: t.Tokens, USD: t.USD})
	r.ends(t, value)
	if t.Fallback != nil {
		first := r.previous
		r.previous = given
		b = b.then(r.task(t.Fallback)).settled()
		r.ends(t, first.or(r.previous))
	}

	return b
}

// ends keeps the output of a step.
func (r *workRun) ends(t *ir.Task, value extent) {
	r.previous = value
	r.widen(outputOf(t.Name.Value), value)
	for _, w := range t.Writes() {
		by := writer{task: t}
		if w.Path != nil {
			by.path = w.Path.Value
		}
		written, times := value, Amount(1)
		if w.Value != nil {
			written = r.datum(w.Value)
		}
		switch {
		case w.Merge && w.Path != nil && len(w.Path.Path) == 0:
			r.data.merge(by, w.Schema, written)
			continue
		case w.Merge || w.Path == nil:
			times = kept(w.Schema, 0)
		}
		r.data.put(by, w.Path, written, times)
		if w.Merge { // all that was merged there
			r.data.put(by, w.Path, r.data[partOf(by)], times)
		}
	}
}

// work returns the bound of one try of a step, and its output.
func (r *workRun) work(t *ir.Task, given extent) (bound, extent) {
	switch do := t.Do.(type) {
	case *ir.Run:
		return r.run(do, given)
	case *ir.Import:
		return r.imported(t, do, given)
	case *ir.Branch:
		return r.branch(t, given)
	case *ir.Parallel:
		return r.parallel(do, given)
	case *ir.Loop:
		if do.Each() {
			return r.each(do)
		}
		return r.repeat(do, given)
	case *ir.Machine:
		return r.machine(t, do, given)
	case *ir.Ask:
		return nothing, r.answer(do.Answer.Schema)
	case *ir.UseBuiltin:
		return nothing, r.builtin(do, given)
	case *ir.UseFunc:
		r.outside("the result of the function " + do.Func.Name.Value)
		return nothing, fitting(do.Func.Output, Unbounded)
	case *ir.PassOn, *ir.Return:
	}

	return nothing, given
}

// outside notes a value that comes from elsewhere.
func (r *workRun) outside(what string) {
	r.analysis.unbounded(what, "context of the models of "+r.agent.Name.Value+" in prices.yaml")
}

// answer is what a person says.
func (r *workRun) answer(s *ir.Schema) extent {
	if s == nil {
		return written(r.options.Input)
	}

	return fitting(s, r.options.Input)
}

func (r *workRun) run(do *ir.Run, input extent) (bound, extent) {
	if do.Step == nil {
		a := do.Agent.Agent
		got := r.visit(a, given{input: input}, do.At)
		switch node := a.Node.(type) {
		case *ir.Oneshot:
			if node.Output == nil && node.List == nil {
				return got.bound, got.value
			}
			return got.bound, fitting(node.Output, got.value.text)
		case *ir.React: // which finishes with any JSON
			return got.bound, fitting(node.Output, got.value.text)
		}
		return got.bound, asJSON(quotedText(got.value.text))
	}
	system := size(do.Step.Prompt.Value)
	if do.Step.Template != nil {
		system = r.parts(do.Step.Template.Parts).text
	}
	b, reply := r.conversation(talk{label: do.Step.Label(r.agent.Name.Value), step: do.Step, settings: "model_settings", system: system, input: input.text})

	if output := do.Step.Output(); output != nil {
		return b, fitting(output, reply)
	}

	return b, written(reply)
}

// imported runs another workflow, with a context of its own.
func (r *workRun) imported(t *ir.Task, do *ir.Import, input extent) (bound, extent) {
	with := given{input: input}
	if do.Inherit {
		with.context = asJSON(r.data.whole())
	}
	if do.InputTo != ir.InputToPrompt {
		with.context = asJSON(amount.Sum(with.context.json, input.json, quotedText(size(do.Key)), around))
	}
	child := r.visit(do.Agent.Agent, with, ir.Place{})
	if t.UpdatesContext { // all of it, or places of its context, or of its output
		r.data.put(writer{t, "child"}, nil, asJSON(max(child.context, child.value.json)), 1)
	}

	return child.bound, child.value
}

// builtin is what a builtin step returns.
func (r *workRun) builtin(do *ir.UseBuiltin, given extent) extent {
	step, _ := builtin.StepByName(do.Builtin)
	if step.Tool != "" {
		return asJSON(quotedText(cmp.Or(amount.Of(int(r.program.Limits.ToolResultMax)), defaultKept).Plus(mostRemark)))
	}
	args := ir.Map(step.Params, func(p builtin.Param) builtin.Size {
		arg := ir.FieldOf(do.Args, p.Name)
		if arg == nil && p.Data {
			return given.size()
		}
		return r.datum(arg).size()
	})

	return extentOf(step.Bound(args, asJSON(r.data.whole()).size()))
}

// clone returns a run with data of its own, of a pipeline that is given something.
func (r *workRun) clone(given extent) *workRun {
	inner := *r
	inner.data, inner.previous = maps.Clone(r.data), given

	return &inner
}

// same reports whether two runs have the same data.
func (r *workRun) same(other *workRun) bool {
	return r.previous == other.previous && maps.Equal(r.data, other.data)
}

// branch returns the bound of pipelines of which one is run.
func (r *workRun) branch(t *ir.Task, given extent) (bound, extent) {
	b := bound{}
	inner := ir.Map(t.Pipelines(), func(p *ir.Pipeline) *workRun {
		branch := r.clone(given)
		b = b.or(branch.pipeline(p))
		return branch
	})
	for _, branch := range inner {
		r.data.or(branch.data)
	}

	return b, widestOf(inner)
}

// parallel returns the bound of pipelines that are all run.
func (r *workRun) parallel(do *ir.Parallel, given extent) (bound, extent) {
	b, all, names := bound{}, asJSON(2), asJSON(2)
	inner := ir.Map(do.Branches, func(arm *ir.Arm) *workRun {
		branch := r.clone(given)
		b = b.beside(branch.pipeline(arm.Body)).settled()
		name := quotedText(size(arm.Name.Value)).Plus(2)
		all, names = asJSON(amount.Sum(all.json, branch.previous.json, name)), asJSON(names.json.Plus(name))
		return branch
	})
	for _, branch := range inner {
		r.data.or(branch.data)
	}
	switch do.Reduce {
	case ir.ReduceKeys:
		return b, names
	case ir.ReduceObject, ir.ReduceValues, ir.ReduceUnion, ir.ReduceConcat:
		return b, all
	}
	switch {
	case do.Failed == ir.FailureIgnored: // then any may be the first or the last one
	case do.Reduce == ir.ReduceFirst:
		inner = inner[:1]
	case do.Reduce == ir.ReduceLast:
		inner = inner[len(inner)-1:]
	}

	return b, widestOf(inner)
}

// widestOf is what one of several runs gives.
func widestOf(runs []*workRun) extent {
	value := extent{}
	for _, r := range runs {
		value = value.or(r.previous)
	}

	return value
}

// repeated does something up to n times, as long as its data grows, and counts the rest.
func (r *workRun) repeated(n Amount, unit string, do func() bound) bound {
	all := nothing
	for round := Amount(0); round < n; round++ {
		before := r.clone(r.previous)
		b := do()
		all = all.then(b)
		switch {
		case r.same(before):
			if n != Unbounded {
				n -= round + 1
			}
			return all.then(b.times(n, unit))
		case round > exactRounds:
			r.grown(before)
		}
	}

	return all
}

// grown makes what is larger than before unbounded.
func (r *workRun) grown(before *workRun) {
	for at, e := range r.data {
		if e != before.data[at] {
			r.data[at] = unbounded
		}
	}
	if r.previous != before.previous {
		r.previous = unbounded
	}
}

func (r *workRun) repeat(do *ir.Loop, given extent) (bound, extent) {
	inner := r.clone(given)
	b := inner.repeated(amount.Of(do.Max), "rounds", func() bound { return inner.pipeline(do.Body) })
	r.data.or(inner.data)

	return b, inner.previous
}

// each returns the bound of steps for each item of a list.
func (r *workRun) each(do *ir.Loop) (bound, extent) {
	s := r.node.Context.At(do.Items().Path)
	list := r.field(nameOf(do.Items().Path))
	item, count := extent{list.json, list.json, list.written}, Unbounded
	if s != nil && s.Kind == ir.SchemaArray {
		item = item.and(fitting(s.Items, list.written))
		if s.MaxItems != nil {
			count = amount.Of(*s.MaxItems)
		}
	}
	inner, value := r.clone(item), extent{}
	round := func(item extent) bound {
		inner.item, inner.previous = item, item
		b := inner.pipeline(do.Body)
		value = value.or(inner.previous)
		return b
	}
	b := inner.repeated(count, "items", func() bound { return round(item) })
	// What an item costs is a convex function of its size, unless something caps it: no distribution of the list costs more than one item
	// that is all of it, and others that are empty.
	if !b.capped && count > 1 && count != Unbounded && item.written == list.written && item.written != Unbounded {
		b = round(item).then(round(extent{}).times(count-1, "items"))
	}
	if count == Unbounded && b.most.Calls > 0 {
		r.analysis.unbounded("the number of items of "+do.Items().Value, "maxItems of it in the schema of the context")
	}
	r.data.or(inner.data)
	r.previous = asJSON(value.json.Plus(1).Times(count).Plus(2))
	if do.Result != nil {
		return b, r.previous.or(r.datum(do.Result))
	}

	return b, r.previous
}

// machine returns the bound of a machine whose states have steps. The first one at the top may begin in any of its states, which the
// initial context can name.
func (r *workRun) machine(t *ir.Task, m *ir.Machine, given extent) (bound, extent) {
	facts := r.facts.Machine(m)
	if facts == nil || facts.Start == nil || m.MaxSteps < 1 {
		return nothing, given
	}
	first := ir.First(r.node.Body.Tasks, func(t *ir.Task) bool {
		_, isMachine := t.Do.(*ir.Machine)
		return isMachine
	})
	anywhere := r.begins && first == t

	w := workMachine{paths: pathsOf(facts), run: r, given: given}
	b := w.most(amount.Of(m.MaxSteps), anywhere)
	for i, s := range facts.States {
		if s.Body != nil && !s.End {
			r.meet(place{r.agent, s.State}, w.met[i])
		}
	}

	return b, w.value
}

// workMachine is the interpretation of a machine of a workflow.
type workMachine struct {
	paths
	run *workRun
	// given is what states are given, value what they give.
	given, value extent
	// met are the bounds of the states, wherever they are entered.
	met []bound
}

// visited is a state that some paths of the same length lead to, with the data that they may have written, its bound, and what of the
// next layer follows it.
type visited struct {
	state int
	run   *workRun
	own   bound
	next  []int
}

// exactPaths is how many visits of states are distinguished by their data, of which a state has exactData after paths of the same length.
// Of further ones the data is merged.
const exactPaths, exactData = 256, 16

// most returns the bound of the costliest path. For as many steps as the data grows, each state has what the paths of so many steps to it
// may have written.
func (w *workMachine) most(steps Amount, anywhere bool) bound {
	w.met = make([]bound, len(w.facts.States))
	var layer []visited
	for i, s := range w.facts.States {
		for _, move := range s.Moves {
			if move.Row != nil && move.Row.Key.Value == ir.OnPause { // then the next state is given the answer
				w.given = w.given.or(asJSON(quotedText(w.run.options.Input)))
			}
		}
		if anywhere || i == w.facts.Start.Index {
			layer = append(layer, visited{state: i})
		}
	}
	for i := range layer {
		layer[i].run = w.run.clone(w.given)
	}
	all := w.run.clone(w.given)
	var layers [][]visited
	for seen, settled := 0, false; !settled && amount.Of(len(layers)) < min(steps, exactRounds); {
		data := exactData
		if seen += len(layer); seen > exactPaths {
			data = 1
		}
		before := all.clone(w.given)
		next := w.step(layer, data)
		for _, v := range layer {
			all.data.or(v.run.data)
		}
		layers, layer = append(layers, layer), next
		settled = len(next) == 0 || data == 1 && all.same(before)
	}
	from := w.after(all, steps-amount.Of(len(layers)))
	w.run.data.or(all.data)
	last := ir.Map(layer, func(v visited) bound { return from[v.state] })
	for i := len(layers) - 1; i >= 0; i-- {
		last = ir.Map(layers[i], func(v visited) bound { return w.path(v, last) })
	}

	return either(last)
}

// path returns the bound of the costliest path from a state, from those of the states that can follow it.
func (w *workMachine) path(v visited, from []bound) bound {
	s := w.facts.States[v.state]
	if !works(s) {
		return nothing
	}

	return v.own.then(following(s, bound{}, v.next, from))
}

// step finds the bounds of the states of a layer, and returns the states behind them, each with so many kinds of data.
func (w *workMachine) step(layer []visited, data int) []visited {
	var next []visited
	for i := range layer {
		v := &layer[i]
		s := w.facts.States[v.state]
		if s.End {
			continue
		}
		v.own = v.run.pipeline(s.Body)
		w.met[v.state] = w.met[v.state].or(v.own)
		w.value = w.value.or(v.run.previous)
		for to := range w.facts.States {
			if s.Anywhere || slices.Contains(w.next[v.state], to) {
				var at int
				next, at = w.follow(next, to, v.run, data)
				v.next = append(v.next, at)
			}
		}
	}

	return next
}

// follow adds a state with some data to a layer, if there is not one with as much, and returns where it is.
func (w *workMachine) follow(layer []visited, state int, r *workRun, data int) ([]visited, int) {
	last, known := 0, 0
	for i, v := range layer {
		if v.state != state {
			continue
		}
		if v.run.data.covers(r.data) {
			return layer, i
		}
		last, known = i, known+1
	}
	if known >= data {
		layer[last].run.data.or(r.data)
		return layer, last
	}

	return append(layer, visited{state: state, run: r.clone(w.given)}), len(layer)
}

// after returns the bounds of the paths of so many steps, with data that grows no more.
func (w *workMachine) after(all *workRun, steps Amount) []bound {
	if steps > 0 {
		for round := 0; ; round++ {
			before := all.clone(w.given)
			var everywhere []visited
			for i, s := range w.facts.States {
				if s.Reached {
					everywhere = append(everywhere, visited{state: i, run: all.clone(w.given)})
				}
			}
			w.step(everywhere, 1)
			for _, v := range everywhere {
				w.own[v.state] = v.own
				all.data.or(v.run.data)
			}
			if all.same(before) {
				break
			}
			if round > exactRounds {
				all.grown(before)
			}
		}
	}

	return w.from(steps)
}

// datum is a value that is written in the source.
func (r *workRun) datum(d *ir.Datum) extent {
	if d == nil {
		return extent{}
	}
	switch d.Kind {
	case ir.DatumText:
		return r.parts(d.Text.Parts)
	case ir.DatumValue:
		return r.value(d.Value)
	case ir.DatumJSON:
		return asJSON(size(d.JSON))
	}
	all := Amount(2)
	for _, item := range d.List {
		all = amount.Sum(all, r.datum(item).json, 1)
	}
	for _, f := range d.Fields {
		all = amount.Sum(all, quotedText(size(f.Name.Value)), r.datum(f.Value).json, 2)
	}

	return asJSON(all)
}

// field is the value at a path of the context.
func (r *workRun) field(path string) extent {
	one, first := r.data.at(path)

	return one.or(first)
}

// plainField returns the path of a placeholder that is nothing but a text of the context; "" for anything else.
func plainField(p *ir.Placeholder) string {
	access, isAccess := p.Values[0].(*ir.Access)
	if !isAccess || len(p.Values) > 1 || len(p.Filters) > 0 || access.Root != ir.RootContext || access.Default != nil ||
		access.Type.Schema == nil || access.Type.Schema.Kind != ir.SchemaString {
		return ""
	}

	return pathOf(access)
}

func pathOf(e *ir.Access) string { return strings.Join(e.Names(), ".") }

// parts is a text with placeholders.
func (r *workRun) parts(parts []ir.Part) extent {
	all := extent{json: 2}
	// The texts that are in the context at first are no longer than it: of the fields that steps may not have written one counts.
	first := map[string]extent{}
	for _, part := range parts {
		var e extent
		switch part := part.(type) {
		case *ir.Verbatim:
			e = written(size(part.Text))
		case *ir.Placeholder:
			e = r.value(part)
			if path := plainField(part); path != "" {
				one, _ := r.data.at(path)
				one = one.and(e)
				first[path] = extent{first[path].text + e.text - one.text, first[path].json + e.json - one.json, 0}
				e = one
			}
			e.json = max(e.json, e.text.Times(2)) // what is JSON is quoted once more
		case *ir.IfPart:
			e = r.parts(part.Body)
		case *ir.EachPart:
			inner, list := *r, r.value(part.Items)
			inner.item = extent{list.json, list.json, list.written}
			e = inner.parts(part.Body)
			n := list.json.Plus(1)
			e = extent{e.text.Times(n), e.json.Times(n), 0}
		}
		all.text, all.json = all.text.Plus(e.text), all.json.Plus(e.json)
	}
	one := extent{}
	for _, e := range first {
		one = one.or(e)
	}
	all.text, all.json = all.text.Plus(one.text), all.json.Plus(one.json)
	all.written = all.text

	return all
}

// value is an expression's value.
func (r *workRun) value(e ir.Expression) extent {
	switch e := e.(type) {
	case *ir.Placeholder:
		var one extent
		for _, v := range e.Values {
			one = one.or(r.value(v))
		}
		for _, f := range e.Filters {
			one = filtered(one, f)
		}
		return one
	case *ir.Access:
		return r.access(e)
	case *ir.Literal:
		return literal(e)
	case *ir.Tuple:
		all := Amount(2)
		for _, item := range e.Items {
			all = amount.Sum(all, r.value(item).json, 1)
		}
		return asJSON(all)
	case *ir.Method:
		if method, known := builtin.MethodByName(e.Name); known && method.Bound != nil {
			return extentOf(method.Bound(r.value(e.X).size()))
		}
	}

	return asJSON(longest)
}

// filtered is what a filter makes of a value.
func filtered(e extent, f ir.Filter) extent {
	filter, known := builtin.FilterByName(f.Name)
	if !known {
		return unbounded // it was reported
	}
	arg := extent{}
	if f.Arg != nil {
		arg = literal(f.Arg)
	}

	return extentOf(filter.Bound(e.size(), arg.size()))
}

// literal is a value that an expression has.
func literal(e *ir.Literal) extent {
	if text, isText := e.Value.(string); isText {
		return written(size(text))
	}

	return asJSON(longest)
}

// access is a value that has a name, or a part of it.
func (r *workRun) access(e *ir.Access) extent {
	path := pathOf(e)
	var one extent
	switch e.Root {
	case ir.RootContext:
		if one = asJSON(r.data.whole()); path != "" {
			one = r.field(path)
			return r.orElse(e, one.and(fitting(e.Type.Schema, one.written)))
		}
	case ir.RootInput:
		one = r.input
	case ir.RootThis:
		one = r.item
	case ir.RootAnswer:
		one = written(r.options.Input).or(asJSON(quotedText(r.options.Input)))
	case ir.RootStep:
		if e.Output != nil {
			one = r.data[outputOf(e.Output.Name.Value)]
		}
		if strings.HasPrefix(e.Written, "previous") {
			one = one.or(r.previous)
		}
	default:
		all := amount.Sum(r.data.whole(), r.previous.json, mostError)
		for at, output := range r.data {
			if at.kind == slotOutput {
				all = amount.Sum(all, quotedText(size(at.name)), output.json, 2)
			}
		}
		one = asJSON(all)
	}
	if path != "" {
		one = extent{one.json, one.json, one.written}.and(fitting(e.Type.Schema, one.written))
	}

	return r.orElse(e, one)
}

// orElse is a value, or what replaces it where there is none.
func (r *workRun) orElse(e *ir.Access, one extent) extent {
	if e.Default != nil {
		one = one.or(r.value(e.Default))
	}

	return one.or(asJSON(longest))
}
