package cost

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// escaped is by how much a text may grow as JSON, and JSON that a model has written when it is read and written again: 1e20 has 21 digits,
// and some characters have to be escaped.
const escaped = 6

// defaultKept is how much of a result of a tool there is at all, in bytes.
const defaultKept = 4_000_000

// workRun is the interpretation of one run of a workflow. All sizes are those of texts, and of values as JSON.
type workRun struct {
	*analysis
	agent *ir.Agent
	node  *ir.Workflow
	// input is what the pipeline is given, previous the output of the step before.
	input, previous Amount
	// outputs are those of steps, by name; context is what each step writes there, by step and place, and under "" what was there before.
	outputs, context map[string]Amount
	// items is the size of the item of a loop over a list.
	items Amount
}

func (x *analysis) workflow(a *ir.Agent, w *ir.Workflow, input Amount) (bound, Amount) {
	r := &workRun{
		analysis: x, agent: a, node: w, input: input, previous: input,
		outputs: map[string]Amount{}, context: map[string]Amount{"": input.plus(schemaSize(w.Context))},
	}
	b := r.pipeline(w.Body)

	return b, r.previous
}

func schemaSize(s *ir.Schema) Amount {
	if s == nil {
		return 0
	}

	return size(s.JSON)
}

// pipeline adds up the steps of a pipeline.
func (r *workRun) pipeline(p *ir.Pipeline) bound {
	all := nothing
	if p != nil {
		for _, t := range p.Tasks {
			all = all.then(r.task(t))
		}
	}

	return all
}

func (r *workRun) task(t *ir.Task) bound {
	given := r.previous
	if t.Input != nil {
		given = r.datum(t.Input)
	}
	b, value := r.work(t, given)
	b = b.settled().times(amount(t.Retries).plus(1), "tries")
	b = b.within(&ir.Budget{Tokens: t.Tokens, USD: t.USD})
	r.ends(t, value)
	if t.Fallback != nil {
		first := r.previous
		r.previous = given
		b = b.then(r.task(t.Fallback)).settled()
		r.ends(t, max(first, r.previous))
	}

	return b
}

// ends keeps the output of a step.
func (r *workRun) ends(t *ir.Task, value Amount) {
	r.previous = value
	r.outputs[t.Name.Value] = max(r.outputs[t.Name.Value], value)
	for _, w := range t.Writes() {
		name, apart := t.Name.Value, Amount(1)
		if w.Path != nil {
			name += " " + w.Path.Value
		}
		written := value
		if w.Value != nil {
			written = r.datum(w.Value)
		}
		if !w.Merge { // an object is JSON already
			written = written.times(escaped)
		}
		if w.Merge || w.Path == nil {
			apart = kept(w.Schema, 0)
		}
		written = sum(written, size(name), 16)
		key := fmt.Sprintf("%p %s", t, name) // steps that have the same name write beside each other
		r.context[key] = max(r.context[key], min(r.context[key].plus(written), written.times(apart)))
	}
}

// deepest is how deep the objects of a schema are looked at.
const deepest = 8

// kept returns of how many objects there can be something in one into which all are merged: each may have another one of its fields that
// are not required.
func kept(s *ir.Schema, depth int) Amount {
	s = s.Followed()
	switch {
	case s == nil || depth > deepest || s.Kind == ir.SchemaAny || s.Additional != nil:
		return Unbounded
	case s.Kind == ir.SchemaUnion:
		all := Amount(0)
		for _, v := range s.Variants {
			all = all.plus(kept(v.Schema, depth+1))
		}
		return all
	}
	all := Amount(1)
	for _, p := range s.Properties {
		all = all.plus(kept(p.Schema, depth+1) - 1)
		if !p.Required {
			all = all.plus(1)
		}
	}

	return all
}

func (r *workRun) whole() Amount {
	all := Amount(0)
	for _, part := range r.context {
		all = all.plus(part)
	}

	return all
}

// work returns the bound of one try of a step, and the size of its output.
func (r *workRun) work(t *ir.Task, given Amount) (bound, Amount) {
	switch do := t.Do.(type) {
	case *ir.Run:
		return r.run(do, given)
	case *ir.Import:
		input := given
		if do.Inherit || do.InputTo != ir.InputToPrompt {
			input = input.plus(r.whole())
		}
		b, value := r.analysis.agent(do.Agent.Agent, input, ir.Place{})
		if t.UpdatesContext {
			r.context[t.Name.Value] = Unbounded // all that the imported one has may be copied
		}
		return b, value
	case *ir.Branch:
		return r.branches(t.Pipelines(), given, false)
	case *ir.Parallel:
		return r.branches(t.Pipelines(), given, true)
	case *ir.Loop:
		if do.Each() {
			return r.each(do)
		}
		return r.repeat(do, given)
	case *ir.Machine:
		return r.machine(t, do, given)
	case *ir.Ask:
		return nothing, r.options.Input
	case *ir.UseBuiltin:
		return nothing, r.builtin(do, given)
	case *ir.UseFunc:
		r.outside("the result of the function " + do.Func.Name.Value)
		return nothing, Unbounded
	}

	return nothing, given
}

// outside notes a value that comes from elsewhere.
func (r *workRun) outside(what string) {
	r.analysis.unbounded(what, "context of the models of "+r.agent.Name.Value+" in prices.yaml")
}

func (r *workRun) run(do *ir.Run, given Amount) (bound, Amount) {
	if do.Step == nil {
		b, value := r.analysis.agent(do.Agent.Agent, given, do.At)
		if once, isOnce := do.Agent.Agent.Node.(*ir.Oneshot); isOnce && once.Output == nil && once.List == nil {
			return b, value
		}
		return b, value.times(escaped)
	}
	system := size(do.Step.Prompt.Value)
	if do.Step.Template != nil {
		system = r.parts(do.Step.Template.Parts)
	}

	b, reply := r.conversation(talk{label: do.Step.Label(r.agent.Name.Value), step: do.Step, system: system, input: given})

	if do.Step.Output() != nil {
		reply = reply.times(escaped)
	}

	return b, reply
}

// builtin is the size of what a builtin step returns.
func (r *workRun) builtin(do *ir.UseBuiltin, given Amount) Amount {
	data := given
	for _, arg := range do.Args {
		data = data.plus(r.datum(arg.Value))
	}
	switch do.Builtin {
	case builtin.ContextGet:
		return max(r.whole(), data)
	case builtin.AskUser:
		return r.options.Input
	}
	if step, known := builtin.StepByName(do.Builtin); known && step.Tool != "" {
		return cmp.Or(amount(int(r.program.Limits.ToolResultMax)), defaultKept).plus(mostRemark)
	}

	return data.times(escaped).plus(100)
}

// clone returns a run with data of its own.
func (r *workRun) clone(given Amount) *workRun {
	inner := *r
	inner.outputs, inner.context = maps.Clone(r.outputs), maps.Clone(r.context)
	inner.input, inner.previous = given, given

	return &inner
}

// merge takes the data of a run that others may have been in place of, or beside.
func (r *workRun) merge(inner *workRun) {
	for name, n := range inner.outputs {
		r.outputs[name] = max(r.outputs[name], n)
	}
	for name, n := range inner.context {
		r.context[name] = max(r.context[name], n)
	}
}

// branches returns the bound of pipelines of which one is run, or which are all run side by side.
func (r *workRun) branches(all []*ir.Pipeline, given Amount, together bool) (bound, Amount) {
	b, value, both := bound{}, given, Amount(16)
	var inner []*workRun
	for _, p := range all {
		branch := r.clone(given)
		one := branch.pipeline(p)
		inner = append(inner, branch)
		value, both = max(value, branch.previous), sum(both, branch.previous.times(escaped), 64)
		if together {
			b = b.beside(one).settled()
		} else {
			b = b.or(one)
		}
	}
	for _, branch := range inner {
		r.merge(branch)
	}
	if together {
		value = both
	}

	return b, value
}

// sizes are all that a run knows, for comparing.
func (r *workRun) sizes() map[string]Amount {
	all := maps.Clone(r.outputs)
	for name, n := range r.context {
		all["context "+name] = n
	}
	all[""] = r.previous

	return all
}

// grown makes what has grown unbounded.
func (r *workRun) grown(before map[string]Amount) {
	for name, n := range r.outputs {
		if n != before[name] {
			r.outputs[name] = Unbounded
		}
	}
	for name, n := range r.context {
		if n != before["context "+name] {
			r.context[name] = Unbounded
		}
	}
	if r.previous != before[""] {
		r.previous = Unbounded
	}
}

// repeated does something up to n times, as long as its data grows, and counts the rest.
func (r *workRun) repeated(n Amount, unit string, do func() bound) bound {
	all := nothing
	for round := Amount(0); round < n; round++ {
		before := r.sizes()
		b := do()
		all = all.then(b)
		switch {
		case maps.Equal(before, r.sizes()):
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

func (r *workRun) repeat(do *ir.Loop, given Amount) (bound, Amount) {
	inner := r.clone(given)
	b := inner.repeated(amount(do.Max), "rounds", func() bound { return inner.pipeline(do.Body) })
	r.merge(inner)

	return b, max(given, inner.previous)
}

func (r *workRun) each(do *ir.Loop) (bound, Amount) {
	n, bounded := mostItems(r.node.Context, do.Items)
	whole := r.whole()
	inner := r.clone(whole)
	inner.items = whole
	count := amount(n)
	if !bounded {
		count = Unbounded
	}
	value := Amount(0)
	b := inner.repeated(count, "items", func() bound {
		inner.previous = whole
		one := inner.pipeline(do.Body)
		value = max(value, inner.previous)
		return one
	})
	if !bounded && b.most.Calls > 0 {
		r.analysis.unbounded("the number of items of "+do.Items.Value, "maxItems of it in the schema of the context")
	}
	r.merge(inner)
	r.previous = value.times(escaped).plus(8).times(count)
	if do.Result != nil {
		return b, max(r.previous, r.datum(do.Result))
	}

	return b, r.previous
}

// mostItems returns how many items the schema of a context lets the list at a path have.
func mostItems(s *ir.Schema, path *ir.ContextPath) (n int, bounded bool) {
	if path == nil {
		return 0, false
	}
	for _, name := range path.Path {
		if s == nil {
			return 0, false
		}
		i := slices.IndexFunc(s.Properties, func(p *ir.Property) bool { return p.Name.Value == name.Value })
		if i < 0 {
			return 0, false
		}
		s = s.Properties[i].Schema
	}
	if s == nil || s.Kind != ir.SchemaArray || s.MaxItems == nil {
		return 0, false
	}

	return *s.MaxItems, true
}

// machine returns the bound of a machine whose states have steps. The first one at the top may begin in any of its states, which the
// initial context can name.
func (r *workRun) machine(t *ir.Task, m *ir.Machine, given Amount) (bound, Amount) {
	facts := r.facts.Machine(m)
	if facts == nil || facts.Start == nil {
		return nothing, given
	}
	isMachine := func(t *ir.Task) bool {
		_, is := t.Do.(*ir.Machine)
		return is
	}
	first := slices.IndexFunc(r.node.Body.Tasks, isMachine)
	anywhere := first >= 0 && r.node.Body.Tasks[first] == t

	p := paths{facts: facts, own: make([]bound, len(facts.States)), next: make([][]int, len(facts.States))}
	for i, s := range facts.States {
		for _, to := range s.Next() {
			p.next[i] = append(p.next[i], to.Index)
		}
	}
	inner := r.clone(given)
	for round := range max(m.MaxSteps, 1) {
		before := inner.sizes()
		for i, s := range facts.States {
			state := inner.clone(inner.previous)
			p.own[i] = state.pipeline(s.Body)
			inner.merge(state)
			inner.previous = max(inner.previous, state.previous)
		}
		if maps.Equal(before, inner.sizes()) {
			break
		}
		if round > exactRounds {
			inner.grown(before)
		}
	}
	for i, s := range facts.States {
		if s.Body != nil && !s.End {
			r.meet(place{r.agent, s.State}, p.own[i])
		}
	}
	r.merge(inner)

	return p.most(facts.Start.Index, anywhere, amount(m.MaxSteps)), inner.previous
}

// datum is the size of a value that is written in the source, as text or as JSON.
func (r *workRun) datum(d *ir.Datum) Amount {
	if d == nil {
		return 0
	}
	switch d.Kind {
	case ir.DatumText:
		return r.parts(d.Text.Parts)
	case ir.DatumValue:
		return r.value(d.Value)
	case ir.DatumJSON:
		return size(d.JSON)
	}
	all := Amount(2)
	for _, item := range d.List {
		all = sum(all, r.datum(item).times(escaped), 3)
	}
	for _, f := range d.Fields {
		all = sum(all, size(f.Name.Value).times(escaped), r.datum(f.Value).times(escaped), 6)
	}

	return all
}

// parts is the size of a text with placeholders.
func (r *workRun) parts(parts []ir.Part) Amount {
	all := Amount(0)
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Verbatim:
			all = all.plus(size(part.Text))
		case *ir.Placeholder:
			all = all.plus(r.value(part))
		case *ir.IfPart:
			all = all.plus(r.parts(part.Body))
		case *ir.EachPart:
			inner := *r
			inner.items = r.value(part.Items)
			all = all.plus(inner.parts(part.Body).times(inner.items.plus(1)))
		}
	}

	return all
}

// value is the size of an expression's value.
func (r *workRun) value(e ir.Expression) Amount {
	switch e := e.(type) {
	case *ir.Placeholder:
		all := Amount(8)
		for _, v := range e.Values {
			all = max(all, r.value(v))
		}
		for _, f := range e.Filters {
			all = all.times(escaped).plus(24)
			if f.Arg != nil {
				if text, isText := f.Arg.Value.(string); isText {
					all = max(all.plus(all.times(size(text))), size(text))
				}
			}
		}
		return all
	case *ir.Access:
		return r.access(e)
	case *ir.Literal:
		if text, isText := e.Value.(string); isText {
			return size(text)
		}
	case *ir.Tuple:
		all := Amount(2)
		for _, item := range e.Items {
			all = sum(all, r.value(item).times(escaped), 3)
		}
		return all
	case *ir.Method:
		return r.value(e.X).times(2)
	}

	return 32
}

// access is the size of a value that has a name. A part of a value is no longer than it.
func (r *workRun) access(e *ir.Access) Amount {
	size := Amount(0)
	switch e.Root {
	case ir.RootContext:
		size = r.whole()
	case ir.RootInput:
		size = r.input
	case ir.RootThis:
		size = r.items
	case ir.RootStep:
		if e.Output != nil {
			size = r.outputs[e.Output.Name.Value]
		}
		if strings.HasPrefix(e.Written, "previous") {
			size = max(size, r.previous)
		}
	default:
		for _, n := range r.sizes() {
			size = size.plus(n.times(escaped))
		}
	}
	if e.Default != nil {
		size = max(size, r.value(e.Default))
	}

	return max(size, 8)
}
