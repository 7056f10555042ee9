package cost

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// text says how long a variable of a flow is: as it is, as it is shown to a model, as a document and as an object. What is no group and
// no notes has one size.
type text struct {
	value, report, document, object Amount
	// items is how many items the list in it has at most.
	items Amount
	// key is the key with which the run that gave it always finishes; "" if that is not known.
	key string
}

func plain(value Amount) text {
	return text{value: value, report: value, document: value, object: value}
}

func (t text) or(u text) text {
	if t.key != u.key {
		t.key = ""
	}

	return text{
		max(t.value, u.value), max(t.report, u.report), max(t.document, u.document), max(t.object, u.object), max(t.items, u.items), t.key,
	}
}

// body is what operations use: if what is behind them is done after them, and if they end the flow.
type body struct {
	through, ended bound
	// leads says that something can be done after them.
	leads bool
}

// flowRun is the interpretation of one run of a flow.
type flowRun struct {
	*analysis
	agent *ir.Agent
	input Amount
	at    ir.Place
	vars  map[*ir.Output]text
	// counters are the rounds of the loops that are under way.
	counters map[*ir.Output]Amount
	value    Amount
}

func (x *analysis) flow(a *ir.Agent, f *ir.Flow, input Amount, at ir.Place) (bound, Amount) {
	r := &flowRun{analysis: x, agent: a, input: input, at: at, vars: map[*ir.Output]text{}, counters: map[*ir.Output]Amount{}}
	b := r.body(f.Body)
	b.through.done, b.through.ends = Spend{}, false // nothing can follow what does not end the flow

	return b.ended.or(b.through), r.value
}

// body adds up tasks that are done one after another.
func (r *flowRun) body(p *ir.Pipeline) body {
	all := body{through: nothing, leads: true}
	for _, t := range p.Steps() {
		b := r.task(t)
		all.ended = all.ended.or(all.through.then(b.ended))
		all.through, all.leads = all.through.then(b.through), b.leads
		if !b.leads {
			break
		}
	}

	return all
}

func (r *flowRun) task(t *ir.Task) body {
	switch op := t.Do.(type) {
	case *ir.Run:
		b, value := r.run(op, r.size(t.Value()))
		result := plain(value)
		if op.Step != nil {
			if list := op.Step.List(); list != nil {
				result.items = max(amount.Of(list.Max), 1) // a text that is no list is a plan of one step
			}
			if _, once := op.Step.Node.(*ir.Oneshot); once {
				result.key = ir.DoneKey
			}
		}
		r.vars[t.Output] = result
		return body{through: b, leads: true}
	case *ir.Parallel:
		return body{through: r.together(op, t.Output), leads: true}
	case *ir.PassOn:
		r.vars[t.Output] = r.text(t.Value())
	case *ir.Ask:
		r.vars[t.Output] = plain(r.options.Input)
	case *ir.Loop:
		if op.Reduce == ir.ReduceResults {
			return body{through: r.group(op, t.Output), leads: true}
		}
		return r.loop(op)
	case *ir.Branch:
		return r.branch(op)
	case *ir.Return:
		r.value = max(r.value, r.returned(t.Value()))
		if op.Key == ir.KeyUnfinished && !slices.Contains(r.at.Keys, ir.ExhaustedKey) {
			return body{} // the flow fails
		}
		return body{ended: nothing}
	case *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine:
		panic(fmt.Sprintf("no pattern has a %T", op))
	}

	return body{through: nothing, leads: true}
}

// returned is the size of a value that the flow returns.
func (r *flowRun) returned(x ir.Expression) Amount {
	t := r.vars[ir.OutputOf(x)]
	switch x.(type) {
	case *ir.Document:
		return t.document
	case *ir.Object:
		return t.object
	}

	return t.value
}

func (r *flowRun) run(op *ir.Run, input Amount) (bound, Amount) {
	at := op.At.Within(r.at)
	if op.Step == nil {
		return r.analysis.agent(op.Agent.Agent, input, at)
	}

	return r.conversation(talk{
		label: op.Step.Label(r.agent.Name.Value), step: op.Step, system: size(op.Step.Prompt.Value), input: input, keys: keysOf(at),
	})
}

// results adds up what runs give that are beside each other, of which there are n. quoted is the longest of their names.
type results struct {
	bound  bound
	text   text
	n      Amount
	quoted Amount
}

// add adds so many copies of a run, with a name of so many characters.
func (g *results) add(copies Amount, name Amount, b bound, value Amount) {
	g.bound, g.quoted = g.bound.beside(b), max(g.quoted, name)
	shown := value
	if g.n > 1 { // where one alone fails, all of them do, and the flow
		shown = max(value, b.fail)
	}
	t := &g.text
	t.report = t.report.Plus(copies.Times(amount.Sum(name.Times(6), shown, marks(shown), 60)))
	t.document = t.document.Plus(copies.Times(amount.Sum(name, shown, 20)))
	t.object = t.object.Plus(copies.Times(amount.Sum(name.Times(6), shown.Times(6), 20)))
}

// keep makes the results those of a variable, and returns the bound of all of them.
func (r *flowRun) keep(g *results, to *ir.Output) bound {
	g.bound.fail = amount.Sum(min(g.n, mostListed).Times(amount.Sum(g.bound.fail, g.quoted, 8)), 60, size(r.agent.Name.Value))
	g.text.value = g.text.report
	r.vars[to] = g.text

	return g.bound
}

// together returns the bound of agents side by side.
func (r *flowRun) together(op *ir.Parallel, to *ir.Output) bound {
	all := &results{n: amount.Of(len(op.Branches))}
	for _, arm := range op.Branches {
		inner := arm.Body.Tasks[0]
		b, value := r.run(inner.Do.(*ir.Run), r.size(inner.Value()))
		all.add(1, size(arm.Name.Value), b, value)
	}

	return r.keep(all, to)
}

// group returns the bound of a run that is done several times side by side.
func (r *flowRun) group(op *ir.Loop, to *ir.Output) bound {
	inner := op.Body.Tasks[0]
	if op.Over == nil {
		all := &results{n: amount.Of(op.Max)}
		b, value := r.run(inner.Do.(*ir.Run), r.size(inner.Value()))
		b = b.copies(all.n, "variants")
		b.width = b.width.Times(min(all.n, amount.Of(max(op.Width, 1))))
		all.add(all.n, size(op.Title)+8, b, value)
		return r.keep(all, to)
	}
	list := op.Over.(*ir.ListOf)
	all := &results{n: r.items(list)}
	b, value := r.each(op, list, all.n)
	all.add(all.n, 0, b, value)
	all.quoted = mostQuoted
	names := r.vars[list.Of].value // items are the names of their results
	all.text.report, all.text.object = all.text.report.Plus(names.Times(6)), all.text.object.Plus(names.Times(6))
	all.text.document = all.text.document.Plus(names)

	return r.keep(all, to)
}

// each returns the bound of a run for each of n items of a list, and the size of a value. The items have a size together. What a run uses is
// a convex function of the size of its item, unless something caps it: then no distribution uses more than one item that is all, and
// others that are empty.
func (r *flowRun) each(op *ir.Loop, list *ir.ListOf, n Amount) (all bound, value Amount) {
	whole := r.vars[list.Of].value
	if n == Unbounded {
		r.analysis.unbounded("the number of items of "+list.Of.Name.Value, "max_items")
	}
	inner := op.Body.Tasks[0]
	do := func(item Amount) (bound, Amount) {
		r.vars[op.Item] = plain(item)
		return r.run(inner.Do.(*ir.Run), r.size(inner.Value()))
	}
	least, _ := do(0)
	most, value := do(whole)
	if n == 0 {
		return nothing, 0
	}
	all = most.copies(n, "items")
	if !most.capped && whole != Unbounded && n != Unbounded {
		main := all.main
		all = most
		if n > 1 {
			all = most.beside(least.copies(n-1, "items"))
		}
		all.main, all.width = term{main.text, main.spend.atMost(all.most)}, most.width
	}
	all.width = all.width.Times(min(n, amount.Of(max(op.Width, 1))))

	return all.or(nothing), value // there may be no item, so that nothing fails
}

// items is how many items a list has at most.
func (r *flowRun) items(l *ir.ListOf) Amount {
	if n := r.vars[l.Of].items; n > 0 {
		return n
	}

	return Unbounded
}

// branch returns the bound of operations that are done on a condition.
func (r *flowRun) branch(op *ir.Branch) body {
	limit, counts := ir.TurnTestOf(op.Condition())
	if counts && r.counters[limit.Turn] != amount.Of(limit.N) {
		return body{through: nothing, leads: true}
	}
	is, certain := ir.KeyTestOf(op.Condition())
	certain = certain && r.vars[is.Of].key != ""
	if certain && (r.vars[is.Of].key == is.Key) == is.Not {
		return body{through: nothing, leads: true}
	}
	before := maps.Clone(r.vars)
	b := r.body(op.Then())
	if counts || certain {
		return b
	}
	if !b.leads { // what is behind is done only where the condition does not hold
		r.vars, b.through = before, bound{}
	}
	b.through = b.through.or(nothing)
	r.widest(before)
	b.leads = true

	return b
}

// loop returns the bound of a loop. The items of a list have a size together: as in [flowRun.each], no distribution of it uses more
// than one item that is all of it, in the round where that uses the most, and others that are empty.
func (r *flowRun) loop(op *ir.Loop) body {
	n, before := Unbounded, maps.Clone(r.vars)
	switch {
	case op.Over != nil:
		n = r.items(op.Over.(*ir.ListOf))
	case op.Max > 0:
		n = amount.Of(op.Max)
	}
	all, _ := r.rounds(op, n, 0)
	if op.Over == nil {
		return all
	}
	if b := all.through.or(all.ended); b.capped || b.most.Input == Unbounded || n == 1 {
		return all
	}
	one, vars := body{leads: true}, r.vars
	for at, settled := Amount(1), Unbounded; at <= min(n, settled); at++ {
		r.vars = maps.Clone(before)
		var b body
		b, settled = r.rounds(op, n, at)
		one.through, one.ended = one.through.or(b.through), one.ended.or(b.ended)
		if at > 1 {
			r.widest(vars)
		}
		vars = r.vars
	}

	return one
}

// widest makes each variable as large as it is in others.
func (r *flowRun) widest(others map[*ir.Output]text) {
	for name, t := range others {
		r.vars[name] = r.vars[name].or(t)
	}
}

// rounds returns the bound of the rounds of a loop, of which there are total ones at most. The item of a list is all of it in
// round at, and else empty; with at 0 it is all of it in each round. Rounds that are all the same are counted, not looked at: settled
// is the first of them.
func (r *flowRun) rounds(op *ir.Loop, total, at Amount) (all body, settled Amount) {
	all, settled = body{through: nothing, leads: true}, Unbounded
	for round := Amount(1); round <= total && all.leads; round++ {
		before := maps.Clone(r.vars)
		r.counters[op.Turn] = round
		if list, isList := op.Over.(*ir.ListOf); isList {
			r.vars[op.Item] = text{}
			if at == 0 || at == round {
				r.vars[op.Item] = plain(r.vars[list.Of].value)
			}
		}
		b := r.body(op.Body)
		all.ended = all.ended.or(all.through.then(b.ended))
		all.through, all.leads = all.through.then(b.through), b.leads
		if round > exactRounds {
			r.widen(before)
		}
		if !b.leads || !maps.Equal(before, r.vars) {
			continue
		}
		settled = min(settled, round)
		next := special(op, round, total)
		if at > round {
			next = min(next, at)
		}
		if skipped := next - round - 1; skipped > 0 {
			all.ended = all.ended.or(all.through.then(b.through.times(skipped-1, "rounds")).then(b.ended))
			all.through = all.through.then(b.through.times(skipped, "rounds"))
			round = next - 1
		}
		if next == Unbounded {
			r.analysis.unbounded("the number of rounds of a loop of "+r.agent.Name.Value, "max_iter")
			return all, settled
		}
	}
	delete(r.counters, op.Turn)
	if op.Over != nil { // of which there may be no item, so that nothing ends there
		all.through, all.leads = all.through.or(nothing), true
	} else if op.Max == 0 {
		all.leads = false
	}

	return all, settled
}

// special is the next round of a loop in which a limit counts, or the one behind the last.
func special(op *ir.Loop, round, total Amount) Amount {
	next := min(total, Unbounded-1) + 1
	for _, branch := range ir.OpsOf[*ir.Branch](op.Body.Ops()) {
		limit, counts := ir.TurnTestOf(branch.Condition())
		if counts && limit.Turn == op.Turn && amount.Of(limit.N) > round {
			next = min(next, amount.Of(limit.N))
		}
	}

	return next
}

// widen makes what has grown since before unbounded.
func (r *flowRun) widen(before map[*ir.Output]text) {
	for name, t := range r.vars {
		if t != before[name] {
			grown := plain(Unbounded)
			grown.items = t.items
			r.vars[name] = grown
		}
	}
}

// size is that of a text which a model is given.
func (r *flowRun) size(x ir.Expression) Amount {
	t := r.text(x)
	switch x.(type) {
	case *ir.Report, *ir.Notes:
		return t.report
	}

	return t.value
}

// text is what is known of an expression.
func (r *flowRun) text(x ir.Expression) text {
	switch x := x.(type) {
	case *ir.Access:
		if x.Root == ir.RootInput {
			return plain(r.input)
		}
		return r.vars[x.Output]
	case *ir.Report:
		return plain(r.text(x.X).report)
	case *ir.Notes:
		return r.notes(x)
	}

	return text{}
}

// notes are titled texts.
func (r *flowRun) notes(x *ir.Notes) text {
	t := r.text(x.Base)
	for _, s := range x.Sections {
		inside := r.size(s.Text)
		title := size(s.Title)
		t.report = t.report.Plus(amount.Sum(title.Times(2), inside, marks(inside), 12))
		t.document = t.document.Plus(amount.Sum(title, inside, 4))
	}
	t.value, t.object = t.report, t.report

	return t
}

// marks is what both tags around a text are longer because the text in it looks like their end: by a number of such ends at most.
func marks(text Amount) Amount { return 2 * size("_", strconv.FormatUint(uint64(text), 10)) }
